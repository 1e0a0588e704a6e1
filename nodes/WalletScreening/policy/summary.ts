import { neutralizeMarkup } from '../shared/neutralize';
import { capitalize, clip, formatCount } from '../shared/text';
import { day, hour, minute } from '../shared/time';
import { type Reason, sortWorstFirst } from './reason';
import { describeReason } from './reasonText';

/*
 * The summary of a decision: one line for people. The digest reads the reasons from there, because
 * not every item has its `reasons`: a simplified one and a row of a log have only the summary.
 */

export const outcomes = ['allow', 'review', 'block'] as const;
export type Outcome = (typeof outcomes)[number];

const maxSummaryLength = 400;
const maxReasonsShown = 3;

/** What a summary has in place of reasons if there are none. */
const noReasons = 'no rule applies';

/** A report that is used again: when it was made, and when it was decided on. */
export interface ReuseTimes {
	madeAt: Date;
	decidedAt: Date;
}

/**
 * Summarizes a decision in plain text of at most 400 characters. In a long one, the reasons are cut,
 * never the age.
 *
 * @example "Block: sanctions is 0.9 (0.5 or more means block)"
 */
export function summarize(
	outcome: Outcome,
	reasons: readonly Reason[],
	reuse: ReuseTimes | undefined,
): string {
	const start = capitalize(outcome);
	const age = reuse ? describeAge(reuse) : '';
	if (reasons.length === 0) return `${start}: ${noReasons}${age}`;
	const sentences = sortWorstFirst(reasons).slice(0, maxReasonsShown).map(describeReason);
	const more = reasons.length - sentences.length;
	if (more > 0) sentences.push(`and ${more} more`);
	const text = neutralizeMarkup(`${start}: ${sentences.join('; ')}`);
	return clip(text, maxSummaryLength - age.length) + age;
}

/**
 * Returns the reasons in a summary, which follow the outcome; empty if the decision had none. A
 * person may have edited the text in a table: then all of it counts as reasons, up to the length that
 * a summary can have.
 */
export function reasonsInSummary(summary: string): string {
	const reasons = summary.slice(0, maxSummaryLength).replace(/^(?:Allow|Review|Block): /, '');
	return reasons === noReasons ? '' : reasons;
}

/** Describes the age of a report that is used again, as the end of a summary. */
function describeAge({ madeAt, decidedAt }: ReuseTimes): string {
	const words = formatAge(decidedAt.getTime() - madeAt.getTime());
	// ISO 8601 has a T between the date and the time.
	const madeAtText = madeAt.toISOString().slice(0, 16).replace('T', ' ');
	return `. Report used again: ${madeAtText} (UTC), ${words} old`;
}

/**
 * Writes an age, given in milliseconds, in whole units: days from two days on, hours from one hour
 * on, else minutes.
 */
function formatAge(age: number): string {
	if (age < hour) return formatCount(Math.floor(age / minute), 'minute');
	if (age < 2 * day) return formatCount(Math.floor(age / hour), 'hour');
	return formatCount(Math.floor(age / day), 'day');
}
