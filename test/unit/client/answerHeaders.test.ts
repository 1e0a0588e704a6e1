import { backoff } from '../../../nodes/WalletScreening/client/pauses';
import { readRetryAfter } from '../../../nodes/WalletScreening/client/answerHeaders';

const NOW = Date.UTC(2026, 10, 20, 8, 0, 0);
const read = (header: string | string[] | undefined) =>
	readRetryAfter({ 'retry-after': header }, NOW);

test.each<[header: string | string[], ms: number, because: string]>([
	['0', 0, 'the next request may go at once'],
	['120', 120_000, 'the usual form'],
	['  007  ', 7000, 'spaces and zeros mean nothing'],
	[['3', '9'], 3000, 'the first header counts'],
	['9'.repeat(400), Infinity, 'no number is so large'],
	['1.5', 2000, 'a part of a second counts as a whole one'],
	['2.0', 2000, 'there is no part'],
	['0.001', 1000, 'the smallest part counts, too'],
])('%j is %d ms: %s', (header, ms) => expect(read(header)).toBe(ms));

test.each([
	['Fri, 20 Nov 2026 08:00:10 GMT', 'the preferred form'],
	['Friday, 20-Nov-26 08:00:10 GMT', 'that of RFC 850'],
	['Fri Nov 20 08:00:10 2026', "that of C's asctime()"],
])('an HTTP date is read in each form (RFC 9110, section 5.6.7): %s, %s', (header) =>
	expect(read(header)).toBe(10_000),
);

// RFC 9110, section 5.6.7, has these three for one moment.
test.each([
	'Sun, 06 Nov 1994 08:49:37 GMT',
	'Sunday, 06-Nov-94 08:49:37 GMT',
	'Sun Nov  6 08:49:37 1994',
])('the Date of an answer may have each form, too: %s', (date) => {
	const headers = { 'retry-after': 'Sun, 06 Nov 1994 08:50:00 GMT', date };
	expect(readRetryAfter(headers, NOW)).toBe(23_000);
});

test.each([
	['Wednesday, 20-Nov-75 08:00:10 GMT', Date.UTC(2075, 10, 20, 8, 0, 10) - NOW, 'within 50 years'],
	['Sunday, 20-Nov-77 08:00:10 GMT', 0, 'of 1977: 2077 is more than 50 years away'],
])('a year of two digits is near: %s is %d ms away, %s', (header, ms) =>
	expect(read(header)).toBe(ms),
);

test.each<[header: string | string[] | undefined, because: string]>([
	[undefined, 'the header is missing'],
	[' ', 'it is blank'],
	[[], 'it has no value'],
	['-5', 'seconds have no sign'],
	['1.', 'a point needs digits behind it'],
	['.5', 'a point needs digits before it'],
	['1,5', 'a comma separates values'],
	['1e3', 'seconds have no exponent'],
	['0x10', 'seconds are decimal'],
	['5s', 'seconds have no unit'],
	['120, 60', 'there are two values in one header'],
	['１２', 'the digits are not ASCII'],
	['Invalid Date', 'it is what JavaScript writes for no date'],
	['2026-11-20T08:00:10Z', 'ISO 8601 is no HTTP date'],
	['Fri, 20 Nov 2026 08:00:10', 'the zone is missing'],
	['Fri, 99 Nov 2026 08:00:10 GMT', 'November has no day 99'],
	['Fri, 20 Nov 2026 08:00:10 GMT; 5', 'something follows the date'],
	['Thu, 20 Nov 2026 08:00:10 GMT', 'the day was a Friday'],
	['Thursday, 20-Nov-26 08:00:10 GMT', 'the day was a Friday, in the form of RFC 850 too'],
	['Friday, 31-Nov-26 08:00:10 GMT', 'November has 30 days'],
	['Fri, 20-Nov-26 08:00:10 GMT', 'RFC 850 writes the whole name of the day'],
	['Friday, 20 Nov 2026 08:00:10 GMT', 'the preferred form has a short name of the day'],
	['Fri Nov 20 08:00:10 2026 GMT', 'asctime() writes no zone'],
])('%j is neither, because %s', (header) => expect(read(header)).toBeUndefined());

test.each([
	['Fri, 20 Nov 2026 08:00:00 GMT', NOW + 365 * 86_400_000, 10_000],
	['Fri, 20 Nov 2026 09:00:00 GMT', NOW, 0],
	[undefined, NOW, 10_000],
	['2026-11-20T07:00:00Z', NOW, 10_000],
])('a date counts from the own Date %j, else from the clock', (date, now, ms) => {
	const inTenSeconds = 'Fri, 20 Nov 2026 08:00:10 GMT';
	expect(readRetryAfter({ 'retry-after': inTenSeconds, date }, now)).toBe(ms);
});

test.each([
	[0, 250],
	[5, 8000],
	[2000, 15_000],
])('backoff of attempt %i is uniform, with a mean of %i ms', (attempt, ms) => {
	expect([0, 0.5, 0.75].map((chance) => backoff(attempt, () => chance))).toEqual([0, ms, 1.5 * ms]);
});
