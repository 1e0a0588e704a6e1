import { type AnyReport, parseReport } from '../answers/report';
import { isClearVerdict } from '../policy/allClear';
import { isSanctionsMark } from '../policy/cells';
import {
	hasValue,
	isJsonObject,
	isNonBlankText,
	isNumber,
	type JsonObject,
	objectIn,
} from '../shared/json';
import type { Tone } from './message';

/**
 * What an item counts as, the worst first. An item without a report is `failed`, too. One is
 * `failedLater` if its report came, and something after that failed.
 */
export const standings = [
	'block',
	'failed',
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
 * Why a change since an earlier report is alarming, the most alarming first; `none` for a change that
 * is not.
 */
const alarms = ['worse', 'unknown', 'none'] as const;

/** The score of an entry whose report has no number: it counts as the highest. */
export const unknownScore = Number.MAX_VALUE;

/**
 * An item of a digest, read once.
 *
 * @example
 *
 *     item                           standing       changeKind    alarm    isHit    isHarmless
 *     block for a sanctions hit      block          -             none     yes      no
 *     allow, green, but worse        allow          worse         worse    no       no
 *     allow, green, and better       allow          better        none     no       yes
 *     an error item                  failed         -             none     no       no
 *     an error item with a report    failedLater    -             none     no       no
 */
export interface DigestEntry {
	item: JsonObject;
	/**
	 * The object that holds its report and its decision: the item, or the details of a failure after a
	 * block or a sanctions hit. All else comes from the item.
	 */
	source: JsonObject;
	/** The place of the item in the input, from 1 on. */
	number: number;
	/** Undefined for a failure. */
	report: AnyReport | undefined;
	standing: Standing;
	/** The kind of the change since an earlier report, as Compare has it. */
	changeKind: unknown;
	/** That kind if it is alarming, else `none`. */
	alarm: (typeof alarms)[number];
	/** Whether it is a sanctions hit. */
	isHit: boolean;
	/** Whether it is an all-clear that neither its evidence nor a change calls into question. */
	isHarmless: boolean;
	/** The score of the report, or `unknownScore`. */
	score: number;
}

/** Reads an item at its place in the input, from 0 on. It never throws. */
export function readEntry(item: JsonObject, index: number): DigestEntry {
	const source = item.error ? sourceOfFailure(item) : item;
	const report = findReport(source);
	const standing = standingOf(source, report) ?? standingOfFailure(item);
	const changeKind = objectIn(item.change)?.kind;
	const alarm = changeKind === 'worse' || changeKind === 'unknown' ? changeKind : 'none';
	const { level, score } = report?.risk ?? {};
	const outcome = standing === 'undecided' ? undefined : standing;
	const isClear =
		!isFailed(standing) && isClearVerdict({ level, asked_chain: item.asked_chain, outcome });
	return {
		item,
		source,
		number: index + 1,
		report,
		standing,
		changeKind,
		alarm,
		isHit: isSanctionsMark(source.sanctions) && isDecision(source.outcome, report),
		isHarmless: isClear && isVerified(item) && alarm === 'none',
		score: isNumber(score) ? score : unknownScore,
	};
}

/**
 * Finds the report of an item. A simplified item has it in its evidence, if anywhere; its own fields
 * tell what the message needs of it.
 */
function findReport(source: JsonObject): AnyReport | undefined {
	if (hasValue(source.report)) return parseReport(source.report).report;
	const reportInEvidence = objectIn(source.evidence)?.report;
	return parseReport(reportInEvidence).report ?? readSimplified(source);
}

/** The report of a simplified item, as far as its fields tell it; undefined for any other item. */
function readSimplified(item: JsonObject): AnyReport | undefined {
	const { report_id, address, chain, level, score, report_url } = item;
	if (!hasValue(report_id) || !isNonBlankText(address) || !hasValue(level)) return undefined;
	return { report_id, address, chain, risk: { level, score }, report_url };
}

/**
 * A block or a sanctions hit counts even if something failed after it, e.g. the PDF. After any other
 * decision only the failure counts.
 */
function sourceOfFailure(item: JsonObject): JsonObject {
	const known = knownOfFailure(item);
	return known.outcome === 'block' || isSanctionsMark(known.sanctions) ? known : {};
}

/**
 * What an item tells of a screening that something failed after. An error item of this package has
 * it under `details`. An error output of n8n's own nodes, e.g. of Slack, adds `error` to the item, and
 * a table may add an empty cell `details`.
 */
export function knownOfFailure(item: JsonObject): JsonObject {
	return hasValue(item.details) ? (objectIn(item.details) ?? {}) : item;
}

/** Undefined for a failure. */
function standingOf(
	{ outcome }: JsonObject,
	report: AnyReport | undefined,
): Exclude<Standing, FailedStanding> | undefined {
	if (isDecision(outcome, report)) return outcome;
	return report && 'undecided';
}

/** What is known of a failure after the screening has the report, or its level. */
function standingOfFailure(item: JsonObject): FailedStanding {
	const { level, report } = knownOfFailure(item);
	return item.error && (hasValue(level) || isJsonObject(report)) ? 'failedLater' : 'failed';
}

/** Whether an outcome counts. Without a report nothing is allowed. */
const isDecision = (
	outcome: unknown,
	report: AnyReport | undefined,
): outcome is 'block' | 'review' | 'allow' =>
	outcome === 'block' || outcome === 'review' || (outcome === 'allow' && report !== undefined);

/** Whether no verification of its evidence failed. */
export const isVerified = ({ verification }: JsonObject) => objectIn(verification)?.valid !== false;

/**
 * Orders entries, the worst first: by sanctions hit, standing, harmlessness, alarm and score. Of
 * sanctions hits only the score counts.
 */
export function compareEntries(one: DigestEntry, other: DigestEntry): number {
	if (one.isHit !== other.isHit) return one.isHit ? -1 : 1;
	if (one.isHit) return other.score - one.score;
	return (
		standings.indexOf(one.standing) - standings.indexOf(other.standing) ||
		Number(one.isHarmless) - Number(other.isHarmless) ||
		alarms.indexOf(one.alarm) - alarms.indexOf(other.alarm) ||
		other.score - one.score
	);
}

/** The tone of an entry. Only a harmless one is good, with a decision or without. */
export function toneOf({ standing, isHarmless }: DigestEntry): Tone {
	if (standing === 'block' || isFailed(standing)) return 'bad';
	return isHarmless ? 'good' : 'caution';
}
