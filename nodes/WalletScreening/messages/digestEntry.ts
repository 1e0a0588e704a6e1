import type { AnyReport } from '../answers/report';
import { isAllClear } from '../policy/allClear';
import { isSanctionsMark } from '../policy/cells';
import { hasValue, isNumber, type JsonObject, objectIn } from '../shared/json';
import type { Tone } from './message';
import {
	findReport,
	isFailed,
	decidedPartOf,
	type Standing,
	standingOf,
	standings,
} from './standing';

/** The kinds of change since an earlier report that are alarming, the most alarming first. */
const alarmingKinds: readonly unknown[] = ['worse', 'unknown'];

/**
 * An item of a digest, read once.
 *
 * @example
 *
 *     item                           standing       changeKind    isHit    isSureAllClear
 *     block for a sanctions hit      block          -             yes      no
 *     allow, green, but worse        allow          worse         no       no
 *     allow, green, and better       allow          better        no       yes
 *     an error item                  failed         -             no       no
 *     an error item with a report    failedLater    -             no       no
 */
export interface DigestEntry {
	item: JsonObject;
	/** Its decided part, see `standing.ts`. Only the report and the decision come from there. */
	decidedPart: JsonObject;
	/** The place of the item in the input, from 1 on. */
	number: number;
	/** Undefined for a failure. */
	report: AnyReport | undefined;
	standing: Standing;
	/** The kind of the change since an earlier report, as Compare has it. */
	changeKind: unknown;
	/** Whether it is a sanctions hit. */
	isHit: boolean;
	/** Whether it is an all-clear that neither its evidence nor a change calls into question. */
	isSureAllClear: boolean;
	/** The score of the report; undefined if it has no number. */
	score: number | undefined;
}

/** Reads an item at its place in the input, from 0 on. It never throws. */
export function readEntry(item: JsonObject, index: number): DigestEntry {
	const decidedPart = decidedPartOf(item);
	const { outcome, asked_chain, sanctions } = decidedPart;
	const report = findReport(decidedPart);
	const { level, score } = report?.risk ?? {};
	const changeKind = objectIn(item.change)?.kind;
	const isCalledIntoQuestion = !isVerified(item) || alarmingKinds.includes(changeKind);
	return {
		item,
		decidedPart,
		number: index + 1,
		report,
		standing: standingOf(item, decidedPart, report),
		changeKind,
		isHit: hasValue(outcome) && isSanctionsMark(sanctions),
		isSureAllClear: isAllClear({ level, asked_chain, outcome, sanctions }) && !isCalledIntoQuestion,
		score: isNumber(score) ? score : undefined,
	};
}

/** Whether no verification of its evidence failed. */
export const isVerified = ({ verification }: JsonObject) => objectIn(verification)?.valid !== false;

/**
 * Orders entries, the worst first: by sanctions hit, standing, sure all-clear, change and score. Of
 * sanctions hits only the score counts.
 */
export function compareEntries(one: DigestEntry, other: DigestEntry): number {
	if (one.isHit !== other.isHit) return one.isHit ? -1 : 1;
	if (one.isHit) return orderByScore(one, other);
	return (
		standings.indexOf(one.standing) - standings.indexOf(other.standing) ||
		Number(one.isSureAllClear) - Number(other.isSureAllClear) ||
		alarmRank(one) - alarmRank(other) ||
		orderByScore(one, other)
	);
}

/** The place of an alarming change among the kinds; after them for any other change. */
function alarmRank({ changeKind }: DigestEntry): number {
	const rank = alarmingKinds.indexOf(changeKind);
	return rank === -1 ? alarmingKinds.length : rank;
}

/** Orders entries by score, the highest first. An unknown score counts as the highest. */
function orderByScore({ score: one }: DigestEntry, { score: other }: DigestEntry): number {
	if (one === undefined || other === undefined)
		return Number(one !== undefined) - Number(other !== undefined);
	return other - one;
}

/**
 * The tone of an entry. Only a sure all-clear is good, with a decision or without. A failure is as
 * bad as a block; only the parts of a chart show it in grey, see `standingParts`.
 */
export function toneOf({ standing, isSureAllClear }: DigestEntry): Tone {
	if (standing === 'block' || isFailed(standing)) return 'bad';
	return isSureAllClear ? 'good' : 'caution';
}
