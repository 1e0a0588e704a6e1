/** Rate limit of a plan (section 8). */
export interface RateLimit {
	requestsPerSecond: number;
	/** How many requests pass at once after a pause. */
	burst: number;
}

/** The limit of the Pro plan. */
export const proPlan: RateLimit = { requestsPerSecond: 10, burst: 50 };

/**
 * A token bucket for each key (section 8). The specification does not show the length of the burst
 * window: here the bucket holds `burst` requests and fills by `requestsPerSecond`.
 *
 * @param now returns the time in milliseconds, from any start
 * @returns a function that takes one request from the bucket of a key, and returns 0 if the request
 * passes, else the whole seconds to wait, at least 1
 */
export function createRateLimiter(limit: RateLimit, now: () => number = () => performance.now()) {
	const buckets = new Map<string, { tokens: number; at: number }>();
	return (key: string): number => {
		const at = now();
		const bucket = buckets.get(key) ?? { tokens: limit.burst, at };
		const gained = ((at - bucket.at) / 1000) * limit.requestsPerSecond;
		const tokens = Math.min(limit.burst, bucket.tokens + gained);
		const passes = tokens >= 1;
		buckets.set(key, { tokens: passes ? tokens - 1 : tokens, at });
		return passes ? 0 : Math.ceil((1 - tokens) / limit.requestsPerSecond);
	};
}
