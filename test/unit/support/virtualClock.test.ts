import { numbersFrom, seed } from '../../support/random';
import { createVirtualClock, settled } from './virtualClock';

test('it runs until a piece of work is done, and no further', async () => {
	const clock = createVirtualClock(0);
	void clock.sleep(1000);
	await expect(clock.run(clock.sleep(10).then(() => 'done'))).resolves.toBe('done');
	expect(clock.now()).toBe(10);
	const fault = new Error('fault');
	await expect(clock.run(clock.sleep(10).then(() => Promise.reject(fault)))).rejects.toBe(fault);
	await expect(clock.run(Promise.resolve(1))).resolves.toBe(1);
	await expect(clock.run(new Promise(() => {}))).rejects.toThrow('Nothing is left');
});

test('a sleep takes at least 1 ms and only what a real timer can do', async () => {
	const clock = createVirtualClock(0);
	await clock.run(clock.sleep(0));
	await clock.run(clock.sleep(-5));
	await clock.run(clock.sleep(1.9));
	expect(clock.now()).toBe(3);
	for (const ms of [NaN, Infinity, 2 ** 31]) expect(() => clock.sleep(ms)).toThrow(RangeError);
});

test('the sleeps of whom a signal stops reject with its reason', async () => {
	const clock = createVirtualClock(0);
	const stop = new AbortController();
	const theirs = clock.stoppedBy(stop.signal);
	await clock.run(theirs.sleep(10));
	const rejected = expect(theirs.sleep(10)).rejects.toThrow('stopped');
	const others = clock.sleep(10);
	stop.abort(new Error('stopped'));
	await settled();
	await rejected;
	await expect(theirs.sleep(10)).rejects.toThrow('stopped');
	await clock.run(others);
	expect([theirs.now(), clock.now()]).toEqual([20, 20]);
});

test(`1,000 sleeps in any order end in order, and up to a time only if asked to (TEST_SEED=${seed})`, async () => {
	const clock = createVirtualClock(0);
	const random = numbersFrom(seed);
	const ended: Array<[number, number]> = [];
	const begun = Array.from({ length: 1000 }, () => 1 + Math.floor(random() * 500));
	for (const [at, ms] of begun.entries()) void clock.sleep(ms).then(() => ended.push([ms, at]));
	await clock.runUntil(250);
	expect([clock.now(), clock.pending()]).toEqual([250, 1000 - ended.length]);
	expect(Math.max(...ended.map(([ms]) => ms))).toBeLessThanOrEqual(250);
	await clock.runUntilIdle();
	// Equal ones in the order of their begin.
	expect(ended).toHaveLength(1000);
	expect([...ended].sort(([a, i], [b, j]) => a - b || i - j)).toEqual(ended);
});
