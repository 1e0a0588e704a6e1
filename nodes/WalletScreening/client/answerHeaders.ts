import type { HeaderFields } from '../shared/http';

/** The names under which services send the ID of a request. */
const requestIdHeaders = ['x-request-id', 'request-id', 'x-correlation-id'];

/** Reads the service's own ID of a request; undefined if its answer has none. */
export function readRequestId(headers: HeaderFields): string | undefined {
	const ids = requestIdHeaders.map((name) => firstHeaderValue(headers[name]));
	return ids.find((id) => id !== '');
}

/** Reads the first value of a header; empty if the answer lacks it. */
function firstHeaderValue(header: string | string[] | undefined): string {
	return (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
}

/**
 * Reads the wait in milliseconds that the header `Retry-After` asks for: seconds or an HTTP date
 * (RFC 9110, section 10.2.3). Services send fractions of seconds, too: they are rounded up to whole
 * ones. Undefined for a header that is missing or is neither. A date counts from the answer's own
 * `Date`, because this machine's clock may be wrong; `now` (milliseconds since 1970) serves an
 * answer without one.
 */
export function readRetryAfter(headers: HeaderFields, now: number): number | undefined {
	const text = firstHeaderValue(headers['retry-after']);
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text)) * 1000;
	const until = parseHttpDate(text, now);
	if (until === undefined) return undefined;
	return Math.max(0, until - (parseHttpDate(firstHeaderValue(headers.date), now) ?? now));
}

const weekdayName = '(?<weekday>Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const timeOfDay = '(?<time>\\d\\d:\\d\\d:\\d\\d)';

/** The three forms of a date that a recipient must accept (RFC 9110, section 5.6.7). */
const httpDateForms = [
	// Sun, 06 Nov 1994 08:49:37 GMT
	`${weekdayName}, (?<day>\\d\\d) (?<month>\\w{3}) (?<year>\\d{4}) ${timeOfDay} GMT`,
	// Sunday, 06-Nov-94 08:49:37 GMT
	`${weekdayName}[a-z]*day, (?<day>\\d\\d)-(?<month>\\w{3})-(?<year>\\d\\d) ${timeOfDay} GMT`,
	// Sun Nov  6 08:49:37 1994
	`${weekdayName} (?<month>\\w{3}) (?<day>[ \\d]\\d) ${timeOfDay} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * Parses an HTTP date to milliseconds since 1970; undefined for any other text, and for a day that
 * has another name.
 */
function parseHttpDate(text: string, now: number): number | undefined {
	const parts = httpDateForms.map((form) => form.exec(text)?.groups).find(Boolean);
	if (!parts) return undefined;
	const { weekday, day, month, year, time } = parts as Record<string, string>;
	const wholeYear = year!.length === 4 ? year : fullYear(Number(year), now);
	const preferred = `${weekday}, ${day!.replace(' ', '0')} ${month} ${wholeYear} ${time} GMT`;
	const ms = Date.parse(preferred);
	// `Date.parse` alone reads 31 November as 1 December, and looks at no name of a day.
	return !Number.isNaN(ms) && new Date(ms).toUTCString() === preferred ? ms : undefined;
}

/** The latest year with these digits that is at most 50 years away (RFC 9110, section 5.6.7). */
function fullYear(lastDigits: number, now: number): number {
	const latest = new Date(now).getUTCFullYear() + 50;
	return latest - ((latest - lastDigits) % 100);
}
