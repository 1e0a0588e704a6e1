import { getEventListeners } from 'events';

import fc from 'fast-check';

import type { Limit } from '../../../nodes/WalletScreening/pace/pace';
import { createRateLimiter, type Turn } from '../../../nodes/WalletScreening/pace/rateLimiter';
import { stopButton } from '../support/stopButton';
import { createTraffic, overBucket } from '../support/traffic';
import { createVirtualClock, settled } from '../support/virtualClock';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Section 8. */
const PRO = { requestsPerSecond: 10, burst: 50 };
/** A limiter may leave a tenth of the burst unused: requests do not arrive as evenly as they are sent. */
const USED = 0.9;
/** A wake-up is on a whole millisecond, and may come just before the token. */
const LATE = 2;

/** Requests are not sent at an even pace: each waits for up to one token more than it needs. */
const UNEVEN = 1;

/** When a bucket lets arrivals go: the generic cell rate algorithm, as the telephone networks describe it (ITU-T I.371). */
function bucketTimes(arrivals: number[], { requestsPerSecond, burst }: NonNullable<Limit>) {
	const increment = SECOND / requestsPerSecond;
	let theoretical = 0;
	return arrivals.map((at) => {
		const time = Math.max(at, theoretical - (burst - 1) * increment);
		theoretical = Math.max(time, theoretical) + increment;
		return time;
	});
}

function start(limit: Limit) {
	const clock = createVirtualClock();
	const limiter = createRateLimiter(limit, clock, () => 0.5);
	const began = clock.now();
	return {
		clock,
		limiter,
		...createTraffic(clock, limiter),
		runUntil: async (ms: number) => await clock.runUntil(began + ms),
	};
}

describe('the rate', () => {
	test('lets the burst go and then a request with each token', async () => {
		const { requests, times, clock } = start(PRO);
		await clock.run(requests(150));
		const latest = bucketTimes(new Array<number>(150).fill(0), {
			...PRO,
			burst: PRO.burst * USED - UNEVEN,
		});
		const earliest = bucketTimes(new Array<number>(150).fill(0), PRO);
		expect(earliest[90]).toBe(4.1 * SECOND);
		expect(earliest[149]).toBe(10 * SECOND);
		times().forEach((at, index) => {
			expect(at).toBeGreaterThanOrEqual(earliest[index]!);
			expect(at).toBeLessThanOrEqual(latest[index]! + LATE);
		});
	});

	test('lets 300 requests go in the 25 s that the plan asks for, at most 1.03 of that', async () => {
		const { requests, times, clock } = start(PRO);
		await clock.run(requests(300, { takes: 100 }));
		expect(times()).toHaveLength(300);
		expect(times().at(-1)).toBeGreaterThanOrEqual(25 * SECOND);
		expect(times().at(-1)! + 100).toBeLessThanOrEqual(25 * SECOND * 1.03);
	});

	test('saves up a burst again while nothing is asked for, and no more than a burst', async () => {
		const { requests, between, runUntil } = start(PRO);
		void requests(200);
		await runUntil(MINUTE);
		void requests(200);
		await runUntil(2 * MINUTE);
		const inTheBurst = between(0, 10 * SECOND);
		expect(inTheBurst).toBeLessThanOrEqual(150);
		expect(between(MINUTE, MINUTE + 10 * SECOND)).toBe(inTheBurst);
	});

	test('is kept by slow plans, and by those of many requests for each millisecond', async () => {
		for (const [limit, count, ms] of [
			[{ requestsPerSecond: 0.01, burst: 1 }, 3, 200 * SECOND],
			[{ requestsPerSecond: 5000, burst: 10 }, 10_010, 2 * SECOND],
			[{ requestsPerSecond: 3, burst: 1.5 }, 31, 10 * SECOND],
		] as const) {
			const { requests, times, clock } = start(limit);
			await clock.run(requests(count));
			expect(times().at(-1)).toBeLessThanOrEqual(ms * 1.01);
			expect(overBucket(times(), limit)).toBeLessThan(1e-6);
		}
	});

	test.each([
		[{ requestsPerSecond: 0.5, burst: 50 }, 70 * SECOND],
		[{ requestsPerSecond: 0.1, burst: 50 }, 90 * SECOND],
		[{ requestsPerSecond: 0.01, burst: 5 }, 300 * SECOND],
	])('of a slow plan is kept over a pause (%j)', async (limit, pause) => {
		const { requests, times, runUntil } = start(limit);
		void requests(limit.burst);
		await runUntil(pause);
		void requests(limit.burst);
		await runUntil(pause + 1);
		expect(overBucket(times(), limit)).toBeLessThan(1e-6);
	});

	const arrivals = fc.array(fc.nat({ max: 20 * SECOND }), { minLength: 1, maxLength: 150 });
	const limits = fc.record({
		requestsPerSecond: fc.integer({ min: 1, max: 100 }),
		burst: fc.integer({ min: 2, max: 50 }),
	});

	test('lets each request go when a bucket would, and in the order of arrival', async () => {
		await fc.assert(
			fc.asyncProperty(arrivals, limits, async (times, limit) => {
				const { clock, request, starts } = start(limit);
				const sorted = [...times].sort((a, b) => a - b);
				sorted.forEach((at, index) => {
					const name = String(index);
					if (at === 0) void request({ name });
					else void clock.sleep(at).then(async () => await request({ name }));
				});
				await clock.runUntilIdle();
				expect(starts.map(({ name }) => name)).toEqual(sorted.map((_at, index) => String(index)));

				const earliest = bucketTimes(sorted, limit);
				const latest = bucketTimes(sorted, {
					...limit,
					burst: Math.max(1, limit.burst * USED - UNEVEN),
				});
				starts.forEach(({ at }, index) => {
					expect(at).toBeGreaterThanOrEqual(earliest[index]! - 1e-6);
					expect(at).toBeLessThanOrEqual(latest[index]! + LATE);
				});
			}),
			{ numRuns: 60 },
		);
	}, 20_000);

	test('is not exceeded in any window, whatever is stopped, refused or limited meanwhile', async () => {
		const events = fc.array(
			fc.record({
				at: fc.nat({ max: 20 * SECOND }),
				lane: fc.nat({ max: 3 }),
				again: fc.boolean(),
				takes: fc.nat({ max: 3 * SECOND }),
				stopAfter: fc.option(fc.nat({ max: 5 * SECOND })),
				limitedFor: fc.option(fc.nat({ max: 5 * SECOND }), { freq: 8 }),
			}),
			{ minLength: 1, maxLength: 120 },
		);
		await fc.assert(
			fc.asyncProperty(events, limits, async (plan, limit) => {
				const { clock, limiter, request, times, runUntil } = start(limit);
				const lanes = [{}, {}, {}, {}];
				const began = clock.now();
				const closed: Array<[number, number]> = [];
				let sent = 0;
				let stopped = 0;
				for (const { at, lane, again, takes, stopAfter, limitedFor } of plan) {
					const stop = stopButton();
					const refusedFor = limitedFor ?? undefined;
					void clock.sleep(at).then(async () => {
						if (stopAfter !== null) void clock.sleep(stopAfter).then(() => stop.abort());
						try {
							await request({ lane: lanes[lane]!, again, takes, refusedFor, signal: stop.signal });
							sent++;
						} catch {
							stopped++;
							return;
						}
						const now = clock.now() - began;
						if (limitedFor !== null) closed.push([now, now + limitedFor]);
					});
				}
				await clock.runUntilIdle();
				expect(sent + stopped).toBe(plan.length);
				expect(overBucket(times(), limit)).toBeLessThan(1e-6);
				for (const [from, to] of closed) {
					expect(times().filter((at) => at > from && at < to)).toEqual([]);
				}
				await runUntil(HOUR);
				expect(limiter.idle()).toBe(true);
			}),
			{ numRuns: 100 },
		);
	}, 20_000);
});

describe('lanes', () => {
	test('take turns: a request waits for the other lanes, not for all that they hold', async () => {
		const { requests, request, starts, clock, runUntil } = start(PRO);
		void requests(5000, { name: 'many', takes: 100 });
		await runUntil(30 * SECOND);
		const asked = 30 * SECOND;
		await clock.run(request({ lane: {}, name: 'one' }));
		expect(starts.find(({ name }) => name === 'one')!.at - asked).toBeLessThanOrEqual(2 * SECOND);
		// One token goes to the lane whose turn it is, the next to the new one.
		expect(starts.find(({ name }) => name === 'one')!.at - asked).toBeLessThanOrEqual(200 + LATE);
	});

	test('a request that comes while the burst of another lane is used up waits no longer', async () => {
		const { requests, request, starts, clock } = start(PRO);
		void requests(5000, { name: 'many' });
		await clock.run(request({ lane: {}, name: 'one' }));
		expect(starts.at(-1)!.at).toBeLessThanOrEqual(200 + LATE);
	});

	test('of different lengths get the same share as long as they hold something', async () => {
		const { requests, starts, runUntil } = start({ requestsPerSecond: 10, burst: 1 });
		void requests(1000, { lane: {}, name: 'a' });
		void requests(100, { lane: {}, name: 'b' });
		void requests(10, { lane: {}, name: 'c' });
		await runUntil(6 * SECOND);
		// The first of lane a goes at once; then the lanes alternate.
		const order = starts.map(({ name }) => name).slice(1);
		for (let round = 0; round < 27; round += 3) {
			expect(order.slice(round, round + 3).sort()).toEqual(['a', 'b', 'c']);
		}
		const rest = order.slice(30);
		expect(rest.length).toBeGreaterThanOrEqual(29);
		expect(
			Math.abs(
				rest.filter((name) => name === 'a').length - rest.filter((name) => name === 'b').length,
			),
		).toBeLessThanOrEqual(1);
	});

	test('keep the order of their requests', async () => {
		const { request, starts, clock } = start({ requestsPerSecond: 10, burst: 1 });
		const lanes = [{}, {}, {}];
		await clock.run(
			Promise.all(
				Array.from({ length: 90 }, async (_, index) => {
					await request({ lane: lanes[index % 3]!, name: String(index) });
				}),
			),
		);
		for (const third of [0, 1, 2]) {
			const numbers = starts.map(({ name }) => Number(name)).filter((n) => n % 3 === third);
			expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
		}
	});

	test('a repetition goes before the other requests of its lane, and takes no turn of others', async () => {
		const { request, starts, clock } = start({ requestsPerSecond: 10, burst: 1 });
		const [mine, theirs] = [{}, {}];
		await clock.run(
			Promise.all([
				request({ name: 'burst' }),
				request({ lane: mine, name: 'mine 1' }),
				request({ lane: mine, name: 'mine 2' }),
				request({ lane: theirs, name: 'theirs 1' }),
				request({ lane: theirs, name: 'theirs 2' }),
				request({ lane: mine, name: 'mine again', again: true }),
			]),
		);
		expect(starts.map(({ name }) => name)).toEqual([
			'burst',
			'mine again',
			'theirs 1',
			'mine 1',
			'theirs 2',
			'mine 2',
		]);
	});
});

describe('the stop button', () => {
	const stopped = new Error('stopped');

	test('takes a waiting request out, which rejects with the reason at once', async () => {
		const { requests, request, starts, clock } = start(PRO);
		const stop = stopButton();
		void requests(51);
		const waiting = request({ name: 'stopped', signal: stop.signal });
		const outcome = expect(waiting).rejects.toBe(stopped);
		await settled();
		stop.abort(stopped);
		await settled();
		await outcome;
		await clock.runUntilIdle();
		expect(starts.map(({ name }) => name)).toEqual(Array(51).fill(''));
	});

	test('pressed before does not let the request go', async () => {
		const { request, starts, limiter, runUntil } = start(PRO);
		await expect(request({ signal: AbortSignal.abort(stopped) })).rejects.toBe(stopped);
		expect(starts).toEqual([]);
		await runUntil(HOUR);
		expect(limiter.idle()).toBe(true);
	});

	test('does not touch a request in progress', async () => {
		const { request, clock } = start(PRO);
		const stop = stopButton();
		const work = request({ signal: stop.signal, takes: 100 });
		await settled();
		stop.abort(stopped);
		await expect(clock.run(work)).resolves.toBeUndefined();
	});

	test('loses neither a token nor a turn of those who stay', async () => {
		const withAndWithout = await Promise.all(
			[true, false].map(async (some) => {
				const { request, starts, clock } = start({ requestsPerSecond: 10, burst: 1 });
				const [a, b, c] = [{}, {}, {}];
				const stop = stopButton();
				const { signal } = stop;
				void request({ name: 'burst' });
				void request({ lane: a, name: 'a1' });
				if (some) request({ lane: b, name: 'stopped', signal }).catch(() => {});
				void request({ lane: b, name: 'b1' });
				void request({ lane: c, name: 'c1' });
				if (some) request({ lane: a, name: 'stopped', signal }).catch(() => {});
				void request({ lane: a, name: 'a2' });
				await settled();
				stop.abort(stopped);
				await clock.runUntilIdle();
				return starts;
			}),
		);
		expect(withAndWithout[0]).toEqual(withAndWithout[1]);
		expect(withAndWithout[0]!.map(({ name }) => name)).toEqual(['burst', 'a1', 'b1', 'c1', 'a2']);
	});

	test('pressed for 10,000 requests leaves nothing behind', async () => {
		const { request, requests, clock, limiter, starts, runUntil } = start(PRO);
		const stop = stopButton();
		await clock.run(requests(50));
		const waiting = Array.from({ length: 10_000 }, async (_, index) => {
			await request({ lane: index % 2 ? {} : stop, signal: stop.signal });
		});
		const outcomes = Promise.allSettled(waiting);
		await settled();
		// One wake-up and one listener for all of them, not one each.
		expect(clock.pending()).toBeLessThan(10);
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
		stop.abort(stopped);
		expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true);
		await runUntil(HOUR);
		expect(limiter.idle()).toBe(true);
		expect(clock.pending()).toBe(0);
		expect(starts).toHaveLength(50);
	}, 30_000);
});

describe('a 429', () => {
	/** A limiter that is past its start, with a full bucket, and is told of a 429 at 0 ms. */
	async function limited(waitMs: number, limit: Limit = PRO) {
		const warm = start(limit);
		await warm.clock.run(warm.requests(200));
		await warm.clock.runUntil(warm.clock.now() + 30 * SECOND);
		const began = warm.clock.now();
		const traffic = createTraffic(warm.clock, warm.limiter);
		await warm.clock.run(traffic.request({ refusedFor: waitMs }));
		return {
			...traffic,
			clock: warm.clock,
			limiter: warm.limiter,
			runUntil: async (ms: number) => await warm.clock.runUntil(began + ms),
		};
	}

	test.each([PRO, null])('stops all lanes until the wait is over (%j)', async (limit) => {
		const { between, requests, runUntil } = await limited(7 * SECOND, limit);
		void requests(100, { takes: 100 });
		void requests(100, { takes: 100, lane: {} });
		await runUntil(20 * SECOND);
		expect(between(1, 7 * SECOND)).toBe(0);
		expect(between(7 * SECOND, 20 * SECOND)).toBeGreaterThan(10);
	});

	test('is not followed by the burst that was saved up', async () => {
		const { times, requests, runUntil } = await limited(7 * SECOND);
		void requests(5000);
		await runUntil(MINUTE);
		const late = UNEVEN + (LATE / SECOND) * PRO.requestsPerSecond;
		expect(overBucket(times().slice(1), { ...PRO, burst: 1 })).toBeLessThanOrEqual(late);
	});

	test('lowers the rate, which recovers step by step to that of the plan and no further', async () => {
		const { between, requests, runUntil } = await limited(SECOND);
		void requests(5000, { takes: 100 });
		await runUntil(301 * SECOND);
		const tens = Array.from({ length: 30 }, (_, ten) =>
			between((1 + ten * 10) * SECOND, (11 + ten * 10) * SECOND),
		);
		expect(tens[0]).toBeLessThan(100);
		for (let at = 1; at < tens.length; at++)
			expect(tens[at]).toBeGreaterThanOrEqual(tens[at - 1]! - 1);
		for (const count of tens.slice(-5)) {
			expect(count).toBeGreaterThanOrEqual(99);
			expect(count).toBeLessThanOrEqual(101);
		}
	});

	test.each([0, 2 * SECOND])(
		'of all requests of a burst is one piece of news, also when they come over %i ms',
		async (spread) => {
			const { request, requests, between, runUntil } = await limited(0);
			// The one before has lowered the rate: it recovers with the requests, and the bucket fills in the pause.
			void requests(1000, { takes: 100 });
			const again = 150 * SECOND;
			await runUntil(again);
			for (let number = 0; number < 40; number++) {
				void request({ takes: 100 + (spread * number) / 40, refusedFor: SECOND });
			}
			void requests(5000, { takes: 100 });
			const over = again + spread + 5 * SECOND;
			await runUntil(over + 10 * SECOND);
			// Forty decreases would leave next to nothing of 10/s; one leaves at least half.
			expect(between(over, over + 10 * SECOND)).toBeGreaterThan(40);
		},
	);

	test('that comes again and again lowers the rate further', async () => {
		const { request, requests, between, runUntil } = await limited(SECOND);
		for (let number = 0; number < 8; number++) {
			void request({ takes: 10, refusedFor: SECOND });
			await runUntil((number + 1) * 10 * SECOND);
		}
		void requests(1000);
		await runUntil(90 * SECOND);
		expect(between(80 * SECOND, 90 * SECOND)).toBeLessThan(50);
	});

	test('that comes twice leaves a small bucket: a pause does not end in a burst', async () => {
		const { request, requests, between, runUntil } = await limited(SECOND);
		await runUntil(2 * SECOND);
		void request({ takes: 10, refusedFor: SECOND });
		const paused = 40 * SECOND;
		await runUntil(paused);
		void requests(100, { takes: 100 });
		await runUntil(HOUR);
		expect(between(paused, paused + SECOND)).toBeLessThan(PRO.burst / 2);
		expect(between(paused, HOUR)).toBe(100);
	});

	test('with a shorter wait does not shorten a longer one', async () => {
		const { request, requests, between, runUntil } = await limited(0);
		void request({ takes: 10, refusedFor: 30 * SECOND });
		void request({ takes: 500, refusedFor: SECOND });
		await runUntil(5 * SECOND);
		void requests(100);
		await runUntil(45 * SECOND);
		expect(between(5 * SECOND, 30 * SECOND)).toBe(0);
		expect(between(30 * SECOND, 45 * SECOND)).toBeGreaterThan(0);
	});

	test('is remembered: the limiter is not idle before the wait is over', async () => {
		const { limiter, runUntil } = await limited(5 * MINUTE);
		await runUntil(5 * MINUTE - 1);
		expect(limiter.idle()).toBe(false);
		await runUntil(HOUR);
		expect(limiter.idle()).toBe(true);
	});
});

describe('the first 429', () => {
	/** So many requests accepted at once, then one refused: how many of the next ones go, second by second. */
	async function refusedAfter(accepted: number) {
		const traffic = start(PRO);
		const { requests, request, times, between, runUntil } = traffic;
		await traffic.clock.run(requests(accepted));
		await traffic.clock.run(request({ refusedFor: SECOND }));
		const refusedAt = times().at(-1)!;
		void requests(5000);
		await runUntil(refusedAt + 5 * MINUTE);
		return (from: number, to: number) =>
			between(refusedAt + from * SECOND, refusedAt + to * SECOND);
	}

	test.each([5, 10, 20, 30])(
		'leaves the share of the burst that came here, of the rate (%i of 50)',
		async (accepted) => {
			const between = await refusedAfter(accepted);
			const rate = (accepted / PRO.burst) * PRO.requestsPerSecond;
			// Each request lets the rate grow by less than 5 %: by so much at most in the first two seconds.
			expect(between(1, 3) / 2).toBeGreaterThanOrEqual(rate - 1);
			expect(between(1, 3) / 2).toBeLessThanOrEqual(rate * 1.05 ** (2 * rate) + 1);
		},
	);

	test.each([0, 1, 4])(
		'after %i accepted leaves a sixteenth: no team is taken to be larger',
		async (accepted) => {
			const between = await refusedAfter(accepted);
			expect(between(2, 10)).toBeGreaterThanOrEqual((8 * 10) / 16 - 1);
			expect(between(2, 10)).toBeLessThanOrEqual((8 * 10) / 16 + 4);
		},
	);

	test('and others in quick succession leave less than the same number far apart', async () => {
		async function rateAfter(pause: number) {
			const { request, requests, clock, times, between, runUntil } = start(PRO);
			await clock.run(requests(20));
			for (let number = 0; number < 9; number++) {
				await clock.run(request({ refusedFor: 0 }));
				await clock.run(request());
				// Silence makes the rate grow again, so only the first ones are far apart.
				if (number < 4) await clock.run(requests(pause));
			}
			const last = times().at(-1)!;
			void requests(1000);
			await runUntil(last + 30 * SECOND);
			return between(last, last + 30 * SECOND) / 30;
		}
		expect(await rateAfter(0)).toBeLessThan(0.7 * (await rateAfter(60)));
	});

	test('is followed by a rate that grows until the next one, to that of the plan', async () => {
		const between = await refusedAfter(10);
		expect(between(61, 91)).toBeGreaterThan(between(1, 31));
		expect(between(290, 299)).toBeGreaterThan(9 * 9);
	});

	test('after a minute of single requests leaves enough for single requests', async () => {
		const { request, clock, times } = start(PRO);
		for (let number = 0; number < 12; number++) {
			await clock.run(request({ takes: 100 }));
			await clock.runUntil(clock.now() + 20 * SECOND);
		}
		await clock.run(request({ refusedFor: SECOND }));
		const refusedAt = times().at(-1)!;
		await clock.run(request());
		// The second that was asked for, and at most 1.5 tokens at a sixteenth of the plan.
		expect(times().at(-1)! - refusedAt).toBeLessThanOrEqual(SECOND + 1.5 * 1600 + LATE);
	});

	test('is forgotten once nothing was asked for in some minutes', async () => {
		const { request, requests, clock, between, runUntil } = start(PRO);
		await clock.run(request({ refusedFor: SECOND }));
		await runUntil(5 * MINUTE);
		void requests(100);
		await runUntil(6 * MINUTE);
		expect(between(5 * MINUTE, 5 * MINUTE + 6 * SECOND)).toBe(100);
	});
});

describe('a service that refuses everyone', () => {
	/** When 2,000 items ask it, of which so many are accepted before it refuses everyone for 5 minutes. */
	async function outage(accepted: number) {
		const { limiter, clock } = start(PRO);
		const asked: number[] = [];
		let healsAt = Infinity;
		async function item() {
			for (let again = false, done = false; !done; again = true) {
				done = await limiter.run(
					async (turn) => {
						asked.push(clock.now());
						if (asked.length === accepted + 1) healsAt = clock.now() + 5 * MINUTE;
						const refused = asked.length > accepted && clock.now() < healsAt;
						await clock.sleep(50);
						if (refused) turn.limited(SECOND);
						else turn.answered();
						return !refused;
					},
					limiter,
					{ again },
				);
			}
		}
		for (let number = 0; number < 2000; number++) void item();
		await clock.runUntil(clock.now() + 10 * MINUTE);
		return (from: number, to: number) =>
			asked.filter((at) => at >= healsAt + from && at < healsAt + to).length;
	}

	test.each([0, 100])('is asked ever more rarely (%i accepted before)', async (accepted) => {
		const askedBetween = await outage(accepted);
		const lately = askedBetween(-4 * MINUTE, 0);
		expect(lately).toBeGreaterThanOrEqual(4);
		expect(lately).toBeLessThanOrEqual(60);
	});

	test.each([0, 100])('is used again soon after (%i accepted before)', async (accepted) => {
		const askedBetween = await outage(accepted);
		expect(askedBetween(MINUTE, 2 * MINUTE)).toBeGreaterThan(150);
	});
});

describe('a stop', () => {
	/** A limiter that was told to wait so long, and requests a minute apart: when they go, or how they end. */
	async function stoppedFor(waitMs: number, limit: Limit) {
		const traffic = start(limit);
		await traffic.clock.run(traffic.request({ refusedFor: waitMs }));
		return traffic;
	}

	test.each([
		[PRO, 'an hour', HOUR],
		[null, 'an hour', HOUR],
		[PRO, 'an epoch time', 1_800_000_000 * SECOND],
		[{ ...PRO, sharedBy: 4 }, 'an epoch time', 1_800_000_000 * SECOND],
	])('of more than 15 minutes ends after 15 (%j, %s)', async (limit, _name, waitMs) => {
		const { request, runUntil, between } = await stoppedFor(waitMs, limit);
		for (let minutes = 1; minutes < 10; minutes++) {
			await runUntil(minutes * MINUTE);
			await expect(request()).rejects.toMatchObject({ errorClass: 'rate_limited' });
		}
		// Five minutes are waited for, and those who were turned away before have not made it any longer.
		await runUntil(11 * MINUTE);
		void request();
		await runUntil(15 * MINUTE - 1);
		expect(between(1, 15 * MINUTE)).toBe(0);
		await runUntil(15 * MINUTE + 20 * SECOND);
		expect(between(15 * MINUTE, 15 * MINUTE + 20 * SECOND)).toBe(1);
	});

	test.each([PRO, null])('of more than 5 minutes ends with one try (%j)', async (limit) => {
		const { requests, runUntil, between } = await stoppedFor(6 * MINUTE, limit);
		await runUntil(5 * MINUTE);
		void requests(100, { takes: 5 * SECOND });
		await runUntil(6 * MINUTE + 4 * SECOND);
		expect(between(1, 6 * MINUTE + 4 * SECOND)).toBe(1);
		await runUntil(8 * MINUTE);
		expect(between(6 * MINUTE, 8 * MINUTE)).toBeGreaterThan(50);
	});

	test('whose one try ends without an answer ends with one more', async () => {
		const { limiter, clock, requests, runUntil, between } = await stoppedFor(6 * MINUTE, null);
		await runUntil(5 * MINUTE);
		const broken = limiter.run(async () => {
			await clock.sleep(5 * SECOND);
			throw new Error('broken');
		}, {});
		const outcome = expect(broken).rejects.toThrow('broken');
		void requests(100, { takes: 5 * SECOND });
		await runUntil(6 * MINUTE + 9 * SECOND);
		await outcome;
		expect(between(1, 6 * MINUTE + 9 * SECOND)).toBe(1);
	});

	test('wakes nobody once all who waited have left', async () => {
		const { request, requests, clock } = start(PRO);
		await clock.run(requests(50));
		const stop = stopButton();
		const waiting = request({ signal: stop.signal });
		const outcome = expect(waiting).rejects.toThrow();
		await settled();
		stop.abort(new Error('stopped'));
		await outcome;
		const sleep = jest.spyOn(clock, 'sleep');
		await clock.runUntilIdle();
		expect(sleep).not.toHaveBeenCalled();
	});
});

describe('a stated number of processes', () => {
	const sharedBy = (count: number) => ({ ...PRO, sharedBy: count });

	test('of one lets the whole burst go at once', async () => {
		const { requests, between, runUntil } = start(sharedBy(1));
		void requests(100, { takes: SECOND });
		await runUntil(10);
		expect(between(0, 10)).toBeGreaterThanOrEqual(PRO.burst * USED);
	});

	test.each([2, 4, 16, 128, 1e6])(
		'of %i leaves the whole key to a single worker',
		async (count) => {
			const { requests, times, clock } = start(sharedBy(count));
			await clock.run(requests(300, { takes: 100 }));
			expect(times().at(-1)! + 100).toBeLessThanOrEqual(25 * SECOND * 1.06);
			expect(overBucket(times(), PRO)).toBeLessThan(1e-6);
		},
	);

	test.each([2, 4, 16])(
		'of %i leaves a share that 429s now and then do not lower',
		async (count) => {
			const { request, requests, between, clock, runUntil } = start(sharedBy(count));
			await clock.run(request({ refusedFor: SECOND }));
			for (let second = 2; second < 60; second += 10) {
				await runUntil(second * SECOND);
				void request({ takes: 10, refusedFor: SECOND });
				void requests(200);
			}
			await runUntil(MINUTE);
			const share = (PRO.requestsPerSecond / count) * 60;
			expect(between(0, MINUTE)).toBeGreaterThanOrEqual(share * USED - 2);
		},
	);

	test('that is too small gives way when half a minute of 429s speaks against it', async () => {
		const { limiter, clock, runUntil } = start(sharedBy(2));
		const sent: number[] = [];
		let refusals = 0;
		// A service that lets this process have one request a second.
		let free = 0;
		for (let number = 0; number < 2000; number++) {
			void limiter.run(async (turn) => {
				sent.push(clock.now());
				await clock.sleep(100);
				if (clock.now() >= free) {
					free = clock.now() + SECOND;
					turn.answered();
				} else {
					refusals++;
					turn.limited(100);
				}
			}, limiter);
		}
		await runUntil(30 * SECOND);
		const [sentSoon, refusedSoon] = [sent.length, refusals];
		await runUntil(5 * MINUTE);
		const before = refusedSoon / sentSoon;
		const after = (refusals - refusedSoon) / (sent.length - sentSoon);
		expect(before).toBeGreaterThan(0.3);
		expect(after).toBeLessThan(0.2);
	});

	test.each([0, undefined, NaN, -1])('of %s counts as not stated', async (count) => {
		const { requests, times, clock } = start({ ...PRO, sharedBy: count });
		await clock.run(requests(300, { takes: 100 }));
		expect(times().at(-1)! + 100).toBeLessThanOrEqual(25 * SECOND * 1.03);
	});
});

describe('what the service says is left', () => {
	/** Requests to a service that always says the same of its limit: how many go each second. */
	async function eachSecond(remaining: number, resetMs: number) {
		const { limiter, clock, runUntil } = start(PRO);
		const began = clock.now();
		const sent: number[] = [];
		for (let number = 0; number < 2000; number++) {
			void limiter.run(async ({ answered }) => {
				sent.push(clock.now() - began);
				await clock.sleep(50);
				answered({ remaining, resetMs });
			}, limiter);
		}
		await runUntil(MINUTE);
		return sent.filter((at) => at > 10 * SECOND).length / 50;
	}

	test.each([
		[20, 4 * SECOND, 5],
		[4, 4 * SECOND, 1],
		[60, 60 * SECOND, 1],
		[8, 0, 8],
	])('%i for %i ms is used evenly: %d each second', async (remaining, resetMs, rate) => {
		expect(await eachSecond(remaining, resetMs)).toBeCloseTo(rate, 0);
	});

	test.each([
		[5, 1_800_000_000 * SECOND],
		[100, HOUR],
		[NaN, SECOND],
		[10, NaN],
		[-1, SECOND],
	])('%d for %d ms is not gone by', async (remaining, resetMs) => {
		expect(await eachSecond(remaining, resetMs)).toBeCloseTo(PRO.requestsPerSecond, 0);
	});

	test('is forgotten when it is said no longer', async () => {
		const { limiter, clock, runUntil } = start(PRO);
		const sent: number[] = [];
		for (let number = 0; number < 2000; number++) {
			void limiter.run(async ({ answered }) => {
				await clock.sleep(50);
				sent.push(clock.now());
				answered(sent.length < 20 ? { remaining: 60, resetMs: SECOND } : undefined);
			}, limiter);
		}
		await runUntil(2 * MINUTE);
		expect(overBucket(sent.slice(20), PRO)).toBeLessThanOrEqual(0);
		expect(sent.length).toBeGreaterThan(1000);
	});

	test('being nothing does not stop the key until then', async () => {
		expect(await eachSecond(0, 5 * SECOND)).toBeGreaterThan(0.05);
	});
});

test('a first request that arrives late makes the next ones no burst', async () => {
	const limit = { requestsPerSecond: 5, burst: 2 };
	const { clock, limiter } = start(limit);
	const arrivals: number[] = [];
	const send = async (number: number) =>
		await limiter.run(async ({ answered }) => {
			// The first one makes the connection.
			await clock.sleep(number === 0 ? 400 : 10);
			arrivals.push(clock.now());
			await clock.sleep(10);
			answered();
		}, {});
	await clock.run(Promise.all(Array.from({ length: 20 }, async (_, number) => await send(number))));
	expect(overBucket(arrivals, limit)).toBeLessThan(1e-6);
});

describe('how many are in progress', () => {
	test.each([null, { requestsPerSecond: 1e6, burst: 1e6 }])(
		'is bounded whatever the rate (%j)',
		async (limit) => {
			const { requests, mostUnderWay, starts, clock } = start(limit);
			await clock.run(requests(2000, { takes: 100 }));
			expect(starts).toHaveLength(2000);
			expect(mostUnderWay()).toBeGreaterThan(1);
			expect(mostUnderWay()).toBeLessThanOrEqual(200);
		},
	);

	test('goes down again when requests reject or throw', async () => {
		const { limiter, requests, starts, clock } = start(null);
		const fault = new Error('fault');
		const rejecting = async ({ answered }: Turn) => (answered(), await Promise.reject(fault));
		const throwing = ({ answered }: Turn): never => {
			answered();
			throw fault;
		};
		for (let round = 0; round < 300; round++) {
			await expect(limiter.run(round % 2 ? rejecting : throwing, {})).rejects.toBe(fault);
		}
		await clock.run(requests(1000));
		expect(starts).toHaveLength(1000);
	});

	test('grows also when no request is ever answered', async () => {
		const { limiter, clock } = start(PRO);
		const began = clock.now();
		const hang = async () => {
			await clock.sleep(30 * SECOND);
			throw new Error('timed out');
		};
		const hanging = Array.from({ length: 200 }, async () => await limiter.run(hang, {}));
		await clock.run(Promise.allSettled(hanging));
		expect(clock.now() - began).toBeLessThanOrEqual(10 * MINUTE);
	});

	test('lets a waiting request go as soon as one of them ends, while the rate allows', async () => {
		const { requests, request, starts, clock } = start(null);
		await clock.run(requests(1000));
		void requests(400, { takes: 1000 });
		await clock.run(request({ name: 'last' }));
		expect(starts.at(-1)).toEqual({ name: 'last', at: 2000 });
	});
});

describe('a clock that jumps', () => {
	/** A limiter on a machine that was suspended; a sleep goes on where it was. */
	function startOnJumpingClock(limit: Limit) {
		const clock = createVirtualClock();
		let ahead = 0;
		const limiter = createRateLimiter(limit, {
			now: () => clock.now() + ahead,
			sleep: clock.sleep,
		});
		const traffic = createTraffic(clock, limiter);
		return { clock, limiter, ...traffic, jump: (by: number) => (ahead += by) };
	}

	test('forward gives no more than a burst, and loses no one who waits', async () => {
		const { jump, requests, starts, clock } = startOnJumpingClock(PRO);
		const all = requests(300);
		await clock.runUntil(clock.now() + 5 * SECOND);
		jump(HOUR);
		await clock.run(all);
		expect(starts).toHaveLength(300);
		expect(
			overBucket(
				starts.map(({ at }) => at),
				{ ...PRO, burst: 100 },
			),
		).toBeLessThan(1e-6);
	});
});
