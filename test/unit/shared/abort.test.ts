import { getEventListeners } from 'events';

import { unlessAborted } from '../../../nodes/WalletScreening/shared/abort';
import { createStopButton } from '../../support/unit/stopButton';
import { settlePromises } from '../../support/unit/virtualClock';

const stopped = new Error('stopped');

describe('work that a signal may end', () => {
	test('settles by itself or with the reason of either signal, and leaves no listener behind', async () => {
		const { signal } = createStopButton();
		const pressed = createStopButton();
		const never = new Promise(() => {});
		const work = [
			unlessAborted(Promise.resolve(1), [signal, undefined]),
			unlessAborted(Promise.reject(stopped), [signal]),
			unlessAborted(never, [signal, pressed.signal]),
			unlessAborted(never, [pressed.signal, signal]),
			unlessAborted(never, [signal, AbortSignal.abort(stopped)]),
		];
		// Node warns of a leak from eleven listeners on, and so many items may wait for one signal.
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		pressed.abort(stopped);
		expect(await Promise.allSettled(work)).toEqual([
			{ status: 'fulfilled', value: 1 },
			...[1, 2, 3, 4].map(() => ({ status: 'rejected', reason: stopped })),
		]);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('that fails too late disturbs no one', async () => {
		let fail = (_reason: Error) => {};
		const work = new Promise((_resolve, reject) => (fail = reject));
		await expect(unlessAborted(work, [AbortSignal.abort(stopped)])).rejects.toBe(stopped);
		// An unhandled rejection would end the process, and does end the test.
		fail(new Error('late'));
		await settlePromises();
	});
});
