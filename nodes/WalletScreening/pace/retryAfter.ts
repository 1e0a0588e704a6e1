import { type Headers, firstHeaderValue } from './answer';

/** Milliseconds. A `Retry-After` beyond this is not waited for. */
export const longestRetryAfter = 5 * 60_000;
/** Milliseconds. 429 on end for so long is final. */
export const longestLimit = 10 * 60_000;

/**
 * The wait in milliseconds that the header `Retry-After` asks for: whole seconds or an HTTP date (RFC 9110, section 10.2.3) in
 * the form that services must send. Undefined for a header that is missing or is neither. A date counts from the answer's own
 * `Date`, because this machine's clock may be wrong; `now` (milliseconds since 1970) serves an answer without one.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
	const text = firstHeaderValue(headers['retry-after']);
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const until = dateOf(text);
	if (until === undefined) return undefined;
	return Math.max(0, until - (dateOf(firstHeaderValue(headers.date)) ?? now));
}

/** The milliseconds since 1970 of "Fri, 20 Nov 2026 08:00:10 GMT"; `Date.parse` reads a meaning into almost any other text. */
function dateOf(text: string): number | undefined {
	const ms = Date.parse(text);
	return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : undefined;
}

/** Exponential backoff with full jitter, in milliseconds: uniform in [0, min(30 s, 0.5 s × 2^attempt)). */
export function backoff(attempt: number, random: () => number): number {
	return random() * Math.min(30_000, 500 * 2 ** attempt);
}
