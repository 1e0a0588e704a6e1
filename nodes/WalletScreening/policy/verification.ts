import { addressKey } from '../address/key';
import {
	type Fields,
	fieldOf,
	filledText,
	isFields,
	isGiven,
	isNumber,
	jsonOrNothing,
	objectIn,
} from '../shared/json';
import type { AnyReport } from '../answers/report';
import { digestOfJson, isSameJson, stored } from '../shared/canonical';
import { decide } from './decision';
import { type Decided, evidenceOf } from './evidence';
import { policyOfRecord } from './policy';
import { defaultReportField as usualField, reportIn, extractOf, valueAt } from './report';
import { show } from '../shared/text';
import { sameName } from './level';

interface Looked {
	reportField?: string;
	/** Null if it was to be looked at and is missing, undefined if it is not looked at. */
	pdf?: Uint8Array | null | undefined;
}

/** What it means if a field of the evidence is not as it is made again. */
const fieldFindings = {
	version: 'This node does not know the version of the evidence.',
	report_id: 'The report has another ID than the evidence.',
	report_sha256: 'The report is not the one that the evidence was made for.',
	report: 'The report of the item is not the one in the evidence.',
	policy: 'The policy of the evidence was changed.',
	pdf_sha256: 'The PDF is not the one that the evidence was made for.',
	sha256: 'The evidence was changed after it was made.',
};

/** What only the digest of the evidence speaks for. */
const claims = [
	'reference',
	'asked_chain',
	'service_names',
	'sent',
	'package',
	'workflow_id',
	'execution_id',
];

/**
 * Compares an item with its evidence, by making the evidence again from the report: a sentence for each thing that does not
 * fit. Each field of the item that has the name of a field of the node, or of a column of a log, has to say what evidence or
 * report say; a field that the item does not have says nothing. Throws `invalid_input` for an item that holds no report.
 */
export function verifyEvidence(item: Fields, { reportField = usualField, pdf }: Looked = {}) {
	const evidence = objectIn(item.evidence);
	// Of a simplified report only the evidence keeps the whole.
	const isKept = objectIn(evidence?.report) && !isGiven(valueAt(item, reportField));
	const holder = { error: item.error, report: evidence?.report };
	const report = isKept ? reportIn(holder) : reportIn(item, reportField);
	const findings = evidence
		? [
				...evidenceFindings(evidence, report, pdf),
				...findingsIn(item, saidByEvidence(evidence), 'what the evidence says'),
				...markFindings(item, evidence),
				...findingsIn(item, saidByReport(evidence, report), 'what the report says'),
				...findingsIn(item, objectIn(evidence.inputs), 'what the rules compared'),
				...(pdf === null ? ['The item has no PDF.'] : []),
			]
		: ['The item contains no evidence.'];
	return { valid: findings.length === 0, findings };
}

/** Each field of the evidence that is not as it is made again. */
function evidenceFindings(evidence: Fields, report: AnyReport, pdf: Looked['pdf']): string[] {
	const { sha256: _, ...rest } = evidence;
	const kept = pdf ? claims : [...claims, 'pdf_sha256'];
	const claimed = Object.entries(evidence).filter(([name]) => kept.includes(name));
	try {
		const again: Fields = {
			...evidenceOf({
				report,
				keepsReport: isGiven(evidence.report),
				screenedAt: instantIn(evidence.screened_at),
				retrievedAt: instantIn(evidence.retrieved_at),
				decided: decidedAgain(evidence, report),
				pdf: pdf ?? undefined,
				package: '',
				workflowId: '',
				executionId: '',
			}),
			...Object.fromEntries(claimed),
			sha256: digestOfJson(rest),
		};
		return Object.keys({ ...evidence, ...again })
			.filter((name) => !isSameJson(compared(evidence, name), compared(again, name)))
			.map((name) => findingOn(name, evidence, again));
	} catch (error) {
		return [`The evidence cannot be made again: ${(error as Error).message}.`];
	}
}

/** The decision by the policy and the time of the evidence; undefined if there was none. Throws if a part of it is missing. */
function decidedAgain(evidence: Fields, report: AnyReport): Decided | undefined {
	const { policy: record, decision } = evidence;
	if (record === null && decision === null) return undefined;
	const at = instantIn(evidence.decided_at);
	if (!isFields(record) || !isFields(decision) || !at) {
		throw new Error('it lacks a part of the decision');
	}
	const reasons = (Array.isArray(decision.reasons) ? decision.reasons : []).filter(isFields);
	// Evidence does not hold the addresses of a list: on which of them the report was, only its reasons say.
	const hits = reasons.filter(({ problem }) => problem === undefined).map(({ list }) => list);
	const policy = policyOfRecord(record, (name) => hits.includes(name));
	const input = objectIn(evidence.inputs) ?? {};
	const chain = filledText(evidence.asked_chain);
	return { decision: decide(report, policy, { at, chain, input }), policy, at, input };
}

/** The value to compare. The words of a decision may change between versions, and with them nothing that was decided. */
function compared(evidence: Fields, name: string): unknown {
	const value = evidence[name];
	if (name !== 'decision' || !isFields(value)) return value;
	const { summary: _, reasons, ...rest } = value;
	const withoutWords = (reason: unknown) =>
		isFields(reason) ? { ...reason, problem: filledText(reason.problem) !== undefined } : reason;
	return { ...rest, reasons: Array.isArray(reasons) ? reasons.map(withoutWords) : reasons };
}

function findingOn(name: string, evidence: Fields, { decision }: Fields): string {
	if (name === 'pdf_sha256' && !isGiven(evidence[name])) {
		return 'The evidence was made without a PDF.';
	}
	if (name === 'decision' && isFields(decision)) {
		return `By the policy of the evidence the decision is ${String(decision.outcome)}, for reasons other than the evidence says.`;
	}
	const known = fieldOf(fieldFindings, name) as string | undefined;
	return known ?? `'${show(name, 60)}' of the evidence does not fit the rest.`;
}

function saidByEvidence({ decision, policy, reference, asked_chain }: Fields): Fields {
	const { outcome, summary, reasons } = objectIn(decision) ?? {};
	const { name, version } = objectIn(policy) ?? {};
	const columns = isGiven(policy) && { policy: name, policy_version: version };
	return { outcome, summary, reasons, reference, asked_chain, error_class: undefined, ...columns };
}

/** The mark of a sanctions hit is there or not; a table says the latter as false. */
function markFindings({ sanctions }: Fields, { decision }: Fields): string[] {
	if (sanctions === undefined) return [];
	const isMarked = objectIn(decision)?.sanctions === true;
	const isSame = isMarked
		? isWord(sanctions, 'true')
		: !isGiven(sanctions) || isWord(sanctions, 'false');
	return isSame ? [] : ["'sanctions' of the item is not what the evidence says."];
}

const isWord = (value: unknown, word: string) =>
	value === (word === 'true') || sameName(value, word);

function saidByReport(evidence: Fields, report: AnyReport): Fields {
	const { address, chain, risk, report_id, report_url } = report;
	const rest = isGiven(evidence.report) && extractOf(report);
	const { level, score } = risk;
	return { ...rest, level, score, address, chain, report_id, report_url };
}

/** The fields of the item that say something else; `what` completes "is not". */
function findingsIn(item: Fields, expected: Fields = {}, what: string): string[] {
	return Object.entries(expected)
		.map(([path, value]) => ({ path, value, found: valueAt(item, path) }))
		.filter(({ path, value, found }) => found !== undefined && !isSameCell(path, found, value))
		.map(({ path }) => `'${show(path, 60)}' of the item is not ${what}.`);
}

/** Whether a field says a value, also as a cell of a sheet or a data table does. An address may be spelled otherwise. */
function isSameCell(name: string, found: unknown, expected: unknown): boolean {
	if (!isGiven(found) || !isGiven(expected)) return isGiven(found) === isGiven(expected);
	if (typeof expected === 'object') {
		const read = typeof found === 'string' ? jsonOrNothing(found) : stored(found);
		return isSameJson(read, stored(expected));
	}
	if (typeof found !== 'string' && typeof found !== 'number') return false;
	if (isNumber(expected)) return Number(found) === expected;
	const [one, other] = [found, expected].map(textOfCell) as [string, string];
	return one === other || (name === 'address' && addressKey(one) === addressKey(other));
}

/** A log writes an apostrophe before what a spreadsheet would take for a formula. */
const textOfCell = (cell: unknown) =>
	String(cell)
		.replace(/^\s*'(?=[=+@\s-])/, '')
		.trim();

/** ISO 8601 in UTC, as JavaScript writes it. */
function instantIn(value: unknown): Date | undefined {
	const time = new Date(typeof value === 'string' ? value : NaN);
	return Number.isFinite(time.getTime()) && time.toISOString() === value ? time : undefined;
}
