import { minute } from '../shared/time';

/*
 * What follows a request that was not answered with 2xx: section 7 as this client carries it out.
 *
 *     failure          pause before the next attempt          who keeps it    no other attempt
 *     429              `Retry-After`, at least a backoff      `RateLimiter`   after `maxRefusedTime`
 *     5xx              `Retry-After`, or else a backoff       `withRetries`   after `RetryLimits`
 *     network fault    a backoff                              `withRetries`   after `RetryLimits`
 *     anything else    -                                      -               at all
 *
 * A pause of over `maxPause` is not waited for: the request fails at once. The pause after a 429 is
 * for all requests of the key. So the limiter keeps it, at most for `maxStop`, and lowers the rate
 * (`rate/pace.ts`). Any other pause is for the one request, which meanwhile is not in the queue.
 *
 * A 429 is not counted, because its cause is the other requests of the key. Two clocks measure how
 * long 429s come in a row, and both end at `maxRefusedTime`:
 *
 *     of a request (`RetryBudget`)    from its first 429 to the end of the next pause. It ends a
 *                                     request that is refused while others are accepted.
 *     of the key (`OutageProbe`)      from the first 429 of any request. In an outage one request at
 *                                     a time is sent. This clock ends those that wait meanwhile: each
 *                                     would have a clock of its own only after it was sent.
 */

/** Milliseconds. A longer pause is not waited for. */
export const maxPause = 5 * minute;
/** Milliseconds. A request that gets nothing but 429s for so long has failed. */
export const maxRefusedTime = 10 * minute;
/** Milliseconds. No 429 stops a key for longer, because its `Retry-After` may be wrong. */
export const maxStop = 15 * minute;

/**
 * Exponential backoff with full jitter, in ms: uniform in [0, min(30 s, 0.5 s × 2^attempt)) (M.
 * Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015).
 */
export function backoff(attempt: number, random: () => number): number {
	return random() * Math.min(30_000, 500 * 2 ** attempt);
}
