import { type Fields, isFields } from '../service/json';
import { own } from '../service/errors';
import { digestOfJson, isSameJson, stored } from './canonical';
import { decide } from './decision';
import { type Decided, evidenceOf } from './evidence';
import { policyOfRecord } from './policy';
import { asReport, noReport, ownFields, reportAt, simplify, valueAt, wayTo } from './report';
import { filled, isGiven, isNumber, objectIn, show } from './values';

interface Looked {
	reportField?: string;
	/** Null if it was to be looked at and is missing, undefined if it is not looked at. */
	pdf?: Uint8Array | null | undefined;
}

/** What it means if a field of the evidence is not as it is made again. */
const meanings = new Map(
	Object.entries({
		version: 'This node does not know the version of the evidence.',
		report_id: 'The report has another ID than the evidence.',
		report_fields: 'The fields of the report are not those that the evidence names.',
		report_sha256: 'The report is not the one that the evidence was made for.',
		policy: 'The policy of the evidence was changed.',
		pdf_sha256: 'The PDF is not the one that the evidence was made for.',
		sha256: 'The evidence was changed after it was made.',
	}),
);

/** What it means if a copy of one of these is not as the evidence says. */
const ofCopies = {
	asked_chain: 'The chain that was asked for is not the one of the evidence.',
	evidence: 'The item contains two different pieces of evidence.',
	decision: 'A decision of the item is not the one of the evidence.',
};

/** What only the digest of the evidence speaks for. */
const claims = [
	'reference',
	'asked_chain',
	'service_names',
	'package',
	'workflow_id',
	'execution_id',
];

/**
 * Compares an item with its evidence, by making the evidence again from what the item holds: a sentence for each thing that
 * does not fit. The report is at `reportField` (empty: the item itself); evidence and decision stand in the item, or beside
 * the fields of the report. Throws `invalid_input` for an item that holds no report.
 */
export function verifyEvidence(given: Fields, { reportField = '', pdf }: Looked = {}) {
	const findings = findingsIn(asStored(given, reportField), reportField, pdf);
	return { valid: findings.length === 0, findings };
}

function findingsIn(item: Fields, reportField: string, pdf: Looked['pdf']): string[] {
	const way = wayTo(item, reportField);
	const place = way.at(-1)!;
	const found = way.map(({ evidence }) => evidence).find(isGiven);
	// An item without a report is an error, not invalid evidence.
	if (found === undefined) reportAt(item, reportField);
	const evidence = objectIn(found);
	if (!evidence) return ['The item contains no evidence.'];

	const names: unknown[] = Array.isArray(evidence.report_fields) ? evidence.report_fields : [];
	const whole = objectIn(evidence.report);
	const shown = whole ? simplified(whole) : pick(place, names);
	if (!asReport(place) && !Object.keys(shown).some((name) => Object.hasOwn(place, name))) {
		throw noReport(reportField, 'none of the fields that the evidence names is there', place);
	}
	return [
		...readingFindings(item, reportField),
		...evidenceFindings(evidence, whole ?? shown, pdf),
		...(whole ? simplifiedFindings(whole, ownFields(place)) : []),
		...inputFindings(evidence, item, way.length === 1 ? names : []),
		...copyFindings(evidence, way, names),
		...(pdf === null ? ['The item has no PDF.'] : []),
	];
}

/** Evidence was made of the item as n8n stores it. */
function asStored(item: Fields, reportField: string): Fields {
	try {
		return stored(item);
	} catch {
		throw noReport(reportField, 'the item is nested too deeply, or is not JSON', {});
	}
}

/** What the item says beside the fields that the evidence names may contradict them: then others read another report. */
function readingFindings(item: Fields, reportField: string): string[] {
	try {
		reportAt(item, reportField);
		return [];
	} catch (error) {
		return [`${own(error).message}.`];
	}
}

/** Each field of the evidence that is not as it is made again. */
function evidenceFindings(evidence: Fields, report: Fields, pdf: Looked['pdf']): string[] {
	const { sha256: _, ...rest } = evidence;
	try {
		const again: Fields = {
			...evidenceOf({
				fields: report,
				isSimplified: isGiven(evidence.report),
				screenedAt: instantIn(evidence.screened_at),
				retrievedAt: instantIn(evidence.retrieved_at),
				decided: decidedAgain(evidence, report),
				pdf: pdf ?? undefined,
				...{ package: '', workflowId: '', executionId: '' },
			}),
			...pick(evidence, pdf ? claims : [...claims, 'pdf_sha256']),
			sha256: digestOfJson(rest),
		};
		return Object.keys({ ...evidence, ...again })
			.filter((name) => !isSameJson(compared(evidence, name), compared(again, name)))
			.map((name) => meaningOf(name, evidence, again));
	} catch (error) {
		return [`The evidence cannot be made again: ${(error as Error).message}.`];
	}
}

/** The decision by the policy and the time of the evidence; undefined if there was none. Throws if a part of it is missing. */
function decidedAgain(evidence: Fields, fields: Fields): Decided | undefined {
	const { policy: record, decision } = evidence;
	const report = asReport(fields);
	if (!report) throw new Error('it names no report');
	if (record === null && decision === null) return undefined;
	const at = instantIn(evidence.decided_at);
	if (!isFields(record) || !isFields(decision) || !at) {
		throw new Error('it lacks a part of the decision');
	}
	const reasons = (Array.isArray(decision.reasons) ? decision.reasons : []).filter(isFields);
	// Evidence does not hold the addresses of a list: on which of them the report was, only its reasons say.
	const hits = reasons.filter(({ problem }) => problem === undefined).map(({ list }) => list);
	const chain = filled(evidence.asked_chain);
	const input = isFields(evidence.inputs) ? evidence.inputs : {};
	const policy = policyOfRecord(record, (name) => hits.includes(name));
	return { decision: decide(report, policy, { at, chain, input }), policy, at, input };
}

/** The value to compare. The words of a decision may change between versions, and with them nothing that was decided. */
function compared(evidence: Fields, name: string): unknown {
	const value = evidence[name];
	if (name !== 'decision' || !isFields(value)) return value;
	const { summary: _, reasons, ...rest } = value;
	const withoutWords = (reason: unknown) =>
		isFields(reason) ? { ...reason, problem: filled(reason.problem) !== undefined } : reason;
	return { ...rest, reasons: Array.isArray(reasons) ? reasons.map(withoutWords) : reasons };
}

function meaningOf(name: string, evidence: Fields, { decision }: Fields): string {
	if (name === 'pdf_sha256' && !isGiven(evidence[name])) {
		return 'The evidence was made without a PDF.';
	}
	if (name === 'decision' && isFields(decision)) {
		return `By the policy of the evidence the decision is ${String(decision.outcome)}, for reasons other than the evidence says.`;
	}
	return meanings.get(name) ?? `'${show(name, 60)}' of the evidence does not fit the rest.`;
}

/** The item holds the simplified form of the report in the evidence; other fields of that report may stand beside it. */
function simplifiedFindings(whole: Fields, fields: Fields): string[] {
	const short = simplified(whole);
	return Object.entries({ ...whole, ...short })
		.filter(([name]) => Object.hasOwn(short, name) || Object.hasOwn(fields, name))
		.filter(([name, expected]) => !isSameJson(fields[name], expected))
		.map(([name]) => `'${name}' of the item is not what the report in the evidence says.`);
}

/** What rules compared and the item still has, except fields of the same name that are the report's. */
function inputFindings({ inputs }: Fields, item: Fields, ofReport: unknown[]): string[] {
	return Object.entries(objectIn(inputs) ?? {})
		.map(([path, value]) => ({ path, value, now: valueAt(item, path) }))
		.filter(({ path, now }) => !ofReport.includes(path) && isGiven(now))
		.filter(({ value, now }) => !isSameInput(value, now))
		.map(({ path }) => `'${show(path, 60)}' of the item is not what the rules compared.`);
}

/** A sheet makes texts of numbers. */
const isSameInput = (value: unknown, now: unknown) =>
	value === now || (isNumber(value) && typeof now === 'string' && Number(now) === value);

/** All copies have to agree, from the item to the object of the report. A field that is one of the report there is no copy. */
function copyFindings(evidence: Fields, way: Fields[], ofReport: unknown[]): string[] {
	const expected: Fields = { ...evidence, evidence };
	const isAskedLost = isGiven(expected.asked_chain) && !way.some((one) => isGiven(one.asked_chain));
	const differs = (name: string) =>
		(way.length > 1 && ofReport.includes(name) ? way.slice(0, -1) : way)
			.map((fields) => fields[name])
			.some((copy) => isGiven(copy) && !isSameJson(objectIn(copy) ?? copy, expected[name]));
	return Object.entries(ofCopies)
		.filter(([name]) => differs(name) || (name === 'asked_chain' && isAskedLost))
		.map(([, finding]) => finding);
}

/** ISO 8601 in UTC, as JavaScript writes it. */
function instantIn(value: unknown): Date | undefined {
	const time = new Date(typeof value === 'string' ? value : NaN);
	return Number.isFinite(time.getTime()) && time.toISOString() === value ? time : undefined;
}

function pick(fields: Fields, names: unknown[]): Fields {
	const wanted = new Set(names);
	return Object.fromEntries(Object.entries(fields).filter(([name]) => wanted.has(name)));
}

function simplified(whole: Fields): Fields {
	const report = asReport(whole);
	return report ? (stored(simplify(report)) as Fields) : {};
}
