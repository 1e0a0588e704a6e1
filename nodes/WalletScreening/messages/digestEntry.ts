import { chainKey } from '../address/chain';
import { addressKey, screeningKey } from '../address/key';
import { type AnyReport, parseReport } from '../answers/report';
import { isAllClear } from '../policy/allClear';
import { isSanctionsMark } from '../policy/cells';
import {
	isFilled,
	isGiven,
	isJsonObject,
	isNumber,
	type JsonObject,
	objectIn,
} from '../shared/json';
import { formatValue } from '../shared/text';
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
		!isFailed(standing) && isAllClear({ level, asked_chain: item.asked_chain, outcome });
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
	if (isGiven(source.report)) return parseReport(source.report).report;
	const reportInEvidence = objectIn(source.evidence)?.report;
	return parseReport(reportInEvidence).report ?? readSimplified(source);
}

/** The report of a simplified item, as far as its fields tell it; undefined for any other item. */
function readSimplified(item: JsonObject): AnyReport | undefined {
	const { report_id, address, chain, level, score, report_url } = item;
	if (!isGiven(report_id) || !isFilled(address) || !isGiven(level)) return undefined;
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
 * it under `details`. An error output of n8n's own nodes, e.g. of Slack, adds `error` to the item.
 */
export function knownOfFailure(item: JsonObject): JsonObject {
	return item.details === undefined ? item : (objectIn(item.details) ?? {});
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
	return item.error && (isGiven(level) || isJsonObject(report)) ? 'failedLater' : 'failed';
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

/*
 * Entries are about one subject if they have the same account, reference and chain. They form a
 * group, which the digest lists as its worst entry. An earlier failure, after which a report on its
 * subject comes, is dropped. If the failure names no chain, a later report on any chain drops it.
 *
 *     items in their order               what becomes of them
 *     1. a failure, 0xab…, no chain      dropped, because of item 2
 *     2. a report, 0xAB…, ETH            a group with item 3
 *     3. a report, 0xab…, ETH            a group with item 2
 *     4. a failure, 0xab…, ETH           kept: no report comes after it
 */

/**
 * The key of a subject. Without a chain, addresses whose spellings name different chains are
 * different subjects.
 */
function subjectKey({ address, reference }: JsonObject, chain: unknown): string {
	const keyOf = isGiven(chain) ? addressKey : screeningKey;
	return [
		keyOf(formatValue(address, 300)),
		formatValue(reference, 300),
		chainKey(formatValue(chain, 300)),
	].join('\n');
}

/** Drops the failures after which a report on the same subject comes. */
export function dropEarlierFailures(entries: readonly DigestEntry[]): DigestEntry[] {
	const numberOfLastReport = new Map<string, number>();
	for (const { item, number, report } of entries) {
		if (!report || !isGiven(item.address)) continue;
		// The failure may have named no chain. An item of a report may lack the chain that this names.
		for (const chain of ['', report.chain]) numberOfLastReport.set(subjectKey(item, chain), number);
	}
	return entries.filter(({ item, number, standing }) => {
		if (!isFailed(standing)) return true;
		const chain = item.chain ?? objectIn(item.details)?.chain;
		return number > (numberOfLastReport.get(subjectKey(item, chain)) ?? 0);
	});
}

/** Entries about one subject. */
export interface DigestGroup {
	worst: DigestEntry;
	/** How many entries it stands for. */
	count: number;
}

/** The key of a group. Entries whose verification failed form groups of their own. */
const groupKey = (item: JsonObject) =>
	`${subjectKey(item, item.chain)}\n${isVerified(item) ? 'verified' : 'not verified'}`;

/** Groups sorted entries by subject. An entry without an address forms a group of its own. */
export function groupBySubject(sorted: readonly DigestEntry[]): DigestGroup[] {
	const groups = new Map<unknown, DigestGroup>();
	for (const entry of sorted) {
		const { item } = entry;
		const key = isGiven(item.address) ? groupKey(item) : entry;
		const group = groups.get(key);
		if (group) group.count++;
		else groups.set(key, { worst: entry, count: 1 });
	}
	return [...groups.values()];
}

/**
 * What a digest counts: each item by its standing, and beside that a change for the worse or the
 * better.
 */
export type CountName = Standing | 'worse' | 'better';

export const countLabels: Record<CountName, string> = {
	block: 'Block',
	failed: 'Not screened',
	failedLater: 'Failed after screening',
	review: 'Review',
	undecided: 'Not decided',
	allow: 'Allow',
	worse: 'Worse than before',
	better: 'Better than before',
};

/** @example "3 not screened" */
export const countText = (count: number, name: CountName) =>
	`${count} ${countLabels[name].toLowerCase()}`;

/** The tone of an entry. Only a harmless one is good, with a decision or without. */
export function toneOf({ standing, isHarmless }: DigestEntry): Tone {
	if (standing === 'block' || isFailed(standing)) return 'bad';
	return isHarmless ? 'good' : 'caution';
}

export type Counts = Record<CountName, number>;

/** Counts the entries, in the order in which a message names the counts. */
export function countEntries(entries: readonly DigestEntry[]): Counts {
	const counts: Counts = {
		block: 0,
		failed: 0,
		failedLater: 0,
		review: 0,
		undecided: 0,
		allow: 0,
		worse: 0,
		better: 0,
	};
	for (const { standing, changeKind } of entries) {
		counts[standing]++;
		if (changeKind === 'worse' || changeKind === 'better') counts[changeKind]++;
	}
	return counts;
}
