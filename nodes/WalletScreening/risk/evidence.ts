import { ScreeningError } from '../service/errors';
import { type Fields, isFields } from '../service/json';
import { digestOfJson, isSameJson, sha256, stored } from './canonical';
import { type Decision, decide } from './decision';
import { objectIn } from './json';
import { filled } from './names';
import { type Policy, type PolicyRecord, policyOfJson } from './policy';
import { type AnyReport, asReport, fieldsAt, noReport, ownFields, reportAt } from './report';
import { simplify } from './simplify';
import { isGiven } from './values';

/** What was known and decided of a report, with digests: SHA-256, in hex, of canonical JSON (RFC 8785). */
export interface Evidence {
	version: 1;
	/** Times are ISO 8601 in UTC. */
	screened_at?: string;
	retrieved_at?: string;
	decided_at?: string;
	/** Null if the report has none. */
	report_id: unknown;
	/** The names of the report's fields, sorted by UTF-16 code units. */
	report_fields: string[];
	report_sha256: string;
	/** The report itself, if the item does not hold it as it came. */
	report?: Fields;
	/** Of the bytes of the file. */
	pdf_sha256?: string;
	policy: PolicyRecord | null;
	decision: Decision | null;
	package: string;
	workflow_id: string;
	execution_id: string;
	/** Of this evidence without this field. */
	sha256: string;
}

/** What evidence is made of. */
export interface Subject {
	/** The fields of the report: as the service sent them, or as they were found in an item. */
	fields: object;
	/** Whether the item holds these fields in a simplified form only. */
	isSimplified?: boolean;
	screenedAt?: Date | undefined;
	retrievedAt?: Date | undefined;
	/** The decision, with the policy and the time that it was made by. */
	decided?: { decision: Decision; policy: Policy; at: Date } | undefined;
	pdf?: Uint8Array | undefined;
	/** Name and version of the package, e.g. `n8n-nodes-wallet-screening@1.0.0`. */
	package: string;
	workflowId: string;
	executionId: string;
}

export interface Verification {
	valid: boolean;
	/** A sentence for each thing that does not fit; none if the evidence is valid. */
	findings: string[];
}

/** Evidence for an item. Throws `invalid_response` for a report that canonical JSON cannot hold. */
export function evidenceOf(subject: Subject): Evidence {
	try {
		return evidenceFor(subject, stored(subject.fields) as Fields);
	} catch {
		throw withoutDigest();
	}
}

function withoutDigest(): ScreeningError {
	return new ScreeningError(
		'invalid_response',
		'The report has no digest: it contains half of a character, or is nested too deeply',
		"Send the report to the service's support, or switch the evidence off.",
	);
}

function evidenceFor(subject: Subject, report: Fields): Evidence {
	const { screenedAt, retrievedAt, decided, pdf } = subject;
	const evidence: Omit<Evidence, 'sha256'> = {
		version: 1,
		...(screenedAt && { screened_at: screenedAt.toISOString() }),
		...(retrievedAt && { retrieved_at: retrievedAt.toISOString() }),
		...(decided && { decided_at: decided.at.toISOString() }),
		report_id: report.report_id ?? null,
		report_fields: Object.keys(report).sort(),
		report_sha256: digestOfJson(report),
		...(subject.isSimplified && { report }),
		...(pdf && { pdf_sha256: sha256(pdf) }),
		policy: decided?.policy.record ?? null,
		decision: decided ? stored(decided.decision) : null,
		package: subject.package,
		workflow_id: subject.workflowId,
		execution_id: subject.executionId,
	};
	return { ...evidence, sha256: digestOfJson(evidence) };
}

/**
 * Compares an item with its evidence. The report is at `reportField` (empty: the item itself); evidence and decision are
 * fields of the item, or else stand beside the fields of the report. `pdf` is the file of the item: null if it was to be
 * looked at and is missing, undefined if it is not looked at. Throws `invalid_input` for an item that holds no report.
 */
export function verifyEvidence(
	given: Fields,
	{ reportField = '', pdf }: { reportField?: string; pdf?: Uint8Array | null | undefined } = {},
): Verification {
	const item = asStored(given, reportField);
	const place = fieldsAt(item, reportField);
	const holder = isGiven(item.evidence) ? item : place;
	if (!isGiven(holder.evidence)) {
		// An item without a report is an error, not invalid evidence.
		reportAt(item, reportField);
		return verification(['The item contains no evidence.']);
	}
	const evidence = objectIn(holder.evidence);
	if (!evidence) return verification(['The evidence is not an object.']);
	if (evidence.version !== 1) {
		return verification(['This node does not know the version of the evidence.']);
	}
	const whole = isGiven(evidence.report) ? objectIn(evidence.report) : undefined;
	const names = textsIn(evidence.report_fields);
	const fields = ownFields(place);
	const shown = whole ? { ...simplified(whole) } : pick(fields, names);
	const isThere = Object.keys(shown).some((name) => Object.hasOwn(fields, name));
	if (!isThere && !asReport(fields)) {
		throw noReport(reportField, 'none of the fields that the evidence names is there', fields);
	}
	const report = whole ?? shown;
	return verification([
		...evidenceFindings(evidence),
		...reportFindings(evidence, report, names),
		...(whole ? simplifiedFindings(whole, fields) : missingFindings(names, fields)),
		...timeFindings(evidence),
		...policyFindings(evidence),
		...decisionFindings(evidence, asReport(report)),
		...itemFindings(evidence, holder),
		...pdfFindings(evidence, pdf),
	]);
}

/** Evidence was made of the item as n8n stores it. */
function asStored(item: Fields, reportField: string): Fields {
	try {
		return stored(item);
	} catch {
		throw noReport(reportField, 'the item is nested too deeply, or is not JSON', {});
	}
}

function verification(findings: string[]): Verification {
	return { valid: findings.length === 0, findings };
}

const evidenceNames = [
	...['version', 'screened_at', 'retrieved_at', 'decided_at', 'report_id', 'report_fields'],
	...['report_sha256', 'report', 'pdf_sha256', 'policy', 'decision', 'package', 'workflow_id'],
	...['execution_id', 'sha256'],
];

function evidenceFindings(evidence: Fields): string[] {
	const { sha256: digest, ...rest } = evidence;
	const unknown = Object.keys(evidence).filter((name) => !evidenceNames.includes(name));
	return [
		...when(!isDigestOf(digest, rest), 'The evidence was changed after it was made.'),
		...when(unknown.length > 0, 'The evidence has fields that do not belong to it.'),
	];
}

function reportFindings(evidence: Fields, report: Fields, names: string[]): string[] {
	const isListed =
		isSameJson(evidence.report_fields, Object.keys(report).sort()) && names.length > 0;
	return [
		...when(
			!isDigestOf(evidence.report_sha256, report),
			'The report is not the one that the evidence was made for.',
		),
		...when(!isListed, 'The fields of the report are not those that the evidence names.'),
		...when(
			!isSameJson(evidence.report_id, report.report_id ?? null),
			'The report has another ID than the evidence.',
		),
	];
}

function missingFindings(names: string[], fields: Fields): string[] {
	return names
		.filter((name) => !Object.hasOwn(fields, name))
		.map((name) => `The report has no '${name}' any more.`);
}

/** The item holds the simplified form of the report in the evidence; other fields of that report may stand beside it. */
function simplifiedFindings(whole: Fields, fields: Fields): string[] {
	const short = simplified(whole);
	const isWrong = (name: string, expected: unknown) =>
		(Object.hasOwn(short, name) || Object.hasOwn(fields, name)) &&
		!isSameJson(fields[name], expected);
	return Object.entries({ ...whole, ...short })
		.filter(([name, expected]) => isWrong(name, expected))
		.map(([name]) => `'${name}' of the item is not what the report in the evidence says.`);
}

const times = ['screened_at', 'retrieved_at', 'decided_at'];

function timeFindings(evidence: Fields): string[] {
	return times
		.filter((name) => Object.hasOwn(evidence, name) && !instantIn(evidence[name]))
		.map((name) => `'${name}' of the evidence is not a time.`);
}

function policyFindings({ policy }: Fields): string[] {
	if (policy === null) return [];
	if (!isFields(policy)) return ['The policy of the evidence is not an object.'];
	const { sha256: digest, ...rest } = policy;
	return when(!isDigestOf(digest, rest), 'The policy of the evidence was changed.');
}

/** Decides again, by the policy of the evidence and as of its time. The words for people may change between versions. */
function decisionFindings(evidence: Fields, report: AnyReport | undefined): string[] {
	const { policy, decision } = evidence;
	const at = instantIn(evidence.decided_at);
	if (policy === null && decision === null) {
		return when(at !== undefined, 'The evidence has the time of a decision, but no decision.');
	}
	if (!isFields(policy) || !isFields(decision) || !at || !report) {
		return ['The decision cannot be made again: the evidence lacks a part of it.'];
	}
	const { sha256: _, ...rules } = policy;
	try {
		const again = decide(report, policyOfJson(rules), { at, chain: chainAskedFor(decision) });
		return when(
			!isSameJson(essence(again), essence(decision)),
			`By the policy of the evidence the decision is ${again.outcome}, for reasons other than the evidence says.`,
		);
	} catch (error) {
		return [`The decision cannot be made again. ${(error as Error).message}.`];
	}
}

/** A decision without its words for people. */
function essence({ outcome, reasons }: { outcome?: unknown; reasons?: unknown }) {
	const withoutWords = (reason: unknown) =>
		isFields(reason) ? { ...reason, problem: filled(reason.problem) !== undefined } : reason;
	return { outcome, reasons: Array.isArray(reasons) ? reasons.map(withoutWords) : reasons };
}

/** Evidence names the chain that was asked for in the reason that another one came, and only there. */
function chainAskedFor({ reasons }: Fields): string {
	const first: unknown = Array.isArray(reasons) ? reasons[0] : undefined;
	const isChain = isFields(first) && first.field === 'chain' && filled(first.problem);
	return isChain && typeof first.value === 'string' ? first.value : '';
}

function itemFindings({ decision }: Fields, holder: Fields): string[] {
	const own = isGiven(holder.decision) ? (objectIn(holder.decision) ?? holder.decision) : null;
	if (isSameJson(own, decision)) return [];
	if (own === null) return ['The item has no decision, but the evidence has one.'];
	if (decision === null) return ['The item has a decision, but the evidence has none.'];
	return ['The decision of the item is not the one of the evidence.'];
}

function pdfFindings(evidence: Fields, pdf: Uint8Array | null | undefined): string[] {
	if (pdf === undefined) return [];
	if (pdf === null) return ['The item has no PDF.'];
	if (!isGiven(evidence.pdf_sha256)) return ['The evidence was made without a PDF.'];
	return when(
		evidence.pdf_sha256 !== sha256(pdf),
		'The PDF is not the one that the evidence was made for.',
	);
}

function when(isSo: boolean, finding: string): string[] {
	return isSo ? [finding] : [];
}

/** ISO 8601 in UTC, as JavaScript writes it. */
function instantIn(value: unknown): Date | undefined {
	const isText =
		typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
	const time = isText ? new Date(value) : undefined;
	return time && Number.isFinite(time.getTime()) && time.toISOString() === value ? time : undefined;
}

function textsIn(value: unknown): string[] {
	const isList = Array.isArray(value) && value.every((name) => typeof name === 'string');
	return isList ? (value as string[]) : [];
}

function pick(fields: Fields, names: string[]): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

function simplified(whole: Fields): Fields {
	const report = asReport(whole);
	return report ? (stored(simplify(report)) as Fields) : {};
}

/** False for no digest, and for a value that canonical JSON cannot hold. */
function isDigestOf(digest: unknown, value: unknown): boolean {
	try {
		return digest === digestOfJson(value);
	} catch {
		return false;
	}
}
