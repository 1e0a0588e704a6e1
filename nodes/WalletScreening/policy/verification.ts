import { addressKey } from '../address/key';
import { type AnyReport, extractReport } from '../answers/report';
import { digestOfJson, isSameJson } from '../shared/canonical';
import { valueAt } from '../shared/fieldPath';
import {
	fieldOf,
	hasValue,
	isJsonObject,
	isNumber,
	type JsonObject,
	nonBlankText,
	objectIn,
} from '../shared/json';
import { sha256Hex } from '../shared/sha256';
import { formatValue } from '../shared/text';
import { isSameCell, isSameFlag } from './cells';
import { decide } from './decision';
import { createEvidence, type DecisionRecord, type Evidence } from './evidence';
import { restorePolicy } from './policy';

/** What a verification finds. */
interface Verification {
	valid: boolean;
	/** A sentence for each thing that does not fit. */
	findings: string[];
}

/** The fields of the node that are not held against a value of the evidence or of the report. */
const namesComparedOtherwise = ['report', 'sanctions', 'error_class'];

/** The findings on fields of the evidence that have a sentence of their own. */
const fieldFindings: Record<string, string> = {
	version: 'This node does not know the version of the evidence.',
	report_id: 'The report has another ID than the evidence.',
	report_sha256: 'The report is not the one that the evidence was made for.',
	report: 'The report of the item is not the one in the evidence.',
	policy: 'The policy of the evidence was changed.',
	pdf_sha256: 'The PDF is not the one that the evidence was made for.',
};

/** The bytes of the PDF, or why there are none: the item lacks it, or it is not to be compared. */
export type PdfToVerify = Uint8Array | 'missing' | 'notCompared';

/**
 * Verifies an item with its report against its evidence, by making the evidence again from the
 * report. Each field of the item that has the name of a field of the node, or of a column of a log,
 * has to have the value of the evidence or of the report; a field that the item lacks is not
 * compared.
 */
export function verifyEvidence(
	item: JsonObject,
	report: AnyReport,
	pdf: PdfToVerify = 'notCompared',
): Verification {
	const evidence = objectIn(item.evidence);
	if (!evidence) return { valid: false, findings: ['The item contains no evidence.'] };
	const ofEvidence = valuesOfEvidence(evidence);
	const ofReport = valuesOfReport(evidence, report);
	const namesOfNode = Object.keys({ ...ofEvidence, ...ofReport }).concat(namesComparedOtherwise);
	const findings = [
		...compareWithRemade(evidence, report, pdf),
		...findDifferences(item, ofEvidence, 'the evidence'),
		...compareSanctionsMark(item, evidence),
		...compareErrorClass(item),
		...findDifferences(item, ofReport, 'the report'),
		...findDifferences(
			item,
			valuesOfInput(evidence, namesOfNode),
			'the value that the rules compared',
		),
	];
	if (pdf === 'missing') findings.push('The item has no PDF.');
	return { valid: findings.length === 0, findings };
}

/**
 * Compares evidence with the one that is made again from the report: a finding for each field that
 * differs, and one if the digest does not fit the other fields.
 */
function compareWithRemade(evidence: JsonObject, report: AnyReport, pdf: PdfToVerify): string[] {
	const { sha256: digest, ...recorded } = evidence;
	try {
		const { sha256: _, ...remade } = remakeEvidence(recorded, report, pdf);
		const findings = compareFields(recorded, remade);
		const isSealed = digest === digestOfJson(recorded);
		return isSealed ? findings : [...findings, 'The evidence was changed after it was made.'];
	} catch (error) {
		return [`The evidence cannot be made again: ${(error as Error).message}.`];
	}
}

/**
 * Makes the evidence again from the report. What the report does not hold, e.g. the reference, comes
 * from the recorded evidence: only its digest protects that.
 * @throws {Error} for evidence that lacks a part of the decision, or that canonical JSON cannot
 * hold
 */
function remakeEvidence(evidence: JsonObject, report: AnyReport, pdf: PdfToVerify): Evidence {
	return createEvidence({
		report,
		keepsReport: hasValue(evidence.report),
		screenedAt: parseInstant(evidence.screened_at),
		retrievedAt: parseInstant(evidence.retrieved_at),
		decisionRecord: decideAgain(evidence, report),
		pdfSha256: typeof pdf === 'string' ? nonBlankText(evidence.pdf_sha256) : sha256Hex(pdf),
		reference: nonBlankText(evidence.reference),
		askedChain: nonBlankText(evidence.asked_chain),
		serviceNames: objectIn(evidence.service_names),
		sent: isNumber(evidence.sent) ? evidence.sent : undefined,
		package: nonBlankText(evidence.package) ?? '',
		workflowId: nonBlankText(evidence.workflow_id) ?? '',
		executionId: nonBlankText(evidence.execution_id) ?? '',
	});
}

/** A finding for each field in which the recorded evidence differs from the remade one. */
function compareFields(recorded: JsonObject, remade: JsonObject): string[] {
	return Object.keys({ ...recorded, ...remade })
		.filter((name) => !isSameJson(comparableValue(recorded, name), comparableValue(remade, name)))
		.map((name) => describeDifference(name, recorded, remade));
}

/**
 * Decides again, by the policy and at the time of the evidence; undefined if nothing was decided.
 * @throws {Error} if the evidence lacks a part of the decision
 */
function decideAgain(evidence: JsonObject, report: AnyReport): DecisionRecord | undefined {
	const { policy: record, decision } = evidence;
	if (record === null && decision === null) return undefined;
	const at = parseInstant(evidence.decided_at);
	if (!isJsonObject(record) || !isJsonObject(decision) || !at) {
		throw new Error('it lacks a part of the decision');
	}
	const reasons = (Array.isArray(decision.reasons) ? decision.reasons : []).filter(isJsonObject);
	// Evidence has no addresses of lists. Only its reasons tell which lists the address was on.
	const hits = reasons.filter(({ problem }) => problem === undefined).map(({ list }) => list);
	const ownKey = addressKey(report.address);
	const policy = restorePolicy(record, (list, key) => key === ownKey && hits.includes(list));
	const input = objectIn(evidence.inputs) ?? {};
	const chain = nonBlankText(evidence.asked_chain);
	return { decision: decide(report, policy, { at, chain, input }), policy, at, input };
}

/**
 * A field as it is compared. The words of a decision may change between versions, and with them
 * nothing that was decided.
 */
function comparableValue(evidence: JsonObject, name: string): unknown {
	const value = evidence[name];
	if (name !== 'decision' || !isJsonObject(value)) return value;
	const { summary: _, reasons, ...rest } = value;
	const withoutWords = (reason: unknown) =>
		isJsonObject(reason)
			? { ...reason, problem: nonBlankText(reason.problem) !== undefined }
			: reason;
	return { ...rest, reasons: Array.isArray(reasons) ? reasons.map(withoutWords) : reasons };
}

/** Describes the finding on a field in which the recorded evidence differs from the remade one. */
function describeDifference(name: string, recorded: JsonObject, remade: JsonObject): string {
	if (name === 'pdf_sha256' && !hasValue(recorded[name])) {
		return 'The evidence was made without a PDF.';
	}
	if (name === 'decision' && isJsonObject(remade.decision)) {
		const outcome = String(remade.decision.outcome);
		const start = `By the policy in the evidence, the decision is ${outcome}`;
		return objectIn(recorded.decision)?.outcome === outcome
			? `${start}, but its reasons or its mark of a sanctions hit differ from the evidence.`
			: `${start}, and the evidence has another outcome.`;
	}
	const known = fieldOf(fieldFindings, name) as string | undefined;
	return known ?? `'${formatValue(name, 60)}' of the evidence does not fit the rest.`;
}

/** The values that an item has to have by its evidence. Undefined stands for an empty field. */
function valuesOfEvidence({ decision, policy, reference, asked_chain }: JsonObject): JsonObject {
	const { outcome, summary, reasons } = objectIn(decision) ?? {};
	const { name, version } = objectIn(policy) ?? {};
	// Without a policy, a column `policy` is not the node's.
	const columns = hasValue(policy) && { policy: name, policy_version: version };
	return { outcome, summary, reasons, reference, asked_chain, ...columns };
}

/** The values that an item has to have by its report. Undefined stands for an empty field. */
function valuesOfReport(evidence: JsonObject, report: AnyReport): JsonObject {
	const { address, chain, risk, report_id, report_url } = report;
	const extract = hasValue(evidence.report) && extractReport(report);
	const { level, score } = risk;
	return { ...extract, level, score, address, chain, report_id, report_url };
}

/**
 * The values that the rules compared and that the item still has to have. A field of the node
 * replaces the one of the input item with its name.
 */
function valuesOfInput({ inputs }: JsonObject, namesOfNode: string[]): JsonObject {
	const kept = Object.entries(objectIn(inputs) ?? {}).filter(
		([path]) => !namesOfNode.includes(path.split('.')[0]!),
	);
	return Object.fromEntries(kept);
}

/** The mark of a sanctions hit is true or absent. In a table an absent one is false or empty. */
function compareSanctionsMark({ sanctions }: JsonObject, { decision }: JsonObject): string[] {
	if (sanctions === undefined) return [];
	const isMarked = objectIn(decision)?.sanctions === true;
	const isSame = isSameFlag(sanctions, isMarked) || (!isMarked && !hasValue(sanctions));
	return isSame ? [] : ["'sanctions' of the item differs from the evidence."];
}

/** An address with evidence was screened, so no log may have an error for it. */
function compareErrorClass({ error_class }: JsonObject): string[] {
	return hasValue(error_class)
		? ["'error_class' of the item is not empty, but its address was screened."]
		: [];
}

/**
 * A finding for each field that the item has with another value than the expected one; `source`
 * completes "differs from".
 */
function findDifferences(item: JsonObject, expected: JsonObject, source: string): string[] {
	const findings: string[] = [];
	for (const [path, value] of Object.entries(expected)) {
		const found = valueAt(item, path);
		// An item may lack any field.
		if (found === undefined || isSameCell(path, found, value)) continue;
		findings.push(`'${formatValue(path, 60)}' of the item differs from ${source}.`);
	}
	return findings;
}

/**
 * The time that a text is in ISO 8601 in UTC, as JavaScript writes it; undefined for any other
 * value.
 */
function parseInstant(value: unknown): Date | undefined {
	const time = new Date(typeof value === 'string' ? value : NaN);
	return Number.isFinite(time.getTime()) && time.toISOString() === value ? time : undefined;
}
