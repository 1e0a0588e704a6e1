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
	// A window from request i to request j has (j - i + 1) - rate × (t_j - t_i) - burst too many.
	// With a_i = i - rate × t_i, that is (a_j - a_i + 1) - burst, so it is enough to keep the least a_i.
	let minAhead = Infinity;
	let maxInWindow = -Infinity;
	times.forEach((at, index) => {
		// How far the requests are ahead of the rate of the bucket.
		const ahead = index - (requestsPerSecond * at) / 1000;
		minAhead = Math.min(minAhead, ahead);
		maxInWindow = Math.max(maxInWindow, ahead - minAhead + 1);
	});
	return maxInWindow - burst;
}
