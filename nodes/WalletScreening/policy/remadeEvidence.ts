import { addressKey } from '../address/key';
import type { AnyReport } from '../answers/report';
import { digestOfJson, isSameJson } from '../shared/canonical';
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
import { decide } from './decision';
import { createEvidence, type DecisionRecord, type Evidence } from './evidence';
import { type IsOnList, restorePolicy } from './policy';

/*
 * Evidence, held against the one that is made again from the report, the policy and the times in it.
 */

/**
 * The bytes of the PDF, or why there are none: `missing` if the item lacks the PDF that the user
 * named, which is a finding, and `notCompared` if the user named none, which is no finding.
 */
export type PdfToVerify = Uint8Array | 'missing' | 'notCompared';

/** The findings on fields of the evidence that have a sentence of their own. */
const fieldFindings: Record<string, string> = {
	version: 'This node does not know the version of the evidence.',
	report_id: 'The report has another ID than the evidence.',
	report_sha256: 'The report is not the one that the evidence was made for.',
	report: 'The report of the item is not the one in the evidence.',
	policy: 'The policy of the evidence was changed.',
	pdf_sha256: 'The PDF is not the one that the evidence was made for.',
};

/**
 * Compares evidence with the one that is made again from the report: a finding for each field that
 * differs, and one if the digest does not fit the other fields.
 */
export function compareWithRemade(
	evidence: JsonObject,
	report: AnyReport,
	pdf: PdfToVerify,
): string[] {
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
	// Evidence has no addresses of lists. Only its reasons name the lists that the address was on.
	const listsOfAddress = reasons
		.filter(({ problem }) => problem === undefined)
		.map(({ list }) => list);
	const ownKey = addressKey(report.address);
	const isOnList: IsOnList = (list, key) => key === ownKey && listsOfAddress.includes(list);
	const policy = restorePolicy(record, isOnList);
	const input = objectIn(evidence.inputs) ?? {};
	const askedChain = nonBlankText(evidence.asked_chain);
	return { decision: decide(report, policy, { at, askedChain, input }), policy, at, input };
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

/**
 * The time that a text is in ISO 8601 in UTC, as JavaScript writes it; undefined for any other
 * value.
 */
function parseInstant(value: unknown): Date | undefined {
	const time = new Date(typeof value === 'string' ? value : NaN);
	return Number.isFinite(time.getTime()) && time.toISOString() === value ? time : undefined;
}
