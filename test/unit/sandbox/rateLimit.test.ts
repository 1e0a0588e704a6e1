import { createRateLimiter, proPlan, type Turn } from '../../../sandbox/rateLimit';

const waits = (count: number, take: () => Turn) => Array.from({ length: count }, () => take().wait);

it('the Pro plan lets 50 requests of a key pass at once, and 10 more for each second', () => {
	const clock = { ms: 0 };
	const take = createRateLimiter(proPlan, () => clock.ms);
	expect(waits(51, () => take('key'))).toEqual([...Array(50).fill(0), 1]);
	expect(take('other').wait).toBe(0);
	clock.ms = 1000;
	expect(waits(11, () => take('key'))).toEqual([...Array(10).fill(0), 1]);
	clock.ms = 1_000_000;
	expect(waits(51, () => take('key')).filter((wait) => wait === 0)).toHaveLength(50);
});

it('says in whole seconds when the next request passes', () => {
	const clock = { ms: 0 };
	const take = createRateLimiter({ requestsPerSecond: 0.4, burst: 1 }, () => clock.ms);
	const waitAt = (ms: number) => {
		clock.ms = ms;
		return take('key').wait;
	};
	expect([0, 0, 2499, 2500].map(waitAt)).toEqual([0, 3, 1, 0]);
});
