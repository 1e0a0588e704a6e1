import { type Headers, firstHeaderValue } from './answer';

/** Milliseconds. A `Retry-After` beyond this is not waited for. */
export const longestRetryAfter = 5 * 60_000;
/** Milliseconds. 429 on end for so long is final. */
export const longestLimit = 10 * 60_000;

/** The three forms of a date in HTTP (RFC 9110, section 5.6.7). `Date.parse` reads a meaning into almost any other text. */
const httpDate =
	/^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * The wait in milliseconds that the header `Retry-After` asks for: whole seconds or an HTTP date (RFC 9110, section
 * 10.2.3). Undefined for a header that is missing or is neither. A date counts from the answer's own `Date`, because this
 * machine's clock may be wrong; `now` (milliseconds since 1970) serves an answer without one.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
	const text = firstHeaderValue(headers['retry-after']);
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const until = dateOf(text);
	if (until === undefined) return undefined;
	return Math.max(0, until - (dateOf(firstHeaderValue(headers.date)) ?? now));
}

/** The time that a text names, in milliseconds since 1970. */
function dateOf(text: string): number | undefined {
	if (!httpDate.test(text)) return undefined;
	// The asctime form names no zone and means UTC.
	const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
	return Number.isNaN(date) ? undefined : date;
}

/** Exponential backoff with full jitter, in milliseconds: uniform in [0, min(30 s, 0.5 s × 2^attempt)). */
export function backoff(attempt: number, random: () => number): number {
	return random() * Math.min(30_000, 500 * 2 ** attempt);
}
