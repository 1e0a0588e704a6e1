import type { AnyReport } from '../answers/report';
import { isAllClear } from '../policy/allClear';
import { isSanctionsMark } from '../policy/cells';
import { hasValue, isNumber, type JsonObject, objectIn } from '../shared/json';
import type { Tone } from './message';
import { findReport, isFailed, sourceOf, type Standing, standingOf, standings } from './standing';

/**
 * Why a change since an earlier report is alarming, the most alarming first; `none` for a change that
 * is not.
 */
const alarms = ['worse', 'unknown', 'none'] as const;
type Alarm = (typeof alarms)[number];

/**
 * An item of a digest, read once.
 *
 * @example
 *
 *     item                           standing       changeKind    alarm    isHit    isSureAllClear
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
	alarm: Alarm;
	/** Whether it is a sanctions hit. */
	isHit: boolean;
	/** Whether it is an all-clear that neither its evidence nor a change calls into question. */
	isSureAllClear: boolean;
	/** The score of the report; undefined if it has no number. */
	score: number | undefined;
}

/** Reads an item at its place in the input, from 0 on. It never throws. */
export function readEntry(item: JsonObject, index: number): DigestEntry {
	const source = sourceOf(item);
	const report = findReport(source);
	const changeKind = objectIn(item.change)?.kind;
	const alarm = alarmOf(changeKind);
	const score = report?.risk.score;
	return {
		item,
		source,
		number: index + 1,
		report,
		standing: standingOf(item, source, report),
		changeKind,
		alarm,
		isHit: hasValue(source.outcome) && isSanctionsMark(source.sanctions),
		isSureAllClear: isClear(source, report) && isVerified(item) && alarm === 'none',
		score: isNumber(score) ? score : undefined,
	};
}

const alarmOf = (changeKind: unknown): Alarm =>
	changeKind === 'worse' || changeKind === 'unknown' ? changeKind : 'none';

/** Whether the report is an all-clear, with the decision on it or without one. */
function isClear({ outcome, asked_chain, sanctions }: JsonObject, report: AnyReport | undefined) {
	return isAllClear({ level: report?.risk.level, asked_chain, outcome, sanctions });
}

/** Whether no verification of its evidence failed. */
export const isVerified = ({ verification }: JsonObject) => objectIn(verification)?.valid !== false;

/**
 * Orders entries, the worst first: by sanctions hit, standing, sure all-clear, change and score. Of
 * sanctions hits only the score counts.
 */
export function compareEntries(one: DigestEntry, other: DigestEntry): number {
	if (one.isHit !== other.isHit) return one.isHit ? -1 : 1;
	if (one.isHit) return compareScores(one, other);
	return (
		standings.indexOf(one.standing) - standings.indexOf(other.standing) ||
		Number(one.isSureAllClear) - Number(other.isSureAllClear) ||
		alarms.indexOf(one.alarm) - alarms.indexOf(other.alarm) ||
		compareScores(one, other)
	);
}

/** Orders entries by score, the highest first. An unknown score counts as the highest. */
function compareScores({ score: one }: DigestEntry, { score: other }: DigestEntry): number {
	if (one === undefined || other === undefined)
		return Number(one !== undefined) - Number(other !== undefined);
	return other - one;
}

/** The tone of an entry. Only a sure all-clear is good, with a decision or without. */
export function toneOf({ standing, isSureAllClear }: DigestEntry): Tone {
	if (standing === 'block' || isFailed(standing)) return 'bad';
	return isSureAllClear ? 'good' : 'caution';
}
