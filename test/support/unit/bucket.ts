/**
 * Finds the window of time with the most requests above what a bucket of this size lets through.
 *
 * @param times when each request was sent, in milliseconds
 * @returns how many requests were too many in that window; below 0 if there were fewer than allowed
 */
export function excessOverBucket(
	times: number[],
	{ requestsPerSecond, burst }: { requestsPerSecond: number; burst: number },
): number {
	// A window from request i to request j has (j - i + 1) - burst - rate × (t_j - t_i) too many. One
	// pass finds the greatest excess.
	let least = Infinity;
	let greatest = -Infinity;
	times.forEach((at, index) => {
		const ahead = index - (requestsPerSecond * at) / 1000;
		least = Math.min(least, ahead);
		greatest = Math.max(greatest, ahead - least + 1);
	});
	return greatest - burst;
}
