import { numbersFrom, seed } from '../../support/random';
import { createVirtualClock, settled } from './virtualClock';

test('sleeps end in the order of their times, equal ones in the order of their begin', async () => {
	const clock = createVirtualClock(1000);
	const ended: Array<[string, number]> = [];
	for (const [name, ms] of [
		['c', 30],
		['a', 10],
		['b', 20],
		['a2', 10],
	] as const) {
		void clock.sleep(ms).then(() => ended.push([name, clock.now()]));
	}
	await clock.runUntilIdle();
	expect(ended).toEqual([
		['a', 1010],
		['a2', 1010],
		['b', 1020],
		['c', 1030],
	]);
	expect(clock.pending()).toBe(0);
});

test('what follows from a sleep happens before the next one ends', async () => {
	const clock = createVirtualClock(0);
	const seen: number[] = [];
	void (async () => {
		await clock.sleep(10);
		for (let turn = 0; turn < 20; turn++) await Promise.resolve();
		seen.push(clock.now());
		await clock.sleep(5);
		seen.push(clock.now());
	})();
	void clock.sleep(11).then(() => seen.push(clock.now()));
	await clock.runUntilIdle();
	expect(seen).toEqual([10, 11, 15]);
});

test('it stops at a time, and stands there', async () => {
	const clock = createVirtualClock(0);
	const ended: number[] = [];
	for (const ms of [10, 20, 30]) void clock.sleep(ms).then(() => ended.push(ms));
	await clock.runUntil(20);
	expect([ended, clock.now(), clock.pending()]).toEqual([[10, 20], 20, 1]);
	await clock.runUntil(25);
	expect([ended, clock.now()]).toEqual([[10, 20], 25]);
	await clock.runUntil(5);
	expect(clock.now()).toBe(25);
});

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

test(`1,000 sleeps in any order end in order (TEST_SEED=${seed})`, async () => {
	const clock = createVirtualClock(0);
	const random = numbersFrom(seed);
	const ended: number[] = [];
	const begun = Array.from({ length: 1000 }, () => 1 + Math.floor(random() * 500));
	for (const ms of begun) void clock.sleep(ms).then(() => ended.push(ms));
	await clock.runUntilIdle();
	expect(ended).toEqual(begun.sort((one, other) => one - other));
});
