import { addressKey } from '../address/key';
import { ScreeningError } from '../service/errors';
import { type Fields, isFields, jsonOrNothing } from '../service/json';
import type { AnyReport } from '../service/report';
import { digestOfJson, isSameJson, stored } from './canonical';
import { decide } from './decision';
import { type Decided, evidenceOf } from './evidence';
import { policyOfRecord } from './policy';
import { flatRest, reportField as usualField, reportIn, valueAt } from './report';
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
		report_sha256: 'The report is not the one that the evidence was made for.',
		report: 'The report of the item is not the one in the evidence.',
		policy: 'The policy of the evidence was changed.',
		pdf_sha256: 'The PDF is not the one that the evidence was made for.',
		sha256: 'The evidence was changed after it was made.',
	}),
);

/** What only the digest of the evidence speaks for. */
const claims = [
	...['reference', 'asked_chain', 'service_names', 'sent'],
	...['package', 'workflow_id', 'execution_id'],
];

/**
 * Compares an item with its evidence, by making the evidence again from the report: a sentence for each thing that does not
 * fit. Each field of the item that has the name of a field of the node, or of a column of a log, has to say what evidence or
 * report say. Throws `invalid_input` for an item that holds no report.
 */
export function verifyEvidence(given: Fields, { reportField = usualField, pdf }: Looked = {}) {
	const item = asStored(given);
	const evidence = objectIn(item.evidence);
	// Of a simplified report only the evidence keeps the whole.
	const isKept = objectIn(evidence?.report) && !isGiven(valueAt(item, reportField));
	const report = isKept
		? reportIn({ error: item.error, report: evidence?.report })
		: reportIn(item, reportField);
	const findings = evidence
		? [
				...evidenceFindings(evidence, report, pdf),
				...flatFindings(item, evidence, report),
				...inputFindings(item, evidence),
				...(pdf === null ? ['The item has no PDF.'] : []),
			]
		: ['The item contains no evidence.'];
	return { valid: findings.length === 0, findings };
}

/** Evidence was made of the item as n8n stores it. */
function asStored(item: Fields): Fields {
	try {
		return stored(item);
	} catch {
		throw notJson();
	}
}

const notJson = () =>
	new ScreeningError(
		'invalid_input',
		'The item is nested too deeply, or is not JSON',
		'Give the item as this node made it.',
	);

/** Each field of the evidence that is not as it is made again. */
function evidenceFindings(evidence: Fields, report: AnyReport, pdf: Looked['pdf']): string[] {
	const { sha256: _, ...rest } = evidence;
	try {
		const again: Fields = {
			...evidenceOf({
				report,
				keepsReport: isGiven(evidence.report),
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

/** The fields of the item that say something else than evidence or report. A field that the item does not have says nothing. */
function flatFindings(item: Fields, evidence: Fields, report: AnyReport): string[] {
	const { decision, policy, reference, asked_chain } = evidence;
	const { outcome, summary, reasons } = objectIn(decision) ?? {};
	const { name, version } = objectIn(policy) ?? {};
	const ofEvidence = {
		...{ outcome, summary, reasons, reference, asked_chain, error_class: undefined },
		...(isGiven(policy) && { policy: name, policy_version: version }),
	};
	const { address, chain, risk, report_id, report_url } = report;
	const ofReport = {
		...(isGiven(evidence.report) && flatRest(report)),
		...{ level: risk.level, score: risk.score, address, chain, report_id, report_url },
	};
	const findings = (expected: Fields, source: string) =>
		Object.entries(expected)
			.filter(([field]) => Object.hasOwn(item, field))
			.filter(([field, value]) => !isSameCell(field, item[field], value))
			.map(([field]) => `'${show(field, 60)}' of the item is not what the ${source} says.`);
	return [...findings(ofEvidence, 'evidence'), ...findings(ofReport, 'report')];
}

/** Whether a field says a value, also as a cell of a sheet or a data table does. An address may be spelled otherwise. */
function isSameCell(field: string, found: unknown, expected: unknown): boolean {
	if (!isGiven(found) || !isGiven(expected)) return isGiven(found) === isGiven(expected);
	if (typeof expected === 'object') {
		const read = typeof found === 'string' ? jsonOrNothing(found) : found;
		return isSameJson(read, stored(expected));
	}
	if (typeof found !== 'string' && typeof found !== 'number') return false;
	if (isNumber(expected)) return Number(found) === expected;
	const keyOf = field === 'address' ? addressKey : (text: string) => text;
	return keyOf(textOfCell(found)) === keyOf(textOfCell(expected));
}

/** A log writes an apostrophe before what a spreadsheet would take for a formula. */
const textOfCell = (cell: unknown) =>
	String(cell)
		.trim()
		.replace(/^'(?=[=+@\s-])/, '')
		.trim();

/** What rules compared and the item still has. */
function inputFindings(item: Fields, { inputs }: Fields): string[] {
	return Object.entries(objectIn(inputs) ?? {})
		.map(([path, value]) => ({ path, value, now: valueAt(item, path) }))
		.filter(({ path, value, now }) => now !== undefined && !isSameCell(path, now, value))
		.map(({ path }) => `'${show(path, 60)}' of the item is not what the rules compared.`);
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
