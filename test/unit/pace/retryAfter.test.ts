import { backoff, retryAfter } from '../../../nodes/WalletScreening/pace/retryAfter';

const NOW = Date.UTC(2026, 10, 20, 8, 0, 0);
const read = (header: string | string[] | undefined) => retryAfter({ 'retry-after': header }, NOW);

test.each<[string | string[], number]>([
	['0', 0],
	['120', 120_000],
	['  007  ', 7000],
	[['3', '9'], 3000],
	['9'.repeat(400), Infinity],
])('%j is a number of seconds', (header, ms) => expect(read(header)).toBe(ms));

test('an HTTP date is read (RFC 9110, section 5.6.7)', () =>
	expect(read('Fri, 20 Nov 2026 08:00:10 GMT')).toBe(10_000));

test.each<string | string[] | undefined>([
	undefined,
	' ',
	[],
	'-5',
	'1.5',
	'1e3',
	'5s',
	'120, 60',
	'１２',
	'Invalid Date',
	'2026-11-20T08:00:10Z',
	'Fri, 20 Nov 2026 08:00:10',
	'Fri, 99 Nov 2026 08:00:10 GMT',
	'Fri, 20 Nov 2026 08:00:10 GMT; 5',
])('%j is neither', (header) => expect(read(header)).toBeUndefined());

test.each([
	['Fri, 20 Nov 2026 08:00:00 GMT', NOW + 365 * 86_400_000, 10_000],
	['Fri, 20 Nov 2026 09:00:00 GMT', NOW, 0],
	[undefined, NOW, 10_000],
	['2026-11-20T07:00:00Z', NOW, 10_000],
])('a date counts from the own Date %j, else from the clock', (date, now, ms) => {
	const inTenSeconds = 'Fri, 20 Nov 2026 08:00:10 GMT';
	expect(retryAfter({ 'retry-after': inTenSeconds, date }, now)).toBe(ms);
});

test.each([
	[0, 250],
	[5, 8000],
	[2000, 15_000],
])('backoff of attempt %i is uniform, with a mean of %i ms', (attempt, ms) => {
	expect([0, 0.5, 0.75].map((chance) => backoff(attempt, () => chance))).toEqual([0, ms, 1.5 * ms]);
});
