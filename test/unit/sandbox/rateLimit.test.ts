import { createRateLimiter, proPlan, type Turn } from '../../../sandbox/rateLimit';

const limiterAt = (clock: { ms: number }, limit = proPlan) =>
	createRateLimiter(limit, () => clock.ms);
const waits = (count: number, take: () => Turn) => Array.from({ length: count }, () => take().wait);

describe('rate limit of the Pro plan', () => {
	it('is 10 requests a second with a burst of 50', () => {
		expect(proPlan).toEqual({ requestsPerSecond: 10, burst: 50 });
	});

	it('lets 50 requests pass at once and holds the 51st', () => {
		const take = limiterAt({ ms: 0 });
		expect(waits(51, () => take('key'))).toEqual([...Array(50).fill(0), 1]);
	});

	it('lets 10 more pass for each second that goes by, and no more than 50 after a long time', () => {
		const clock = { ms: 0 };
		const take = limiterAt(clock);
		waits(60, () => take('key'));
		clock.ms = 1000;
		expect(waits(11, () => take('key'))).toEqual([...Array(10).fill(0), 1]);
		clock.ms = 1_000_000;
		expect(waits(51, () => take('key')).filter((wait) => wait === 0)).toHaveLength(50);
	});

	it('counts each key on its own', () => {
		const take = limiterAt({ ms: 0 });
		waits(50, () => take('one'));
		expect(take('one').wait).toBe(1);
		expect(take('other').wait).toBe(0);
	});
});

it('says in whole seconds when the next request passes', () => {
	const clock = { ms: 0 };
	const take = limiterAt(clock, { requestsPerSecond: 0.4, burst: 1 });
	take('key');
	expect(take('key').wait).toBe(3);
	clock.ms = 2499;
	expect(take('key').wait).toBe(1);
	clock.ms = 2500;
	expect(take('key').wait).toBe(0);
});

it('says how many requests are left, and in whole seconds when all are', () => {
	const clock = { ms: 0 };
	const take = limiterAt(clock, { requestsPerSecond: 2, burst: 4 });
	expect(take('key')).toEqual({ wait: 0, remaining: 3, reset: 1 });
	waits(2, () => take('key'));
	clock.ms = 250;
	expect(take('key')).toEqual({ wait: 0, remaining: 0, reset: 2 });
});
