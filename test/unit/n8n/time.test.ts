import { getEventListeners } from 'events';

import { systemClock, unlessAborted } from '../../../nodes/WalletScreening/n8n/time';
import { stopButton } from '../support/stopButton';
import { settled } from '../support/virtualClock';

const stopped = new Error('stopped');

describe('work that a signal may end', () => {
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

	test('leaves no listener behind, however it ends', async () => {
		const { signal } = stopButton();
		const pressed = stopButton();
		const work = [
			unlessAborted(Promise.resolve(1), [signal, undefined]),
			unlessAborted(Promise.reject(stopped), [signal]),
			unlessAborted(new Promise(() => {}), [signal, pressed.signal]),
		];
		expect(getEventListeners(signal, 'abort')).toHaveLength(3);
		pressed.abort(stopped);
		expect(await Promise.allSettled(work)).toEqual([
			{ status: 'fulfilled', value: 1 },
			...[1, 2].map(() => ({ status: 'rejected', reason: stopped })),
		]);
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
