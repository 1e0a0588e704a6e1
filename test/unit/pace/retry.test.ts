import fc from 'fast-check';

import type { Answer, Fault } from '../../../nodes/WalletScreening/pace/answer';
import { turnedAway } from '../../../nodes/WalletScreening/pace/rateLimiter';
import {
	mayBeCarriedOut,
	type RetryOptions,
	withRetries,
} from '../../../nodes/WalletScreening/pace/retry';
import { answer, wait } from '../support/answers';
import { createVirtualClock } from '../support/virtualClock';

const NOW = Date.UTC(2026, 10, 20, 8, 0, 0);
const fault = (networkCode: string | undefined): Fault => ({ networkCode });
const upTo = (count: number) => ({
	notProcessed: count,
	serverError: count,
	unknownOutcome: count,
});

/**
 * Attempts that have these results in turn, the last one for ever. As the limiter does, it holds a request back while a 429
 * with `Retry-After` asks for it. Times are seconds since the first attempt.
 */
function attempts(results: Array<Answer | Fault>, options: Partial<RetryOptions<Fault>> = {}) {
	const clock = createVirtualClock(NOW);
	const times: number[] = [];
	const repetitions: boolean[] = [];
	let stoppedUntil = NOW;
	const work = withRetries(
		async (again) => {
			if (clock.now() < stoppedUntil) await clock.sleep(stoppedUntil - clock.now());
			repetitions.push(again);
			times.push((clock.now() - NOW) / 1000);
			const result = results[Math.min(times.length, results.length) - 1]!;
			if ('status' in result && result.status === 429)
				stoppedUntil = clock.now() + 1000 * Number(result.headers['retry-after'] ?? 0.5);
			return result;
		},
		{
			clock,
			random: () => 0.5,
			retries: upTo(5),
			isFinal: () => false,
			...options,
		},
	);
	return { times, repetitions, done: clock.run(work) };
}

test('every status from 200 to 499 but 429 is final, whatever it says of waiting', async () => {
	for (let status = 200; status < 500; status++) {
		if (status === 429) continue;
		const result = wait(status, '1');
		const { done, times, repetitions } = attempts([result, answer(200)]);
		expect(await done).toBe(result);
		expect([times, repetitions]).toEqual([[0], [false]]);
	}
});

test('what its sender calls final is final, which is asked of every result but a success', async () => {
	const successes = [answer(200), answer(299)];
	const others = [
		...[199, 300, 404, 429, 503].map((status) => answer(status)),
		fault('ECONNRESET'),
	];
	for (const result of [...successes, ...others]) {
		const limited = wait(429, '1');
		const isFinal = jest.fn((given: Answer | Fault) => given !== limited);
		const { done, times } = attempts([limited, result, answer(201)], { isFinal });
		expect(await done).toBe(result);
		expect(times).toEqual([0, 1]);
		const asked = successes.includes(result as Answer) ? [[limited]] : [[limited], [result]];
		expect(isFinal.mock.calls).toEqual(asked);
	}
});

test.each([turnedAway, fault(undefined)])(
	'a request that was not sent is not sent again (%j)',
	async (result) => {
		const { done, times } = attempts([result, answer(200)]);
		expect(await done).toBe(result);
		expect(times).toHaveLength(1);
	},
);

test.each<Answer | Fault>([answer(500), answer(503), fault('ECONNREFUSED'), fault('TIMEOUT')])(
	'%j is followed by as many attempts as may be',
	async (failure) => {
		for (const count of [0, 1, 5]) {
			const { done, times, repetitions } = attempts([failure], { retries: upTo(count) });
			expect(await done).toBe(failure);
			expect(times).toHaveLength(count + 1);
			expect(repetitions).toEqual([false, ...Array<boolean>(count).fill(true)]);
		}
	},
);

test('failures are followed by pauses that double up to 30 s, whatever their kinds', async () => {
	const failures = [answer(500), fault('ECONNRESET'), answer(503), fault('TIMEOUT')];
	const { done, times } = attempts([...failures, answer(500)], { retries: upTo(8) });
	await done;
	// Half of 0.5, 1, 2, 4, 8, 16, 30, 30 s.
	const pauses = times.slice(1).map((at, index) => at - times[index]!);
	expect(pauses).toEqual([0.25, 0.5, 1, 2, 4, 8, 15, 15]);
});

test.each([
	[wait(503, '7'), 7],
	[wait(503, '300'), 300],
	[wait(503, '0'), 0.25],
	[wait(503, 'soon'), 0.25],
	[
		answer(503, '', {
			'retry-after': 'Fri, 20 Nov 2026 08:02:00 GMT',
			date: 'Fri, 20 Nov 2026 08:00:00 GMT',
		}),
		120,
	],
])('the pause is what Retry-After asks for, if that is one (%j)', async (result, seconds) => {
	const { done, times } = attempts([result, answer(200)]);
	await done;
	expect(times).toEqual([0, seconds]);
});

test.each(['301', '9'.repeat(400)])(
	'a Retry-After of more than 5 minutes (%s) is not waited for',
	async (header) => {
		for (const status of [429, 503]) {
			const { done, times } = attempts([wait(status, header), answer(200)]);
			expect(((await done) as Answer).status).toBe(status);
			expect(times).toEqual([0]);
		}
	},
);

describe('a 429', () => {
	test('is not bounded by count, and leaves the pause to the limiter', async () => {
		const results = [...Array<Answer>(20).fill(wait(429, '1')), answer(200)];
		const { done, times } = attempts(results, { retries: upTo(0) });
		expect(((await done) as Answer).status).toBe(200);
		expect(times).toEqual(Array.from({ length: 21 }, (_, second) => second));
	});

	test('is final after 10 minutes, and not before the next pause would pass them', async () => {
		for (const seconds of [1, 7, 300]) {
			const { done, times } = attempts([wait(429, String(seconds))]);
			expect(((await done) as Answer).status).toBe(429);
			expect(times.at(-1)).toBe(600 - (600 % seconds));
		}
		const { done, times } = attempts([answer(429)]);
		await done;
		// Less the next pause, a backoff.
		expect(times.at(-1)).toBe(585.5);
	});

	test.each([answer(500), fault('ECONNRESET')])(
		'begins a new count of minutes after another failure (%j)',
		async (other) => {
			const nineMinutes = Array<Answer>(9).fill(wait(429, '60'));
			const { done, times } = attempts([...nineMinutes, other, ...nineMinutes, answer(200)]);
			expect(((await done) as Answer).status).toBe(200);
			expect(times.at(-1)).toBeGreaterThan(18 * 60);
		},
	);

	test('does not begin a new count of failures', async () => {
		const limited = wait(429, '1');
		const results = [answer(500), limited, fault('ECONNRESET'), limited, answer(502), answer(200)];
		const { done, times } = attempts(results, { retries: upTo(2) });
		expect(((await done) as Answer).status).toBe(502);
		expect(times).toHaveLength(5);
	});
});

// The codes of Node and OpenSSL for faults before a byte of the request is out, and for others.
const notProcessed = [
	...['SSRF', 'CREDENTIAL', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
	...[
		'ENETUNREACH',
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'SELF_SIGNED_CERT_IN_CHAIN',
	],
	...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'],
];
const unknownOutcome = [
	...['ECONNRESET', 'TIMEOUT', 'EPIPE', 'ERR_BAD_RESPONSE', 'EPROTO', 'NO_ANSWER'],
	...['ERR_SSL_BAD_RECORD_TYPE', 'X_ECONNREFUSED'],
];

describe('a request that must not be carried out twice', () => {
	const retries = { notProcessed: 5, serverError: 0, unknownOutcome: 0 };
	const sentAfter = async (...failures: Array<Answer | Fault>) => {
		const { done, times } = attempts([...failures, answer(200)], { retries });
		await done;
		return times.length;
	};

	test.each<Answer | Fault>([answer(429), answer(503), ...notProcessed.map(fault)])(
		'is sent again after %j',
		async (result) => expect(await sentAfter(result)).toBe(2),
	);

	// Gateways answer so for requests that the service behind them has carried out.
	const mayBeDone = [500, 501, 502, 504, 520, 599].map((status) => answer(status));
	test.each<Answer | Fault>([...mayBeDone, ...unknownOutcome.map(fault)])(
		'is not sent again after %j, whatever was before',
		async (result) => {
			expect(await sentAfter(result)).toBe(1);
			expect(await sentAfter(answer(503), result)).toBe(2);
		},
	);

	test('is sent again after each kind of failure as often as that allows', async () => {
		const some = { notProcessed: 5, serverError: 2, unknownOutcome: 1 };
		const sent = async (...failures: Array<Answer | Fault>) => {
			const { done, times } = attempts(failures, { retries: some });
			await done;
			return times.length;
		};
		expect(await sent(answer(503))).toBe(6);
		expect(await sent(answer(500))).toBe(3);
		expect(await sent(fault('ECONNRESET'))).toBe(2);
		const [refused, lost] = [answer(503), fault('ECONNRESET')];
		expect(await sent(answer(500), lost, answer(500), refused, refused, refused)).toBe(6);
	});
});

test('a request may be carried out unless something says that it was not', () => {
	const codes = [...notProcessed, ...unknownOutcome];
	expect(codes.filter((networkCode) => mayBeCarriedOut({ networkCode }))).toEqual(unknownOutcome);
	const statuses = [200, 202, 299, 300, 302, 400, 404, 429, 499, 500, 502, 503, 504, 599];
	const unsure = statuses.filter((httpCode) => mayBeCarriedOut({ httpCode }));
	expect(unsure).toEqual([200, 202, 299, 500, 502, 504, 599]);
	expect(mayBeCarriedOut({})).toBe(false);
});

test('whatever a service answers, an item ends, within a time that is known', async () => {
	const results = fc.array(
		fc.constantFrom<Answer | Fault>(
			...[answer(200), answer(404), answer(429), wait(429, '1'), wait(429, '290')],
			...[answer(500), wait(503, '290'), fault('ECONNRESET')],
		),
		{ minLength: 1, maxLength: 60 },
	);
	await fc.assert(
		fc.asyncProperty(results, fc.nat(6), async (script, count) => {
			const { done, times } = attempts(script, { retries: upTo(count) });
			await done;
			// Each failure, and the end, may follow 10 minutes of 429; each may ask for up to 5.
			expect(times.at(-1)).toBeLessThanOrEqual((count + 1) * 600 + count * 300);
		}),
		{ numRuns: 200 },
	);
});
