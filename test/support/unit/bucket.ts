/**
 * Returns by how many requests the fullest window of time exceeds the number that a bucket of this
 * size lets through.
 */
export function overBucket(
	times: number[],
	{ requestsPerSecond, burst }: { requestsPerSecond: number; burst: number },
): number {
	// A window from request i to request j exceeds it by (j - i + 1) - burst - rate × (t_j - t_i).
	// One pass finds the greatest.
	let least = Infinity;
	let greatest = -Infinity;
	times.forEach((at, index) => {
		const ahead = index - (requestsPerSecond * at) / 1000;
		least = Math.min(least, ahead);
		greatest = Math.max(greatest, ahead - least + 1);
	});
	return greatest - burst;
}
