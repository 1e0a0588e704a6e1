import { setFlagsFromString } from 'v8';
import { runInNewContext } from 'vm';

import {
	createLimiterRegistry,
	type RateLimiter,
} from '../../../nodes/WalletScreening/pace/rateLimiter';
import { createTraffic, overBucket } from '../support/traffic';
import { createVirtualClock, settled } from '../support/virtualClock';

const PRO = { requestsPerSecond: 10, burst: 50 };
const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

test('the same key and limit share a limiter; another key or limit has another', () => {
	const limiterFor = createLimiterRegistry(createVirtualClock());
	const one = limiterFor('a', PRO);
	expect(limiterFor('a', { ...PRO })).toBe(one);
	expect(limiterFor('b', PRO)).not.toBe(one);
	expect(limiterFor('a', null)).not.toBe(one);
	expect(limiterFor('a', { ...PRO, burst: 51 })).not.toBe(one);
	expect(limiterFor('a', { ...PRO, requestsPerSecond: 11 })).not.toBe(one);
});

test('two registries share nothing', () => {
	const clock = createVirtualClock();
	const [one, other] = [createLimiterRegistry(clock), createLimiterRegistry(clock)];
	expect(one('a', PRO)).not.toBe(other('a', PRO));
});

test.each<[string, (limiter: RateLimiter) => void]>([
	['runs something', (limiter) => void limiter.run(async () => await new Promise(() => {}), {})],
	['has sent a burst', (limiter) => void limiter.run(async () => {}, {})],
	['was told of a 429', (limiter) => void limiter.run(async ({ limited }) => limited(1000), {})],
])('a limiter that %s stays when others come', async (_what, use) => {
	const limiterFor = createLimiterRegistry(createVirtualClock());
	const busy = limiterFor('busy', PRO);
	use(busy);
	await settled();
	for (let other = 0; other < 100; other++) limiterFor(`other ${other}`, PRO);
	expect(limiterFor('busy', PRO)).toBe(busy);
});

test('a key has one bucket, also when another key comes while its execution pauses', async () => {
	const clock = createVirtualClock();
	const limiterFor = createLimiterRegistry(clock);
	const first = createTraffic(clock, limiterFor('key', PRO));
	await clock.run(first.request());
	await clock.runUntil(clock.now() + 5 * MINUTE);
	limiterFor('another key', PRO);
	const second = createTraffic(clock, limiterFor('key', PRO));
	await clock.run(Promise.all([first.requests(50), second.requests(50)]));
	const times = [
		...first
			.times()
			.slice(1)
			.map((at) => at - 5 * MINUTE),
		...second.times(),
	];
	expect(
		overBucket(
			times.sort((a, b) => a - b),
			PRO,
		),
	).toBeLessThan(1e-6);
});

describe('when no execution holds a limiter any more', () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;

	/** Uses the limiter of a key, and forgets it; then other keys come. */
	async function usedAndDropped(
		limit: { requestsPerSecond: number; burst: number },
		use: (traffic: ReturnType<typeof createTraffic>) => void,
		pause: number,
	) {
		const clock = createVirtualClock();
		const limiterFor = createLimiterRegistry(clock);
		use(createTraffic(clock, limiterFor('key', limit)));
		await clock.runUntil(clock.now() + pause);
		limiterFor('another key', limit);
		await settled();
		collectGarbage();
		limiterFor('a third key', limit);
		return { clock, ...createTraffic(clock, limiterFor('key', limit)) };
	}

	test('a 429 is still waited for', async () => {
		const { clock, request, times } = await usedAndDropped(
			PRO,
			({ request: send }) => void send({ refusedFor: 4 * MINUTE }),
			MINUTE,
		);
		await clock.run(request());
		expect(times()[0]).toBeGreaterThanOrEqual(3 * MINUTE);
	});

	test('a burst of a slow plan is still remembered', async () => {
		const limit = { requestsPerSecond: 0.1, burst: 50 };
		const { clock, requests, between } = await usedAndDropped(
			limit,
			({ requests: send }) => void send(50),
			2 * MINUTE,
		);
		void requests(50);
		await clock.runUntil(clock.now() + 1);
		expect(between(0, 1)).toBeLessThanOrEqual(12);
	});

	test('what it learned after a long idle time is remembered', async () => {
		const clock = createVirtualClock();
		const limiterFor = createLimiterRegistry(clock);
		async function useAgain() {
			const { request } = createTraffic(clock, limiterFor('key', PRO));
			await clock.run(request());
			await clock.runUntil(clock.now() + DAY);
			limiterFor('another key', PRO);
			await clock.run(request({ refusedFor: 4 * MINUTE }));
		}
		await useAgain();
		await settled();
		collectGarbage();
		limiterFor('a third key', PRO);
		const { request, times } = createTraffic(clock, limiterFor('key', PRO));
		await clock.run(request());
		expect(times()[0]).toBeGreaterThanOrEqual(4 * MINUTE);
	});

	test('it does not stay in memory', async () => {
		const clock = createVirtualClock();
		const limiterFor = createLimiterRegistry(clock);
		const seen: Array<WeakRef<RateLimiter>> = [];
		for (let key = 0; key < 1000; key++) {
			const limiter = limiterFor(`key ${key}`, PRO);
			seen.push(new WeakRef(limiter));
			await createTraffic(clock, limiter).request();
		}
		await clock.runUntil(clock.now() + DAY);
		limiterFor('last', PRO);
		await settled();
		collectGarbage();
		expect(seen.filter((reference) => reference.deref()).length).toBeLessThan(10);
	});
});
