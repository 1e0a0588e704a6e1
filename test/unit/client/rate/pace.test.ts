import { Pace, type RateLimit } from '../../../../nodes/WalletScreening/client/rate/pace';
import { answer } from '../../../support/unit/httpAnswers';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Section 8. */
const PRO = { requestsPerSecond: 10, burst: 50 };
/** Of a burst of 50, 8 % stay free. */
const FULL = 46;

const BEGAN = 1_000_000;

/**
 * A pace in time that the test moves. With `chance` 0, requests are as far apart as the rate says.
 */
function start(limit: RateLimit | null, chance = 0) {
	const pace = new Pace(limit, BEGAN, () => chance);
	let now = BEGAN;
	const end = (status: number, latency: number, headers = {}, sentAt = now) => {
		now = sentAt + latency;
		pace.noteEnded(now, sentAt, answer(status, '', headers));
	};
	/** How many requests go out at once. */
	function burst() {
		let count = 0;
		for (; pace.msUntilToken(now) === 0; count++) pace.noteSent();
		return count;
	}
	return {
		msUntilToken: (at: number) => pace.msUntilToken(at),
		window: () => pace.window,
		noteSent: () => pace.noteSent(),
		noteEnded: (...given: Parameters<Pace['noteEnded']>) => pace.noteEnded(...given),
		msUntilResume: (at: number) => pace.msUntilResume(at),
		msSinceFirstRefusal: (at: number) => pace.msSinceFirstRefusal(at),
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
			const before = pace.msUntilToken(now);
			for (let count = 0; count < 10; count++) pace.noteSent();
			const after = pace.msUntilToken(now);
			now += after;
			return (10 * SECOND) / (after - before);
		},
	};
}

/**
 * A pace that met other users of its key a minute ago. For 2 processes its rate is 4.83: the share
 * of 4.6, and 5 % more.
 */
function shared(sharedBy: number) {
	const pace = start({ ...PRO, sharedBy });
	pace.answered(5);
	pace.refused(1);
	pace.pass(SECOND);
	pace.answered();
	pace.pass(MINUTE);
	return pace;
}

test('the example of the doc comment', () => {
	const { answered, refused, window, rate } = start(PRO);
	answered(30);
	const windows = [window()];
	refused(undefined, 100);
	windows.push(window());
	refused(undefined, 100);
	windows.push(window());
	answered();
	windows.push(window());
	expect(windows).toEqual([4, 2, 1, 2]);
	expect(rate()).toBeCloseTo(3.85, 1);
});

test('the bucket lets its tokens go, then one request with each token, and saves up no more than its size', () => {
	const random = start(PRO, 0.5);
	// Each request waits for up to one token more, at random.
	expect([random.burst(), random.msUntilToken(random.now())]).toEqual([FULL - 1, 50]);
	const { burst, pass, msUntilToken, now } = start(PRO);
	expect([burst(), msUntilToken(now())]).toEqual([FULL, 100]);
	pass(SECOND);
	expect(burst()).toBe(10);
	pass(15 * MINUTE);
	expect(burst()).toBe(FULL);
});

test.each<[sharedBy: number | undefined, rate: number, because: string]>([
	[2, 4.6, 'half of 10 per second, of which 8 % stay free'],
	[1e9, 0.046, 'with a smaller share than that of 200 processes it would learn too slowly'],
	[
		undefined,
		6,
		'it is not stated, and 30 of the 50 requests that the limit lets through came here',
	],
])('the first 429 leaves %p processes a rate of %d: %s', (sharedBy, rate) => {
	const pace = start({ ...PRO, sharedBy });
	pace.answered(30, 1);
	pace.refused(1);
	expect(pace.rate() / rate).toBeCloseTo(1, 1);
});

test('a 429 never lets a request go sooner than the bucket does, and spreads those refused together', () => {
	const waits = [0, 0.9].map((chance) => {
		const { burst, refused, pass, msUntilToken, now } = start(
			{ requestsPerSecond: 10, burst: 1, sharedBy: 1 },
			chance,
		);
		burst();
		pass(1);
		refused(0);
		return msUntilToken(now());
	});
	// 0.1 s less the millisecond, or more.
	expect(waits[0]).toBeGreaterThanOrEqual(99);
	expect(waits[1]).toBeGreaterThan(waits[0]!);
});

test.each([
	[PRO, 0.575, 'a sixteenth of 9.2, if the number of processes is not stated'],
	[{ ...PRO, sharedBy: 8 }, 1.15, 'an eighth of 9.2'],
])('from then on each 429 halves the rate (%j), down to %d: %s', (limit, least, _because) => {
	const pace = start(limit);
	pace.refused(1);
	for (let count = 0; count < 200; count++) {
		pace.pass(SECOND);
		pace.answered();
	}
	// The rate of the plan, which answers do not raise.
	expect(pace.rate()).toBeCloseTo(10, 1);
	for (let round = 0; round < 8; round++) {
		// Without an answer in between, the next 429 lowers nothing.
		pace.pass(SECOND);
		pace.answered();
		const before = pace.rate();
		pace.refused(1);
		expect(pace.rate()).toBeCloseTo(Math.max(least, before / 2), 1);
	}
	expect(pace.rate()).toBeCloseTo(least, 1);
});

test('each answer raises the rate by some percent, the more the further it is below the share', () => {
	const pace = start(PRO);
	pace.refused(1);
	const growth: number[] = [];
	for (let count = 0; count < 40; count++) {
		const before = pace.rate();
		pace.pass(SECOND);
		pace.answered();
		growth.push(pace.rate() / before - 1);
	}
	for (const by of growth) {
		expect(by).toBeGreaterThan(0.01);
		expect(by).toBeLessThan(0.12);
	}
	expect(growth[0]).toBeGreaterThan(growth.at(-1)!);
});

test('around the share, 14 answers double the rate', () => {
	const { refused, answered, rate } = start(PRO);
	// Half an hour of the tokens of others, so that the rate is the lowest.
	refused(1, 30 * MINUTE);
	let before = rate();
	// The assumed share is 2.3. The rate doubles from 0.7 of it to 1.4 of it.
	while (before < 2.3 / Math.SQRT2) {
		answered();
		before = rate();
	}
	answered(14);
	expect(rate() / before).toBeCloseTo(2, 1);
});

test('a pause at a lowered rate ends in a burst that is as much smaller', () => {
	// 4.83 of 10 per second, so 22 of 46.
	expect(shared(2).burst()).toBe(22);
});

test('answers to requests that went out together raise the rate once', () => {
	const { late, now, pass, rate } = shared(2);
	const sentAt = now();
	pass(100);
	for (let count = 0; count < 3; count++) late(200, sentAt);
	// 5 % more than 4.83; three times as much would be 5.55.
	expect(rate()).toBeCloseTo(5.07, 1);
});

describe('a stop', () => {
	test.each([
		[7, 7],
		[901, 900],
	])('lasts as long as the service asks for, at most 15 minutes: %i s', (asked, seconds) => {
		const { refused, msUntilResume, msUntilToken, now } = start(PRO);
		refused(asked);
		expect(msUntilResume(now())).toBe(seconds * SECOND);
		expect(msUntilToken(now())).toBeGreaterThanOrEqual(seconds * SECOND);
		expect(msUntilResume(now() + seconds * SECOND)).toBe(0);
	});

	test('grows with each 429 in a row, by a backoff or what the service asks for', () => {
		const { refused, answered, msUntilResume, now, pass } = start(PRO, 0.5);
		const stops = () =>
			[undefined, undefined, 1, 1, 9].map((seconds) => {
				pass(MINUTE);
				refused(seconds);
				return msUntilResume(now()) / SECOND;
			});
		// Half of 0.5 s and of 1 s; where 1 s is asked for, half of 2 s and of 4 s, with 1 s as the
		// least; then the 9 s asked for.
		expect(stops()).toEqual([0.25, 0.5, 1, 2, 9]);
		answered();
		expect(stops()).toEqual([0.25, 0.5, 1, 2, 9]);
	});

	test('is not made longer by what was refused together', () => {
		const { refused, late, msUntilResume, now, pass, window } = start(null, 0.9);
		refused(1);
		late(429, BEGAN - 1);
		expect([msUntilResume(now()), window()]).toEqual([SECOND, 50]);
		pass(SECOND);
		refused(1);
		late(429, BEGAN);
		expect(msUntilResume(now())).toBe(SECOND);
	});

	test.each([
		// The first 429 has halved the rate of 10. The answer after the second one raises it, by 5 %.
		['a second 429 in a row', [300, 300], 5.24],
		// The rate is that of the plan, which no answer raises.
		['a pause of more than 5 minutes', [301], 10],
	])('%s lets one request at a time ask, and lowers nothing', (_name, pauses, raised) => {
		const { answered, refused, late, noteEnded, rate, window, pass, now } = shared(2);
		answered(20, SECOND);
		for (const pause of pauses.slice(0, -1)) refused(pause);
		const windowBefore = window();
		expect(windowBefore).toBeGreaterThan(1);
		refused(pauses.at(-1));
		const refusedAt = now();
		pass(15 * MINUTE);
		expect(window()).toBe(1);
		noteEnded(now(), now() - 30 * SECOND, undefined);
		expect(window()).toBe(1);
		late(200, refusedAt - 1);
		expect(window()).toBe(1);
		late(200, refusedAt);
		expect(rate()).toBeCloseTo(raised, 1);
		// Each answer and each fault has added one.
		expect(window()).toBe(windowBefore + 3);
	});
});

describe('requests in progress', () => {
	test.each([
		// A fifth of the time in which the bucket fills, at most a second.
		[{ requestsPerSecond: 100, burst: 200 }, 400, 184],
		[{ requestsPerSecond: 1, burst: 100 }, 1000, 92],
	])('start with one, and grow up to the bucket (%j)', (limit, ms, most) => {
		const { window, answered } = start(limit);
		answered(1, ms - 1);
		expect(window()).toBe(1);
		answered(1, 1);
		expect(window()).toBe(2);
		answered(most - 2, ms);
		expect(window()).toBe(most);
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
