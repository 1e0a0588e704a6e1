import { runInThisContext } from 'vm';

import fc from 'fast-check';

import {
	invalidInput,
	ScreeningError,
	statusError,
} from '../../../nodes/WalletScreening/service/errors';
import {
	type Answer,
	mayBeCarriedOut,
	type RetryOptions,
	withRetries,
} from '../../../nodes/WalletScreening/pace/retry';
import { backoff, retryAfter } from '../../../nodes/WalletScreening/pace/retryAfter';
import { answer, errorOf, fault, wait } from '../support/answers';
import { stopButton } from '../support/stopButton';
import { createVirtualClock } from '../support/virtualClock';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NOW = Date.UTC(2026, 10, 20, 8, 0, 0);

type Reply = Answer | ScreeningError;

/** An answer that asks to wait until a date; `date` is its own. */
const waitUntil = (status: number, until: string, date: string): Answer =>
	answer(status, '', { 'retry-after': until, date });

/**
 * Sends to a service that gives these replies in turn, the last one for ever. As the limiter does, it holds requests back
 * while a 429 asks for it. Times are seconds since the first request.
 */
function sending(
	replies: Reply[],
	{
		stopAfter,
		maxRetries = 5,
		...options
	}: Partial<RetryOptions> & {
		/** How often it may be sent again, whatever is known of the tries before. */
		maxRetries?: number;
		/** Milliseconds until the user stops the execution. */
		stopAfter?: number;
	} = {},
) {
	const clock = createVirtualClock(NOW);
	const stop = stopButton();
	if (stopAfter !== undefined)
		void clock.sleep(stopAfter).then(() => stop.abort(new Error('stopped')));
	const sentAt: number[] = [];
	const repetitions: boolean[] = [];
	const limits: number[] = [];
	const answered: number[] = [];
	let stoppedUntil = 0;
	const work = withRetries(
		async () => {
			sentAt.push((clock.now() - NOW) / SECOND);
			return await Promise.resolve(replies[Math.min(sentAt.length, replies.length) - 1]!);
		},
		{
			clock: clock.stoppedBy(stop.signal),
			random: () => 0.5,
			retries: { refused: maxRetries, failed: maxRetries, lost: maxRetries },
			inTurn: async (request, again) => {
				if (clock.now() < stoppedUntil) await clock.sleep(stoppedUntil - clock.now());
				repetitions.push(again);
				return await request({
					answered: () => answered.push(sentAt.length),
					limited: (ms) => {
						limits.push(ms);
						stoppedUntil = clock.now() + ms;
					},
				});
			},
			explain: () => undefined,
			...options,
		},
	);
	return { clock, sentAt, repetitions, limits, answered, done: clock.run(work) };
}

describe('Retry-After', () => {
	const read = (header: string | string[] | undefined) =>
		retryAfter({ 'retry-after': header }, NOW);

	test.each([
		['0', 0],
		['1', 1000],
		['120', 120_000],
		['  7  ', 7000],
		['007', 7000],
		['999999999999', 999_999_999_999_000],
	])('%j is a number of seconds', (header, ms) => expect(read(header)).toBe(ms));

	test('the first of several headers counts', () => expect(read(['3', '9'])).toBe(3000));

	// The three forms of RFC 9110, section 5.6.7.
	test.each([
		['Fri, 20 Nov 2026 08:00:10 GMT', 10_000],
		['Friday, 20-Nov-26 08:00:10 GMT', 10_000],
		['Fri Nov 20 08:00:10 2026', 10_000],
		['Fri, 20 Nov 2026 08:00:00 GMT', 0],
		['Thu, 19 Nov 2026 08:00:00 GMT', 0],
		['Sun, 06 Nov 1994 08:49:37 GMT', 0],
		['Sunday, 06-Nov-94 08:49:37 GMT', 0],
		['Sun Nov  6 08:49:37 1994', 0],
	])('%j is a date', (header, ms) => expect(read(header)).toBe(ms));

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
		undefined,
		'',
		' ',
		[],
		[''],
		'-5',
		'+5',
		'1.5',
		'1,5',
		'1e3',
		'0x10',
		'5s',
		'5 seconds',
		'120, 60',
		'soon',
		'NaN',
		'Infinity',
		'null',
		'１２',
		'2026-11-20',
		'2026-11-20T08:00:10Z',
		'20 Nov 2026 08:00:10 GMT',
		'Fri, 20 Nov 2026 08:00:10',
		'Fri, 20 Nov 2026 08:00:10 +0000',
		'Fri, 20 Nov 2026 08:00:10 CET',
		'fri, 20 nov 2026 08:00:10 gmt',
		'Fri, 99 Nov 2026 08:00:10 GMT',
		'Fri, 20 Nov 2026 25:00:10 GMT',
		'Fri, 20 Xyz 2026 08:00:10 GMT',
		'Friday, 20-Xyz-26 08:00:10 GMT',
		'Fri Xyz 20 08:00:10 2026',
		'Fri, 20 Nov 2026 08:00:10 GMT; 5',
	])('%j is neither', (header) => expect(read(header)).toBeUndefined());

	describe('as a date', () => {
		const inTenSeconds = 'Fri, 20 Nov 2026 08:00:10 GMT';

		test.each([
			['is right', 'Fri, 20 Nov 2026 08:00:00 GMT', NOW],
			['is a day behind', 'Fri, 20 Nov 2026 08:00:00 GMT', NOW - 86_400_000],
			['is a year ahead', 'Friday, 20-Nov-26 08:00:00 GMT', NOW + 365 * 86_400_000],
		])("counts from the answer's own Date where this machine's clock %s", (_what, date, now) =>
			expect(retryAfter({ 'retry-after': inTenSeconds, date }, now)).toBe(10_000),
		);

		test.each([undefined, '', 'today', '2026-11-20T07:00:00Z'])(
			"counts from this machine's clock where the answer's Date is %j",
			(date) => expect(retryAfter({ 'retry-after': inTenSeconds, date }, NOW)).toBe(10_000),
		);

		test('that the answer itself calls past is no wait', () =>
			expect(
				retryAfter({ 'retry-after': inTenSeconds, date: 'Fri, 20 Nov 2026 09:00:00 GMT' }, NOW),
			).toBe(0));
	});

	test("in seconds does not depend on the answer's Date", () =>
		expect(retryAfter({ 'retry-after': '7', date: 'Thu, 01 Jan 1970 00:00:00 GMT' }, NOW)).toBe(
			7000,
		));

	test('more digits than a number holds are a wait without end', () =>
		expect(read('9'.repeat(400))).toBe(Infinity));

	test('every date reads the same in all three forms, to the second', () => {
		const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
		const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
		const two = (value: number) => String(value).padStart(2, '0');
		const seconds = fc.integer({
			min: Date.UTC(2000, 0, 1) / SECOND,
			max: Date.UTC(2049, 11, 31) / SECOND,
		});
		fc.assert(
			fc.property(seconds, (second) => {
				const date = new Date(second * SECOND);
				const day = days[date.getUTCDay()]!;
				const month = months[date.getUTCMonth()]!;
				const year = date.getUTCFullYear();
				const of = date.getUTCDate();
				const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
					.map(two)
					.join(':');
				const forms = [
					`${day.slice(0, 3)}, ${two(of)} ${month} ${year} ${time} GMT`,
					`${day}, ${two(of)}-${month}-${two(year % 100)} ${time} GMT`,
					`${day.slice(0, 3)} ${month} ${String(of).padStart(2)} ${time} ${year}`,
				];
				const expected = Math.max(0, second * SECOND - NOW);
				expect(forms.map(read)).toEqual([expected, expected, expected]);
			}),
		);
	});

	test('whatever the header holds, a wait is not negative', () => {
		fc.assert(
			fc.property(fc.string(), fc.integer(), (header, now) => {
				const ms = retryAfter({ 'retry-after': header }, now);
				expect(ms === undefined || ms >= 0).toBe(true);
			}),
		);
	});
});

describe('backoff', () => {
	/** Uniform in [0, 1). */
	const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

	test('is at least 0 and below min(30 s, 0.5 s × 2^n)', () => {
		fc.assert(
			fc.property(fc.nat(5000), chance, (attempt, random) => {
				const ms = backoff(attempt, () => random);
				expect(ms).toBeGreaterThanOrEqual(0);
				expect(ms).toBeLessThan(Math.min(30 * SECOND, 500 * 2 ** attempt));
			}),
		);
	});

	test.each([
		[0, 250],
		[1, 500],
		[2, 1000],
		[3, 2000],
		[5, 8000],
		[6, 15_000],
		[7, 15_000],
		[2000, 15_000],
	])('of attempt %i is %i ms on average, as its jitter is full', (attempt, ms) =>
		expect(backoff(attempt, () => 0.5)).toBe(ms),
	);
});

describe('an answer', () => {
	test.each([200, 201, 202, 204, 299])('of status %i is returned as it came', async (status) => {
		const reply = answer(status, 'body');
		const { done, sentAt, repetitions } = sending([reply]);
		expect(await done).toBe(reply);
		expect([sentAt, repetitions]).toEqual([[0], [false]]);
	});

	const final = Array.from({ length: 200 }, (_, index) => 300 + index).filter(
		(status) => status !== 429,
	);
	test('of any status from 300 to 499 except 429 is final, whatever it says about waiting', async () => {
		for (const status of final) {
			const { done, sentAt } = sending([wait(status, '1'), answer(200)]);
			expect((await errorOf(() => done)).httpCode).toBe(status);
			expect(sentAt).toEqual([0]);
		}
	});

	test.each([429, 503])(
		'of status %i is final if it says that the request was carried out',
		async (status) => {
			const { done, sentAt } = sending([wait(status, '1'), wait(status, '2'), answer(200)], {
				wasCarriedOut: ({ headers }) => headers['retry-after'] === '2',
			});
			expect((await errorOf(() => done)).httpCode).toBe(status);
			expect(sentAt).toEqual([0, 1]);
		},
	);

	test('takes its explanation from the last one', async () => {
		const { done } = sending([answer(500, 'one'), answer(503, 'two')], {
			maxRetries: 1,
			explain: ({ body }) => `said ${body.toString()}`,
		});
		expect((await errorOf(() => done)).said).toBe('said two');
	});
});

test('the limiter learns of every answer except 429, and not of a fault', async () => {
	const { done, answered, limits } = sending([
		answer(500),
		wait(429, '1'),
		fault('ECONNRESET'),
		answer(404),
	]);
	await errorOf(() => done);
	expect([answered, limits]).toEqual([[1, 4], [1000]]);
});

describe('a 5xx', () => {
	test.each([500, 501, 502, 503, 504, 599])(
		'%i is sent again as often as maxRetries says',
		async (status) => {
			for (const maxRetries of [0, 1, 5]) {
				const { done, sentAt, repetitions } = sending([answer(status)], { maxRetries });
				expect(await errorOf(() => done)).toMatchObject({
					errorClass: 'server',
					httpCode: status,
				});
				expect(sentAt).toHaveLength(maxRetries + 1);
				expect(repetitions).toEqual([false, ...Array<boolean>(maxRetries).fill(true)]);
			}
		},
	);

	test('is followed by pauses that double up to 30 s', async () => {
		const { done, sentAt } = sending([answer(500)], { maxRetries: 8 });
		await errorOf(() => done);
		// Half of 0.5, 1, 2, 4, 8, 16, 30, 30 s.
		const pauses = sentAt.slice(1).map((at, index) => at - sentAt[index]!);
		expect(pauses).toEqual([0.25, 0.5, 1, 2, 4, 8, 15, 15]);
	});

	test('waits exactly as long as its Retry-After says', async () => {
		const { done, sentAt } = sending([wait(503, '7'), wait(503, '300'), answer(200)]);
		expect((await done).status).toBe(200);
		expect(sentAt).toEqual([0, 7, 307]);
	});

	test('waits until the date that its Retry-After names', async () => {
		const { done, sentAt } = sending([
			waitUntil(503, 'Fri, 20 Nov 2026 08:02:00 GMT', 'Fri, 20 Nov 2026 08:00:00 GMT'),
			answer(200),
		]);
		await done;
		expect(sentAt).toEqual([0, 120]);
	});

	test.each(['0', 'Thu, 19 Nov 2026 08:00:00 GMT', 'soon', '-1'])(
		'whose Retry-After is %j, no wait at all, is followed by the usual pauses',
		async (header) => {
			const { done, sentAt } = sending([wait(503, header)], { maxRetries: 3 });
			await errorOf(() => done);
			expect(sentAt).toEqual([0, 0.25, 0.75, 1.75]);
		},
	);

	test('that asks for more than 5 minutes ends at once', async () => {
		for (const header of ['301', 'Fri, 20 Nov 2026 08:05:01 GMT', '9'.repeat(400)]) {
			const asked = waitUntil(503, header, 'Fri, 20 Nov 2026 08:00:00 GMT');
			const { done, sentAt } = sending([asked, answer(200)]);
			expect((await errorOf(() => done)).errorClass).toBe('server');
			expect(sentAt).toEqual([0]);
		}
	});

	test.each([
		['301', '6 minutes'],
		['3600', '60 minutes'],
		['86400', 'a day or more'],
		// The time of day, which some services write.
		['1795162800', 'a day or more'],
	])('whose Retry-After is %s tells the user how long that is', async (header, pause) => {
		for (const status of [429, 503]) {
			const { description } = await errorOf(() => sending([wait(status, header)]).done);
			expect(description).toContain(`a pause of ${pause},`);
		}
	});

	test('does not stop the other requests of the key', async () => {
		const { done, limits } = sending([wait(503, '7'), answer(500), answer(200)]);
		await done;
		expect(limits).toEqual([]);
	});

	test('is counted on, whatever comes between', async () => {
		const { done, sentAt } = sending(
			[answer(500), wait(429, '1'), fault('ECONNRESET'), wait(429, '1'), answer(500), answer(200)],
			{ maxRetries: 2 },
		);
		expect((await errorOf(() => done)).errorClass).toBe('server');
		expect(sentAt).toHaveLength(5);
	});
});

describe('a 429', () => {
	test('is not bounded by maxRetries', async () => {
		for (const limited of [wait(429, '1'), answer(429)]) {
			const replies = [...Array<Answer>(20).fill(limited), answer(200)];
			const { done, sentAt } = sending(replies, { maxRetries: 0 });
			expect((await done).status).toBe(200);
			expect(sentAt).toHaveLength(21);
		}
	});

	test('leaves the wait to the limiter: its Retry-After, or a growing backoff', async () => {
		const { done, limits, sentAt, repetitions } = sending([
			wait(429, '3'),
			answer(429),
			wait(429, 'soon'),
			waitUntil(429, 'Fri, 20 Nov 2026 08:01:00 GMT', 'Fri, 20 Nov 2026 08:00:05 GMT'),
			answer(200),
		]);
		await done;
		expect(limits).toEqual([3000, 500, 1000, 55_000]);
		expect(sentAt).toEqual([0, 3, 3.5, 4.5, 59.5]);
		expect(repetitions).toEqual([false, true, true, true, true]);
	});

	test.each([1, 7, 60, 299, 300])(
		'every %i s ends it after 10 minutes, not earlier than another wait would pass them',
		async (seconds) => {
			const { done, sentAt } = sending([wait(429, String(seconds))]);
			expect(await errorOf(() => done)).toMatchObject({
				errorClass: 'rate_limited',
				httpCode: 429,
			});
			expect(sentAt.at(-1)).toBeLessThanOrEqual(600);
			expect(sentAt.at(-1)! + seconds).toBeGreaterThanOrEqual(600);
		},
	);

	test('without Retry-After ends it after 10 minutes too', async () => {
		const { done, sentAt } = sending([answer(429)]);
		expect((await errorOf(() => done)).errorClass).toBe('rate_limited');
		expect(sentAt.at(-1)).toBeLessThanOrEqual(600);
		expect(sentAt.at(-1)).toBeGreaterThanOrEqual(570);
	});

	test('that asks for more than 5 minutes ends it at once', async () => {
		for (const header of ['301', 'Fri, 20 Nov 2026 08:05:01 GMT', '9'.repeat(400)]) {
			const asked = waitUntil(429, header, 'Fri, 20 Nov 2026 08:00:00 GMT');
			const { done, sentAt } = sending([asked, answer(200)]);
			expect((await errorOf(() => done)).errorClass).toBe('rate_limited');
			expect(sentAt).toEqual([0]);
		}
	});

	test.each([
		['a 5xx', answer(500)],
		['a network fault', fault('ECONNRESET')],
	])('begins a new streak after %s', async (_name, other) => {
		const nineMinutes = Array<Answer>(9).fill(wait(429, '60'));
		const replies = [...nineMinutes, other, ...nineMinutes, answer(200)];
		const { done, sentAt } = sending(replies);
		expect((await done).status).toBe(200);
		expect(sentAt.at(-1)).toBeGreaterThan((18 * MINUTE) / SECOND);
	});
});

describe('a network fault', () => {
	test.each([
		'ECONNREFUSED',
		'ENOTFOUND',
		'EAI_AGAIN',
		'ECONNRESET',
		'TIMEOUT',
		'CERT_HAS_EXPIRED',
	])('%s is followed by as many tries as maxRetries says', async (code) => {
		for (const maxRetries of [0, 1, 5]) {
			const { done, sentAt } = sending([fault(code)], { maxRetries });
			expect(await errorOf(() => done)).toMatchObject({
				errorClass: 'network',
				networkCode: code,
			});
			expect(sentAt).toHaveLength(maxRetries + 1);
		}
	});

	test('is counted together with 5xx', async () => {
		const { done, sentAt } = sending([fault('ECONNRESET'), answer(500)], { maxRetries: 3 });
		expect((await errorOf(() => done)).errorClass).toBe('server');
		expect(sentAt).toEqual([0, 0.25, 0.75, 1.75]);
	});
});

describe('what n8n itself forbids', () => {
	test.each(['SSRF', 'SSRF_REDIRECT', 'CREDENTIAL_GONE'])(
		'is not sent again: another try would end the same way (%s)',
		async (networkCode) => {
			const { done, sentAt } = sending([fault(networkCode), answer(200)]);
			expect(await errorOf(() => done)).toMatchObject({ networkCode });
			expect(sentAt).toEqual([0]);
		},
	);
});

const neverArrived =
	'CREDENTIAL ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID'.split(
		' ',
	);
const lost =
	'ECONNRESET TIMEOUT EPIPE ERR_BAD_RESPONSE EPROTO ERR_SSL_BAD_RECORD_TYPE NO_ANSWER'.split(' ');

describe('a request that must not be carried out twice', () => {
	const once = { retries: { refused: 5, failed: 0, lost: 0 } };

	test.each(neverArrived)('is sent again after %s: it reached nobody', async (code) => {
		const { done, sentAt } = sending([fault(code), answer(200)], once);
		expect((await done).status).toBe(200);
		expect(sentAt).toHaveLength(2);
	});

	test.each([429, 503])('is sent again after %i: it was refused', async (status) => {
		const { done, sentAt } = sending([answer(status), answer(200)], once);
		expect((await done).status).toBe(200);
		expect(sentAt).toHaveLength(2);
	});

	// Gateways answer so for requests that the service behind them has carried out.
	test.each([500, 501, 502, 504, 520, 599])(
		'is not sent again after %i: it may have been carried out',
		async (status) => {
			const { done, sentAt } = sending([answer(status), answer(200)], once);
			expect(await errorOf(() => done)).toMatchObject({ errorClass: 'server', httpCode: status });
			expect(sentAt).toHaveLength(1);
		},
	);

	test.each(lost)('is not sent again after %s: it may have been carried out', async (code) => {
		const { done, sentAt } = sending([fault(code), answer(200)], once);
		expect(await errorOf(() => done)).toMatchObject({
			errorClass: 'network',
			networkCode: code,
		});
		expect(sentAt).toHaveLength(1);
	});

	test('is not sent again after a fault that follows a refusal', async () => {
		const { done, sentAt } = sending([answer(503), fault('ECONNRESET'), answer(200)], once);
		await errorOf(() => done);
		expect(sentAt).toHaveLength(2);
	});

	test('is sent again after refusals as often as its budget says', async () => {
		const { done, sentAt } = sending([answer(503)], once);
		await errorOf(() => done);
		expect(sentAt).toHaveLength(6);
	});
});

describe('a request may have been carried out', () => {
	test.each(lost)('after %s', (code) => expect(mayBeCarriedOut(fault(code))).toBe(true));

	test.each([...neverArrived, 'SSRF', 'CREDENTIAL_GONE'])('not after %s', (code) =>
		expect(mayBeCarriedOut(fault(code))).toBe(false),
	);

	test.each([500, 502, 504, 599])('after %i', (status) =>
		expect(mayBeCarriedOut(statusError(status, undefined))).toBe(true),
	);

	test.each([302, 400, 401, 403, 404, 422, 429, 503])('not after %i', (status) =>
		expect(mayBeCarriedOut(statusError(status, undefined))).toBe(false),
	);

	test('not if it was never sent', () => {
		expect(mayBeCarriedOut(invalidInput('Base URL', 'No', 'Use https.'))).toBe(false);
		expect(mayBeCarriedOut(new ScreeningError('job_timeout', 'Too late', 'Again.'))).toBe(false);
	});
});

describe('the stop button', () => {
	test.each([
		['5xx', wait(503, '300')],
		['network fault', fault('ECONNREFUSED')],
	])('ends the pause after a %s', async (_name, reply) => {
		const { clock, sentAt, done } = sending([reply], { stopAfter: 100, random: () => 0.9 });
		await expect(done).rejects.toThrow('stopped');
		expect([sentAt, clock.now()]).toEqual([[0], NOW + 100]);
	});

	test('while the request waits for its turn ends it without another try', async () => {
		let turns = 0;
		const { sentAt, done } = sending([answer(200)], {
			inTurn: async () => {
				turns++;
				return await Promise.reject(new Error('stopped'));
			},
		});
		await expect(done).rejects.toThrow('stopped');
		expect([turns, sentAt]).toEqual([1, []]);
	});
});

test('whatever a service answers, an item ends, within a time that is known', async () => {
	const replies = fc.array(
		fc.constantFrom<Reply>(
			answer(200),
			answer(404),
			answer(429),
			wait(429, '1'),
			wait(429, '290'),
			answer(500),
			wait(503, '290'),
			fault('ECONNRESET'),
		),
		{ minLength: 1, maxLength: 60 },
	);
	await fc.assert(
		fc.asyncProperty(replies, fc.nat(6), async (script, maxRetries) => {
			const { done, sentAt } = sending(script, { maxRetries });
			await done.catch(() => {});
			// Each of the 5xx and faults, and the end, may follow 10 minutes of 429; each may ask for up to 5.
			expect(sentAt.at(-1)).toBeLessThanOrEqual((maxRetries + 1) * 600 + maxRetries * 300);
		}),
		{ numRuns: 200 },
	);
});
