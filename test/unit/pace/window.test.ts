import { createRateLimiter } from '../../../nodes/WalletScreening/pace/rateLimiter';
import { createWindow } from '../../../nodes/WalletScreening/pace/window';
import { createVirtualClock } from '../support/virtualClock';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Requests without a limit to a service that works on `capacity` of them at once, each for `latency(now)` ms. */
function flood(
	capacity: number,
	latency: (now: number, number: number) => number,
	refuses: (now: number, underWay: number) => boolean = () => false,
) {
	const clock = createVirtualClock();
	const limiter = createRateLimiter(null, clock);
	const began = clock.now();
	const lane = {};
	const waiting: Array<() => void> = [];
	let working = 0;
	let underWay = 0;
	let answered = 0;
	const ended: number[] = [];
	const begun: Array<{ at: number; underWay: number }> = [];

	async function serve() {
		if (working >= capacity) await new Promise<void>((begin) => waiting.push(begin));
		else working++;
		await clock.sleep(latency(clock.now() - began, answered));
		const next = waiting.shift();
		if (next) next();
		else working--;
	}

	async function send() {
		await limiter.run(async (turn) => {
			begun.push({ at: clock.now() - began, underWay: ++underWay });
			const refused = refuses(clock.now() - began, underWay);
			await serve();
			underWay--;
			answered++;
			ended.push(clock.now() - began);
			if (refused) turn.limited(1);
			else turn.answered();
		}, lane);
	}

	return {
		clock,
		/** Keeps the limiter busy for so long. */
		async for(ms: number) {
			let going = true;
			const work = async () => {
				while (going) await send();
			};
			for (let number = 0; number < 250; number++) void work();
			await clock.runUntil(began + ms);
			going = false;
		},
		/** Sends so many and gives the time they took. */
		async all(count: number) {
			await clock.run(Promise.all(Array.from({ length: count }, send)));
			return clock.now() - began;
		},
		/** The most requests that were under way at the same time from `from` to before `to`, in milliseconds. */
		mostUnderWay: (from: number, to: number) =>
			Math.max(
				...begun.flatMap(({ at, underWay: count }) => (at >= from && at < to ? [count] : [])),
			),
		/** Answers from `from` to before `to`, in milliseconds. */
		between: (from: number, to: number) => ended.filter((at) => at >= from && at < to).length,
	};
}

test('1,000 requests to a service that never slows down take as long as 200 at once would', async () => {
	// 200 at once are 5 rounds.
	expect(await flood(Infinity, () => 100).all(1000)).toBeLessThanOrEqual(500);
});

test('requests that wait for the processor of this machine are as quick as 200 at once', async () => {
	// In tenths of a millisecond. n8n's helper takes about a millisecond of the processor for a request.
	const clock = createVirtualClock();
	const limiter = createRateLimiter(null, clock);
	const began = clock.now();
	let idleFrom = began;
	async function compute(tenths: number) {
		idleFrom = Math.max(idleFrom, clock.now()) + tenths;
		await clock.sleep(idleFrom - clock.now());
	}
	async function request() {
		await limiter.run(async (turn) => {
			await compute(8);
			await clock.sleep(1000);
			await compute(5);
			turn.answered();
		}, {});
	}
	await clock.run(Promise.all(Array.from({ length: 1000 }, request)));
	// The processor is busy all the time but for the first answer's.
	expect(clock.now() - began).toBeLessThanOrEqual(1000 * 13 + 1000);
});

test('answers that differ do not keep the window small', async () => {
	// The published target: 95 of 100 under 500 ms (section 1). Latencies from 60 to 580 ms, in no order.
	const { mostUnderWay, for: run } = flood(
		Infinity,
		(_now, number) => 60 + ((number * 7919) % 27) * 20,
	);
	await run(10 * SECOND);
	for (let second = 3; second < 10; second++)
		expect(mostUnderWay(second * SECOND, (second + 1) * SECOND)).toBe(200);
});

describe('a service that works on 20 requests at once', () => {
	const busy = async () => {
		const service = flood(20, () => SECOND);
		await service.for(5 * MINUTE);
		return service;
	};

	test('soon has few more than that in progress', async () => {
		const { mostUnderWay } = await busy();
		expect(mostUnderWay(30 * SECOND, 5 * MINUTE)).toBeLessThanOrEqual(90);
		expect(mostUnderWay(30 * SECOND, 5 * MINUTE)).toBeGreaterThan(20);
	});

	test('is kept busy all the same, also while the latency is looked at', async () => {
		const { between } = await busy();
		for (let minute = 0; minute < 5; minute++) {
			const answers = between(minute * MINUTE + SECOND, (minute + 1) * MINUTE + SECOND);
			expect(answers).toBeGreaterThanOrEqual(0.97 * 60 * 20);
		}
	});
});

test('a service that gets slower for good is used less, and within two minutes as much as before', async () => {
	const { mostUnderWay, for: run } = flood(Infinity, (now) =>
		now < 30 * SECOND ? 400 : 2 * SECOND,
	);
	await run(3 * MINUTE);
	expect(mostUnderWay(45 * SECOND, MINUTE)).toBeLessThan(100);
	expect(mostUnderWay(150 * SECOND, 3 * MINUTE)).toBeGreaterThan(150);
});

test('a refusal during a look at the latency is not forgotten after it', async () => {
	let refusals = 0;
	const { mostUnderWay, for: run } = flood(
		Infinity,
		() => SECOND,
		(now, underWay) => now > MINUTE && underWay <= 10 && refusals++ === 0,
	);
	await run(70 * SECOND);
	expect(refusals).toBeGreaterThan(0);
	expect(mostUnderWay(50 * SECOND, 60 * SECOND)).toBe(200);
	expect(mostUnderWay(63 * SECOND, 65 * SECOND)).toBeLessThanOrEqual(150);
});

describe('after each round of ten answers', () => {
	/** A window, and what it is after rounds of ten answers with these latencies in milliseconds. */
	function windowOf() {
		const window = createWindow(0);
		let now = 0;
		return {
			window,
			after(...latencies: number[]) {
				const sentAt = ++now;
				for (const latency of latencies) window.answered((now = sentAt + latency), sentAt);
				now = sentAt + Math.max(...latencies);
				return window.size();
			},
		};
	}
	const ten = (latency: number) => Array.from({ length: 10 }, () => latency);
	const slow = ten(1000);

	test('the window shrinks by how much more than three times as long the answers take', () => {
		const { after } = windowOf();
		expect(after(...ten(100))).toBe(200);
		expect(after(...slow)).toBeCloseTo(200 * 0.3);
	});

	test('one quick answer counts for nothing, two for the round, in any order', () => {
		const { after } = windowOf();
		after(...ten(100));
		expect(after(1000, 100, ...slow.slice(2))).toBeCloseTo(200 * 0.3);
		expect(after(100, 1000, 1000, 100, ...slow.slice(4))).toBeCloseTo(60 + Math.sqrt(60));
	});

	test('the window has room for ten, however slow the answers are', () => {
		const { after } = windowOf();
		after(...ten(100));
		expect(after(...ten(20_000))).toBe(10);
	});

	test('answers that were sent before the round began do not count', () => {
		const { window, after } = windowOf();
		after(...ten(100));
		for (let answer = 0; answer < 10; answer++) window.answered(5000, 50);
		expect(window.size()).toBe(200);
	});
});

test('each refusal halves the window, down to one request', () => {
	const window = createWindow(0);
	const sizes = Array.from({ length: 9 }, () => {
		window.refused(1);
		return window.size();
	});
	expect(sizes).toEqual([100, 50, 25, 12.5, 6.25, 3.125, 1.5625, 1, 1]);
});
