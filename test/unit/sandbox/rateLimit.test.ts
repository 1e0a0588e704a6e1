import { createRateLimiter, proPlan } from '../../../sandbox/rateLimit';

/** A rate limiter, and its clock in milliseconds. */
function limiterAt(requestsPerSecond: number, burst: number) {
	const clock = { now: 0 };
	const takeTurn = createRateLimiter({ requestsPerSecond, burst }, () => clock.now);
	return { clock, takeTurn };
}

it('has the numbers of section 8 for the Pro plan', () => {
	expect(proPlan).toEqual({ requestsPerSecond: 10, burst: 50 });
});

it('lets the burst pass at once, and then as many in a second as the rate', () => {
	const { clock, takeTurn } = limiterAt(10, 50);
	const passes = (count: number) =>
		Array.from({ length: count }, () => takeTurn('key')).filter((wait) => wait === 0).length;
	expect(passes(60)).toBe(50);
	clock.now += 1000;
	expect(passes(60)).toBe(10);
	// A long pause fills the bucket only to its brim.
	clock.now += 3_600_000;
	expect(passes(60)).toBe(50);
});

it.each([
	[10, 1, 'a header has whole seconds, and 0 would not be a wait'],
	[1, 1, 'the next one passes after a second'],
	[0.2, 5, 'the next one passes after five seconds'],
	[0.3, 4, '3.3 seconds are not enough'],
])('at %d requests a second it asks for a pause of %i seconds: %s', (rate, seconds) => {
	const { clock, takeTurn } = limiterAt(rate, 1);
	expect([takeTurn('key'), takeTurn('key')]).toEqual([0, seconds]);
	clock.now += seconds * 1000;
	expect(takeTurn('key')).toBe(0);
});

it('counts each key by itself', () => {
	const { takeTurn } = limiterAt(1, 1);
	expect([takeTurn('one'), takeTurn('other'), takeTurn('one')]).toEqual([0, 0, 1]);
});
