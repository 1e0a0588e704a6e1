import { getEventListeners } from 'events';

import type { RateLimit } from '../../../../nodes/WalletScreening/client/rate/pace';
import {
	type Caller,
	LimiterRegistry,
	RateLimiter,
	type RequestQueue,
} from '../../../../nodes/WalletScreening/client/rate/rateLimiter';
import {
	catchScreeningErrorAsync,
	type Settled,
} from '../../../../nodes/WalletScreening/shared/errors';
import { excessOverBucket } from '../../../support/unit/bucket';
import { createStopButton } from '../../../support/unit/stopButton';
import {
	createVirtualClock,
	settlePromises,
	type VirtualClock,
} from '../../../support/unit/virtualClock';
import { type Answer } from '../../../../nodes/WalletScreening/shared/http';
import { answer, waitAnswer } from '../../../support/unit/httpAnswers';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Section 8. */
const PRO = { requestsPerSecond: 10, burst: 50 };
const ONE_BY_ONE = { requestsPerSecond: 10, burst: 1 };

const turnedAway = { error: { errorClass: 'rate_limited', httpCode: 429 } };

interface Options {
	key?: Caller;
	name?: string;
	again?: boolean;
	/** Milliseconds. */
	takes?: number;
	result?: Answer;
}

/**
 * Requests through a limiter, with a record of those that it let go: when, in milliseconds, and in
 * which order.
 */
function traffic(clock: VirtualClock, limiter: RequestQueue) {
	const began = clock.now();
	const starts: Array<{ name: string; at: number }> = [];
	let underWay = 0;
	let mostUnderWay = 0;
	const commonKey = {};
	/** Sends a request, and gives its answer, or the error of one that was turned away. */
	async function request(options: Options = {}): Promise<Settled<Answer>> {
		const { key = commonKey, name = '', again = false, takes = 0, result = answer(200) } = options;
		const send = async () => {
			starts.push({ name, at: clock.now() - began });
			mostUnderWay = Math.max(mostUnderWay, ++underWay);
			if (takes > 0) await clock.sleep(takes);
			underWay--;
			return result;
		};
		return await catchScreeningErrorAsync(async () => await limiter.run(send, key, again));
	}
	return {
		request,
		requests: async (count: number, options?: Options) =>
			await Promise.all(Array.from({ length: count }, async () => await request(options))),
		starts,
		times: () => starts.map(({ at }) => at),
		names: () => starts.map(({ name }) => name),
		between: (from: number, to: number) => starts.filter(({ at }) => at >= from && at < to).length,
		mostUnderWay: () => mostUnderWay,
		runUntil: async (ms: number) => await clock.runUntil(began + ms),
	};
}

function start(limit: RateLimit | null) {
	const clock = createVirtualClock();
	const limiter = new RateLimiter(limit, clock, () => 0.5);
	return { clock, limiter, ...traffic(clock, limiter) };
}

test.each([
	[PRO, 300, 25 * SECOND],
	[{ requestsPerSecond: 0.01, burst: 1 }, 3, 200 * SECOND],
])('%j lets %i requests go in %i ms, or 3 %% more', async (limit, count, ms) => {
	const { requests, times, clock } = start(limit);
	await clock.run(requests(count));
	expect(times().at(-1)).toBeLessThanOrEqual(ms * 1.03);
	expect(excessOverBucket(times(), limit)).toBeLessThan(1e-6);
});

describe('queue keys', () => {
	test('alternate as long as they hold something', async () => {
		const { requests, names, runUntil } = start(ONE_BY_ONE);
		for (const [name, count] of Object.entries({ a: 1000, b: 100, c: 3 }))
			void requests(count, { key: {}, name });
		await runUntil(2 * SECOND);
		// The first of key a goes at once, before the others come.
		expect(names().join('')).toMatch(/^a(abc){3}(ab)+a?$/);
	});

	test('keep their order, but a repetition goes first, and takes no turn of others', async () => {
		const { request, names, clock } = start(ONE_BY_ONE);
		const [mine, theirs] = [{}, {}];
		for (const name of ['burst', 'a1', 'a2']) void request({ key: mine, name });
		for (const name of ['b1', 'b2']) void request({ key: theirs, name });
		await clock.run(request({ key: mine, name: 'again', again: true }));
		await clock.runUntil(clock.now() + HOUR);
		expect(names()).toEqual(['burst', 'again', 'b1', 'a1', 'b2', 'a2']);
	});
});

describe('the signal of a key', () => {
	const stopped = new Error('stopped');

	test('takes what waits out at once, which rejects with its reason, and takes no turn from another', async () => {
		const { request, names, clock } = start(ONE_BY_ONE);
		const stop = createStopButton();
		const [mine, theirs] = [{ signal: stop.signal }, {}];
		const burst = request({ key: mine, name: 'burst', takes: 50 });
		const rejected = expect(request({ key: mine, name: 'stopped' })).rejects.toBe(stopped);
		for (const name of ['1', '2']) void request({ key: theirs, name });
		await settlePromises();
		stop.abort(stopped);
		await rejected;
		await expect(request({ key: mine })).rejects.toBe(stopped);
		// A request in progress goes on.
		expect(await clock.run(burst)).toMatchObject({ value: { status: 200 } });
		await clock.runUntil(clock.now() + HOUR);
		expect(names()).toEqual(['burst', '1', '2']);
	});

	// Node 20 keeps a signal of `AbortSignal.any` that has a listener in memory for ever.
	test.each<[name: string, result: Answer]>([
		['every request has left', answer(200)],
		['a stop has turned the requests away', waitAnswer(429, '3600')],
	])('has no listener once %s', async (_name, result) => {
		const { requests, clock } = start(ONE_BY_ONE);
		const { signal } = createStopButton();
		const work = requests(3, { key: { signal }, takes: SECOND, result });
		await settlePromises();
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		await clock.run(work);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('for 10,000 requests leaves nothing behind', async () => {
		const { request, requests, clock, limiter, starts, runUntil } = start(PRO);
		const stop = createStopButton();
		const key = { signal: stop.signal };
		await clock.run(requests(50, { key }));
		const outcomes = Promise.allSettled(
			Array.from({ length: 10_000 }, async () => await request({ key })),
		);
		await settlePromises();
		// All of them share one timer and one listener.
		expect(clock.pending()).toBe(1);
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
		stop.abort(stopped);
		expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true);
		const sleep = jest.spyOn(clock, 'sleep');
		await runUntil(HOUR);
		expect(sleep).not.toHaveBeenCalled();
		expect([limiter.isIdle, clock.pending(), starts.length]).toEqual([true, 0, 50]);
	}, 30_000);
});

describe('a stop', () => {
	test('of more than 5 minutes turns away who waits or comes, until 5 are left', async () => {
		const { request, requests, between, runUntil, clock } = start(null);
		void request({ takes: SECOND, result: waitAnswer(429, '3600') });
		const waiting = requests(300, { takes: 5 * SECOND });
		await runUntil(6 * SECOND);
		const sent = between(0, HOUR);
		expect((await waiting).filter(({ error }) => error)).toHaveLength(301 - sent);
		expect(await request()).toMatchObject(turnedAway);
		// No answer stops a key for longer than 15 minutes. After them one request is sent to try.
		await runUntil(12 * MINUTE);
		void requests(100, { takes: 5 * SECOND });
		await runUntil(15 * MINUTE + 5 * SECOND);
		expect(between(SECOND, 15 * MINUTE)).toBe(0);
		expect(between(15 * MINUTE, 15 * MINUTE + 5 * SECOND)).toBe(1);
		await clock.runUntil(clock.now() + HOUR);
		expect(between(0, HOUR)).toBe(sent + 100);
	});

	test('that 429 after 429 has made for 10 minutes turns away who waits, not who comes', async () => {
		const { clock, request, requests, times } = start(PRO);
		const results = await clock.run(requests(300, { takes: 100, result: waitAnswer(429, '60') }));
		expect(results.filter(({ error }) => error).length).toBeGreaterThan(280);
		expect(times().at(-1)).toBeGreaterThan(10 * MINUTE);
		expect(times().at(-1)).toBeLessThan(12 * MINUTE);
		expect(await clock.run(request())).toMatchObject({ value: { status: 200 } });
	});

	test('turns nothing away for one 429, after which no answer comes for 10 minutes', async () => {
		const { clock, request, limiter } = start(PRO);
		await clock.run(request({ result: waitAnswer(429, '1') }));
		const lost = Array.from({ length: 400 }, async () => {
			const send = async () => {
				await clock.sleep(5 * MINUTE);
				throw new Error('no answer');
			};
			return await limiter.run(send, {}).catch((error: Error) => error.message);
		});
		expect(new Set(await clock.run(Promise.all(lost)))).toEqual(new Set(['no answer']));
		expect(clock.now()).toBeGreaterThan(10 * MINUTE);
	});
});

test('an answer keeps its own Retry-After, and a 429 gets the pause of its key, too', async () => {
	const { request, clock } = start(null);
	// Another request of the key was told to wait for longer.
	const work = Promise.all(
		[429, 429, 503].map(
			async (status, at) => await request({ result: waitAnswer(status, ['120', '1', '7'][at]!) }),
		),
	);
	const [longer, shorter, other] = await clock.run(work);
	expect([longer!.value, shorter!.value]).toMatchObject([
		{ retryAfter: 120_000, keyPause: 120_000 },
		{ retryAfter: 1000, keyPause: 120_000 },
	]);
	expect(other!.value).toMatchObject({ retryAfter: 7000 });
	expect(other!.value).not.toHaveProperty('keyPause');
});

test('how many are in progress is bounded whatever the rate', async () => {
	const { requests, mostUnderWay, clock } = start(null);
	await clock.run(requests(2000, { takes: 100 }));
	expect(mostUnderWay()).toBe(200);
});

test('requests that throw make room for others', async () => {
	const { limiter, requests, starts, clock } = start(null);
	const throwing = async () => await Promise.reject(new Error('fault'));
	for (let round = 0; round < 200; round++)
		await expect(limiter.run(throwing, {})).rejects.toThrow('fault');
	await clock.run(requests(1000));
	expect(starts).toHaveLength(1000);
});

describe('the limiters of a process', () => {
	/** A registry, and how many requests of a key go at once. */
	function registry() {
		const clock = createVirtualClock();
		const limiters = new LimiterRegistry(clock);
		const limiterFor = (id: string, limit: RateLimit | null) => limiters.queueFor(id, limit);
		return {
			clock,
			limiterFor,
			atOnce: async (id: string, limit: RateLimit | null) => {
				const { requests, starts } = traffic(clock, limiterFor(id, limit));
				void requests(100);
				await settlePromises();
				return starts.length;
			},
		};
	}
	const sharedBy1 = { ...PRO, sharedBy: 1 };

	test('are one for each key and limit', async () => {
		const { atOnce } = registry();
		expect(await atOnce('a', sharedBy1)).toBeGreaterThan(40);
		expect(await atOnce('a', { ...sharedBy1 })).toBe(0);
		expect(await atOnce('b', sharedBy1)).toBeGreaterThan(40);
		expect(await atOnce('a', { ...sharedBy1, burst: 51 })).toBeGreaterThan(40);
		expect(await atOnce('a', null)).toBe(100);
	});

	test('remember a stop while nothing asks, and forget it a minute after its end', async () => {
		const { clock, limiterFor } = registry();
		const { request } = traffic(clock, limiterFor('key', PRO));
		await clock.run(request({ result: waitAnswer(429, '900') }));
		await clock.runUntil(clock.now() + 9 * MINUTE);
		expect(await request()).toMatchObject(turnedAway);
		await clock.runUntil(clock.now() + 8 * MINUTE);
		const { requests, starts } = traffic(clock, limiterFor('key', sharedBy1));
		void requests(100);
		await settlePromises();
		expect(starts.length).toBeGreaterThan(40);
	});

	test('stay in memory until the last request has its answer, also after 20 minutes', async () => {
		const { clock, limiterFor, atOnce } = registry();
		void traffic(clock, limiterFor('key', sharedBy1)).requests(200, { takes: 30 * MINUTE });
		await clock.runUntil(clock.now() + 20 * MINUTE);
		expect(await atOnce('key', sharedBy1)).toBe(0);
	});

	test('do not stay in memory once they are idle', async () => {
		const { clock, limiterFor } = registry();
		for (let number = 0; number < 50; number++)
			await traffic(clock, limiterFor(`idle ${number}`, PRO)).request();
		await clock.runUntil(clock.now() + HOUR);
		await traffic(clock, limiterFor('next', PRO)).request();
		// The registry looks at each limiter that it holds before it makes one.
		const looks = jest.spyOn(RateLimiter.prototype, 'isIdle', 'get');
		await traffic(clock, limiterFor('last', PRO)).request();
		expect(looks).toHaveBeenCalledTimes(1);
		looks.mockRestore();
	});
});
