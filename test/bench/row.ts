/** A row of the table: a figure, and in most rows one of the same run to compare it with. */
export interface Row {
	name: string;
	measured: string;
	against: string;
	/**
	 * `measured` divided by `against`; undefined if there is nothing to compare with. A ratio below 1
	 * is better, unless the name of the row has "more is better".
	 */
	ratio: number | undefined;
	/** What the row means for a user of the nodes. */
	meaning: string;
}

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] as number;
}

/** Calls `work` in each round. @returns the median of the milliseconds that it took */
export function medianMs(rounds: number, work: () => unknown): number {
	const times = Array.from({ length: rounds }, () => {
		const began = performance.now();
		work();
		return performance.now() - began;
	});
	return median(times);
}

export const formatCount = (count: number) => count.toLocaleString('en');

export const formatKilobytes = (bytes: number) => `${Number((bytes / 1000).toPrecision(2))} KB`;

export const inSeconds = (ms: number, digits = 2) => `${(ms / 1000).toFixed(digits)} s`;
