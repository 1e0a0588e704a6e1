import { type DigestEntry, type Standing } from './digestEntry';
import type { Tone } from './message';

/** What a digest counts: each item by its standing, and beside that a change for the worse or the better. */
export type CountName = Standing | 'worse' | 'better';

export const countWords: Record<CountName, { label: string; tone: Tone }> = {
	block: { label: 'Block', tone: 'bad' },
	failed: { label: 'Not screened', tone: 'bad' },
	review: { label: 'Review', tone: 'caution' },
	undecided: { label: 'Not decided', tone: 'caution' },
	allow: { label: 'Allow', tone: 'good' },
	worse: { label: 'Worse than before', tone: 'bad' },
	better: { label: 'Better than before', tone: 'good' },
};

/** @example "3 not screened" */
export const countText = (count: number, name: CountName) =>
	`${count} ${countWords[name].label.toLowerCase()}`;

export type Counts = Record<CountName, number>;

/** Counts the entries, in the order in which a message names the counts. */
export function countEntries(entries: readonly DigestEntry[]): Counts {
	const counts = { block: 0, failed: 0, review: 0, undecided: 0, allow: 0, worse: 0, better: 0 };
	for (const { standing, change } of entries) {
		counts[standing]++;
		if (change === 'worse' || change === 'better') counts[change]++;
	}
	return counts;
}
