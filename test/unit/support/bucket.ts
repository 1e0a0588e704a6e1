/** By how many requests the fullest window of time goes over what a bucket of this size would let through. */
export function overBucket(
	times: number[],
	{ requestsPerSecond, burst }: { requestsPerSecond: number; burst: number },
): number {
	// For a window from start i to start j: (j - i + 1) - burst - rate × (t_j - t_i), the greatest of which one pass finds.
	let least = Infinity;
	let most = -Infinity;
	times.forEach((at, index) => {
		const ahead = index - (requestsPerSecond * at) / 1000;
		least = Math.min(least, ahead);
		most = Math.max(most, ahead - least + 1);
	});
	return most - burst;
}
