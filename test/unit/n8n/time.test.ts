import { getEventListeners } from 'events';

import { systemClock, unlessAborted } from '../../../nodes/WalletScreening/n8n/time';
import { stopButton } from '../support/stopButton';
import { settled } from '../support/virtualClock';

const stopped = new Error('stopped');

describe('work that a signal may end', () => {
	test('settles as it would without', async () => {
		const { signal } = stopButton();
		const fault = new Error('fault');
		await expect(unlessAborted(Promise.resolve(1), [signal])).resolves.toBe(1);
		await expect(unlessAborted(Promise.resolve(1), [])).resolves.toBe(1);
		await expect(unlessAborted(Promise.resolve(1), [undefined, signal])).resolves.toBe(1);
		await expect(unlessAborted(Promise.reject(fault), [signal])).rejects.toBe(fault);
	});

	test('rejects with the reason of the signal that is aborted, whichever it is', async () => {
		const never = new Promise(() => {});
		for (const which of [0, 1]) {
			const buttons = [stopButton(), stopButton()];
			const outcome = expect(
				unlessAborted(
					never,
					buttons.map(({ signal }) => signal),
				),
			).rejects.toBe(stopped);
			await settled();
			buttons[which]!.abort(stopped);
			await outcome;
		}
		await expect(unlessAborted(never, [AbortSignal.abort(stopped)])).rejects.toBe(stopped);
	});

	test('leaves no listener behind', async () => {
		const { signal } = stopButton();
		const work = Array.from({ length: 1000 }, async () => {
			await unlessAborted(settled(), [signal]);
		});
		expect(getEventListeners(signal, 'abort')).toHaveLength(1000);
		await Promise.all(work);
		await unlessAborted(Promise.reject(stopped), [signal]).catch(() => {});
		expect(getEventListeners(signal, 'abort')).toEqual([]);

		const pressed = stopButton();
		const ended = unlessAborted(new Promise(() => {}), [signal, pressed.signal]);
		pressed.abort(stopped);
		await expect(ended).rejects.toBe(stopped);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('that fails although its signal was aborted before disturbs no one', async () => {
		const work = Promise.reject(new Error('late'));
		await expect(unlessAborted(work, [AbortSignal.abort(stopped)])).rejects.toBeInstanceOf(Error);
		await settled();
	});

	test('that fails after the signal has ended it disturbs no one', async () => {
		const stop = stopButton();
		let fail = (_reason: Error) => {};
		const work = new Promise((_resolve, reject) => (fail = reject));
		const outcome = expect(unlessAborted(work, [stop.signal])).rejects.toBe(stopped);
		stop.abort(stopped);
		await outcome;
		// An unhandled rejection would end the process, and does end the test.
		fail(new Error('late'));
		await settled();
	});
});

describe('the clock of the machine', () => {
	test('tells milliseconds', async () => {
		const { now, sleep } = systemClock();
		const [began, beganByDate] = [now(), Date.now()];
		await sleep(50);
		expect(now() - began).toBeGreaterThanOrEqual(49);
		// Only a machine that was stopped in between, or whose time was set, is off by more.
		expect(Math.abs(now() - began - (Date.now() - beganByDate))).toBeLessThan(10_000);
	});

	test.each([31 * 60_000, -31 * 60_000])(
		"does not follow a change of the machine's time by %i ms",
		(jump) => {
			const { now } = systemClock();
			const began = now();
			const { now: dateNow } = Date;
			jest.spyOn(Date, 'now').mockImplementation(() => dateNow() + jump);
			expect(now()).toBeGreaterThanOrEqual(began);
			expect(now() - began).toBeLessThan(60_000);
			jest.restoreAllMocks();
		},
	);

	test('ends a sleep as soon as the user stops the execution', async () => {
		const stop = stopButton();
		const sleep = systemClock(stop.signal).sleep(50);
		stop.abort(stopped);
		await expect(sleep).rejects.toBe(stopped);
		await expect(systemClock(stop.signal).sleep(50)).rejects.toBe(stopped);
	});
});
