import { type Limit, Pace } from '../../../nodes/WalletScreening/client/pace';
import { answer } from '../support/answers';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Section 8. */
const PRO = { requestsPerSecond: 10, burst: 50 };
/** 8 % of the burst, and of a share, stay free. */
const FULL = 46;
const shareOf = (processes: number) => 9.2 / processes;
/** The rate after one more accepted request. */
const grown = (rate: number, share: number) => Math.min(10, rate + 0.05 * Math.sqrt(rate * share));

const BEGAN = 1_000_000;

/** Without chance, an interval between requests is that of the rate. */
function start(limit: Limit, chance = 0) {
	const pace = new Pace(limit, BEGAN, () => chance);
	let now = BEGAN;
	const end = (status: number, latency: number, headers = {}, sentAt = now) => {
		now = sentAt + latency;
		pace.noteEnded(now, sentAt, answer(status, '', headers));
	};
	/** How many requests go out at once. */
	function burst() {
		let count = 0;
		for (; pace.waitFor(now) === 0; count++) pace.noteSent();
		return count;
	}
	return {
		waitFor: (at: number) => pace.waitFor(at),
		window: () => pace.window,
		noteSent: () => pace.noteSent(),
		noteEnded: (...given: Parameters<Pace['noteEnded']>) => pace.noteEnded(...given),
		stopFor: (at: number) => pace.stopFor(at),
		refusedFor: (at: number) => pace.refusedFor(at),
		isForgettable: (at: number) => pace.isForgettable(at),
		now: () => now,
		pass: (ms: number) => (now += ms),
		/** Requests that are answered so long after they went out. */
		answered(count = 1, latency = 100) {
			for (let done = 0; done < count; done++) end(200, latency);
		},
		/** A request that is answered 429; without seconds, it asks for none. */
		refused(seconds?: number, latency = 0) {
			end(429, latency, seconds === undefined ? {} : { 'retry-after': String(seconds) });
		},
		/** An answer to a request that went out then. */
		late: (status: number, sentAt: number) => end(status, now - sentAt, {}, sentAt),
		burst,
		/** Requests per second, by the time that ten of them need. It then is ten requests later. */
		rate() {
			burst();
			const before = pace.waitFor(now);
			for (let count = 0; count < 10; count++) pace.noteSent();
			const after = pace.waitFor(now);
			now += after;
			return (10 * SECOND) / (after - before);
		},
	};
}

/** A pace that has met other users of its key, a minute ago. */
function shared(sharedBy: number) {
	const pace = start({ ...PRO, sharedBy });
	pace.answered(5);
	pace.refused(1);
	pace.pass(SECOND);
	pace.answered();
	pace.pass(MINUTE);
	return pace;
}

test('the bucket lets its tokens go, then one request with each token, and saves up no more than its size', () => {
	const random = start(PRO, 0.5);
	// Each request waits for up to one token more, at random.
	expect([random.burst(), random.waitFor(random.now())]).toEqual([FULL - 1, 50]);
	const { burst, pass, waitFor, now } = start(PRO);
	expect([burst(), waitFor(now())]).toEqual([FULL, 100]);
	pass(SECOND);
	expect(burst()).toBe(10);
	pass(15 * MINUTE);
	expect(burst()).toBe(FULL);
});

test.each([
	[2, shareOf(2)],
	// Of too many to learn from.
	[1e9, shareOf(200)],
	// Not stated: of 50 requests and of 10 in each second, 30 came here.
	[-1, 6],
])('the first 429 leaves the stated share of %d processes', (sharedBy, rate) => {
	const pace = start({ ...PRO, sharedBy });
	pace.answered(30, 1);
	pace.refused(1);
	expect(pace.rate() / rate).toBeCloseTo(1, 1);
});

test('a 429 never lets a request go sooner than the bucket does, and spreads those refused together', () => {
	const waits = [0, 0.9].map((chance) => {
		const { burst, refused, pass, waitFor, now } = start(
			{ requestsPerSecond: 10, burst: 1, sharedBy: 1 },
			chance,
		);
		burst();
		pass(1);
		refused(0);
		return waitFor(now());
	});
	// 0.1 s less the millisecond, or more.
	expect(waits[0]).toBeGreaterThanOrEqual(99);
	expect(waits[1]).toBeGreaterThan(waits[0]!);
});

test.each([
	[PRO, shareOf(4), shareOf(16)],
	[{ ...PRO, sharedBy: 8 }, shareOf(8), shareOf(8)],
])('from then on each 429 halves the rate, each answer raises it (%j)', (limit, share, least) => {
	const pace = start(limit);
	pace.refused(1);
	let rate = least;
	for (let round = 0; round < 8; round++) {
		for (let count = 0; count < (round === 0 ? 200 : 3); count++) {
			pace.pass(SECOND);
			pace.answered();
			rate = grown(rate, share);
		}
		expect(pace.rate()).toBeCloseTo(rate, 1);
		pace.refused(1);
		rate = Math.max(least, rate / 2);
		expect(pace.rate()).toBeCloseTo(rate, 1);
	}
	expect(rate).toBe(least);
});

test('a pause at a lowered rate ends in a burst that is as much smaller', () => {
	const rate = grown(shareOf(2), shareOf(2));
	expect(shared(2).burst()).toBe(Math.floor((FULL * rate) / 10));
});

test('answers to requests that went out together raise the rate once', () => {
	const { late, now, pass, rate } = shared(2);
	const sentAt = now();
	pass(100);
	for (let count = 0; count < 3; count++) late(200, sentAt);
	expect(rate()).toBeCloseTo(grown(grown(shareOf(2), shareOf(2)), shareOf(2)), 1);
});

describe('a stop', () => {
	test.each([
		[7, 7],
		[901, 900],
	])('lasts as long as the service asks for, at most 15 minutes: %i s', (asked, seconds) => {
		const { refused, stopFor, waitFor, now } = start(PRO);
		refused(asked);
		expect(stopFor(now())).toBe(seconds * SECOND);
		expect(waitFor(now())).toBeGreaterThanOrEqual(seconds * SECOND);
		expect(stopFor(now() + seconds * SECOND)).toBe(0);
	});

	test('grows with each 429 in a row, by a backoff or what the service asks for', () => {
		const { refused, answered, stopFor, now, pass } = start(PRO, 0.5);
		const stops = () =>
			[undefined, undefined, 1, 1, 9].map((seconds) => {
				pass(MINUTE);
				refused(seconds);
				return stopFor(now()) / SECOND;
			});
		// Half of 0.5 and 1 s; half of 2 s, of 4 s; what was asked for.
		expect(stops()).toEqual([0.25, 0.5, 1, 2, 9]);
		answered();
		expect(stops()).toEqual([0.25, 0.5, 1, 2, 9]);
	});

	test('is not made longer by what was refused together', () => {
		const { refused, late, stopFor, now, pass, window } = start(null, 0.9);
		refused(1);
		late(429, BEGAN - 1);
		expect([stopFor(now()), window()]).toEqual([SECOND, 50]);
		pass(SECOND);
		refused(1);
		late(429, BEGAN);
		expect(stopFor(now())).toBe(SECOND);
	});

	test.each([
		['a second 429 in a row', [300, 300]],
		['a pause of more than 5 minutes', [301]],
	])('%s lets one request at a time ask, and lowers nothing', (_name, pauses) => {
		const { answered, refused, late, noteEnded, rate, window, pass, now } = shared(2);
		answered(20, SECOND);
		for (const pause of pauses.slice(0, -1)) refused(pause);
		const before = [rate(), window()] as const;
		expect(before[1]).toBeGreaterThan(1);
		refused(pauses.at(-1));
		const refusedAt = now();
		pass(15 * MINUTE);
		expect(window()).toBe(1);
		noteEnded(now(), now() - 30 * SECOND, undefined);
		expect(window()).toBe(1);
		late(200, refusedAt - 1);
		expect(window()).toBe(1);
		late(200, refusedAt);
		expect(rate()).toBeCloseTo(grown(before[0], shareOf(2)), 1);
		// Each answer and each fault has added one.
		expect(window()).toBe(before[1] + 3);
	});
});

describe('requests in progress', () => {
	test.each([
		// A fifth of the time in which the bucket fills, at most a second.
		[{ requestsPerSecond: 100, burst: 200 }, 400],
		[{ requestsPerSecond: 1, burst: 100 }, 1000],
	])('start with one, and grow up to the bucket (%j)', (limit, ms) => {
		const { window, answered } = start(limit);
		answered(1, ms - 1);
		expect(window()).toBe(1);
		answered(1, 1);
		expect(window()).toBe(2);
		answered(Math.floor(limit.burst * 0.92) - 2, ms);
		expect(window()).toBe(Math.floor(limit.burst * 0.92));
		answered(1, ms);
		expect(window()).toBe(200);
	});

	test('halve with each 429, down to one', () => {
		const { refused, late, window, pass, now } = start(null);
		for (const size of [50, 25, 12, 6, 3, 1, 1]) {
			refused(1);
			late(200, now());
			expect(window() - size).toBeLessThanOrEqual(1);
			expect(window()).toBeGreaterThanOrEqual(size);
			pass(SECOND);
		}
	});
});

describe('without a limit', () => {
	test('requests in progress start with 100, each quick answer adds one, up to 200, as for one user of a key', () => {
		const { window, answered, burst } = start(null);
		expect(burst()).toBeGreaterThan(10_000);
		expect(window()).toBe(100);
		// Less than a millisecond counts as one, or all others were slow.
		answered(1, 0);
		answered(1, 3);
		expect(window()).toBe(102);
		answered(10, 4);
		expect(window()).toBe(102);
		answered(200, 1);
		expect(window()).toBe(200);
		expect(start({ ...PRO, sharedBy: 1 }).window()).toBe(200);
	});

	test('after a 429 each round of answers adds one, by the latency since then', () => {
		const { window, answered, refused, pass } = start(null);
		answered(1, 1);
		refused(1);
		pass(SECOND);
		expect(window()).toBe(50);
		answered(52, 500);
		expect(window()).toBe(51);
		answered(200, 1501);
		expect(window()).toBe(51);
	});
});

test('is as good as a new one after a minute and the time that the bucket takes to fill', () => {
	const { answered, refused, isForgettable, now } = start({ requestsPerSecond: 0.1, burst: 50 });
	answered();
	const quiet = (seconds: number) => isForgettable(now() + seconds * SECOND);
	expect([quiet(560), quiet(561)]).toEqual([false, true]);
	refused(900);
	expect(quiet(15 * 60)).toBe(false);
});
