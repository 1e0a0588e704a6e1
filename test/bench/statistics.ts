/** Returns the median; of an even number of values, the higher one in the middle. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)]!;
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

/** Returns the least of the values that at least this share of them does not exceed. */
export function percentile(values: number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.ceil(sorted.length * share) - 1]!;
}
