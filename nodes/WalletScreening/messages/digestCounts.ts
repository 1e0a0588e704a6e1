import type { DigestEntry } from './digestEntry';
import type { Standing } from './standing';

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
