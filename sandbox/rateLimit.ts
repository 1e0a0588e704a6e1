/** Rate limit of a plan (section 8). */
export interface RateLimit {
	requestsPerSecond: number;
	burst: number;
}

export const proPlan: RateLimit = { requestsPerSecond: 10, burst: 50 };

/** The answer of a key's limit to a request. */
export interface Turn {
	/** Whole seconds after which another request passes, at least 1; 0 if this one passes. */
	readonly wait: number;
	/** Requests that would pass at once. */
	readonly remaining: number;
	/** Whole seconds after which a whole burst would pass. */
	readonly reset: number;
}

/**
 * A token bucket for each key (section 8). The specification does not show the length of the burst window: here the bucket
 * holds `burst` requests and fills by `requestsPerSecond`.
 *
 * @returns a function that takes one request from a key's bucket
 */
export function createRateLimiter(limit: RateLimit, now: () => number = () => performance.now()) {
	const buckets = new Map<string, { tokens: number; at: number }>();
	return (key: string): Turn => {
		const at = now();
		const bucket = buckets.get(key) ?? { tokens: limit.burst, at };
		const gained = ((at - bucket.at) / 1000) * limit.requestsPerSecond;
		const tokens = Math.min(limit.burst, bucket.tokens + gained);
		const admitted = tokens >= 1;
		const left = admitted ? tokens - 1 : tokens;
		buckets.set(key, { tokens: left, at });
		const secondsFor = (requests: number) => Math.ceil(requests / limit.requestsPerSecond);
		return {
			wait: admitted ? 0 : Math.max(1, secondsFor(1 - tokens)),
			remaining: Math.floor(left),
			reset: secondsFor(limit.burst - left),
		};
	};
}
