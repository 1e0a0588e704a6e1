import { runInThisContext } from 'vm';

import fc from 'fast-check';

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

test('every second reads the same in all three forms of RFC 9110, section 5.6.7', () => {
	const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
	const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
	const two = (value: number) => String(value).padStart(2, '0');
	const seconds = fc.integer({
		min: Date.UTC(2000, 0, 1) / 1000,
		max: Date.UTC(2049, 11, 31) / 1000,
	});
	fc.assert(
		fc.property(seconds, (second) => {
			const date = new Date(second * 1000);
			const [day, month] = [days[date.getUTCDay()]!, months[date.getUTCMonth()]!];
			const [year, of] = [date.getUTCFullYear(), date.getUTCDate()];
			const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
			const clock = time.map(two).join(':');
			const forms = [
				`${day.slice(0, 3)}, ${two(of)} ${month} ${year} ${clock} GMT`,
				`${day}, ${two(of)}-${month}-${two(year % 100)} ${clock} GMT`,
				`${day.slice(0, 3)} ${month} ${String(of).padStart(2)} ${clock} ${year}`,
			];
			const expected = Math.max(0, second * 1000 - NOW);
			expect(forms.map(read)).toEqual([expected, expected, expected]);
		}),
	);
});

test('a date without a zone means UTC, wherever this machine is', () => {
	// The process of jest itself: a test file sees a copy of its environment.
	const { env } = runInThisContext('process') as NodeJS.Process;
	const before = env.TZ;
	env.TZ = 'Asia/Tokyo';
	try {
		expect(new Date(0).getHours()).toBe(9);
		expect(read('Fri Nov 20 08:00:10 2026')).toBe(10_000);
	} finally {
		if (before === undefined) delete env.TZ;
		else env.TZ = before;
	}
});

test.each<string | string[] | undefined>([
	...[undefined, ' ', [], '-5', '1.5', '1e3', '0x10', '5s', '120, 60', 'Infinity', '１２'],
	...['2026-11-20T08:00:10Z', 'Fri, 20 Nov 2026 08:00:10', 'fri, 20 nov 2026 08:00:10 gmt'],
	...['Fri, 20 Nov 2026 08:00:10 CET', 'Fri, 99 Nov 2026 08:00:10 GMT'],
	...['Friday, 20-Xyz-26 08:00:10 GMT', 'Fri Xyz 20 08:00:10 2026'],
	...['x Fri, 20 Nov 2026 08:00:10 GMT', 'Fri, 20 Nov 2026 08:00:10 GMT; 5'],
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
