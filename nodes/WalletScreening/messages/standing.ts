import { type AnyReport, parseReport } from '../answers/report';
import { isSanctionsMark, readOutcome } from '../policy/cells';
import type { Outcome } from '../policy/summary';
import { isFailureItem } from '../shared/failureItem';
import { hasValue, isJsonObject, isNonBlankText, type JsonObject, objectIn } from '../shared/json';

/*
 * What an item of a digest counts as. Its decided part is the object that has the report and the
 * decision which count: the item itself, or the details of a failure after a block or a sanctions
 * hit. Any other failure has none, and counts as a failure:
 *
 *     item                                         decided part   report        standing
 *     a report item                                the item       its report    its outcome
 *     one without an outcome, or another one       the item       its report    undecided
 *     an item of neither a failure nor a report    the item       -             failed
 *     an error item                                {}             -             failed
 *     one whose details have a report              {}             -             failedLater
 *     one whose details have a block               its details    theirs        block
 */

/** What an item counts as, the worst first. */
export const standings = [
	'block',
	'failed',
	// The report came, and something after that failed.
	'failedLater',
	'review',
	'undecided',
	'allow',
] as const;
export type Standing = (typeof standings)[number];
type FailedStanding = 'failed' | 'failedLater';

/** Whether an item counts as a failure, before its report came or after that. */
export const isFailed = (standing: Standing): standing is FailedStanding =>
	standing === 'failed' || standing === 'failedLater';

/**
 * What an item holds of a screening after which something failed. An error item of this package has
 * it under `details`. An error output of n8n's own nodes adds `error` to the item, and a table may add
 * an empty cell `details`.
 */
export function knownOfFailure(item: JsonObject): JsonObject {
	return hasValue(item.details) ? (objectIn(item.details) ?? {}) : item;
}

/** The address that an item is about. An item of a failure may have it only among what is known. */
export function addressOf(item: JsonObject): unknown {
	if (hasValue(item.address) || !isFailureItem(item)) return item.address;
	return knownOfFailure(item).address;
}

/** The decided part of an item; empty if there is none. */
export function decidedPartOf(item: JsonObject): JsonObject {
	if (!isFailureItem(item)) return item;
	const known = knownOfFailure(item);
	return readOutcome(known.outcome) === 'block' || isSanctionsMark(known.sanctions) ? known : {};
}

/**
 * Finds the report in a decided part. A simplified item has it in its evidence, if anywhere; its own
 * fields hold what the message needs of it.
 */
export function findReport(decidedPart: JsonObject): AnyReport | undefined {
	if (hasValue(decidedPart.report)) return parseReport(decidedPart.report).report;
	const reportInEvidence = objectIn(decidedPart.evidence)?.report;
	return parseReport(reportInEvidence).report ?? readSimplified(decidedPart);
}

/** The report of a simplified item, as far as its fields tell it; undefined for any other item. */
function readSimplified(item: JsonObject): AnyReport | undefined {
	const { report_id, address, chain, level, score, report_url } = item;
	if (!hasValue(report_id) || !isNonBlankText(address) || !hasValue(level)) return undefined;
	return { report_id, address, chain, risk: { level, score }, report_url };
}

/** The outcome in a decided part, if it counts. Without a report nothing is allowed. */
function outcomeOf(decidedPart: JsonObject, report: AnyReport | undefined): Outcome | undefined {
	const outcome = readOutcome(decidedPart.outcome);
	return outcome === 'allow' && !report ? undefined : outcome;
}

/** The standing of an item, with its decided part and the report in there. */
export function standingOf(
	item: JsonObject,
	decidedPart: JsonObject,
	report: AnyReport | undefined,
): Standing {
	const outcome = outcomeOf(decidedPart, report);
	if (outcome) return outcome;
	if (report) return 'undecided';
	return isFailureItem(item) && wasScreened(item) ? 'failedLater' : 'failed';
}

/** Whether a failure came after the screening: then the item has the report, or its level. */
function wasScreened(item: JsonObject): boolean {
	const { level, report } = knownOfFailure(item);
	return hasValue(level) || isJsonObject(report);
}
