import { systemClock } from '../../../nodes/WalletScreening/transport/clock';
import { createStopButton } from '../../support/unit/stopButton';

describe('the clock of the machine', () => {
	test("does not follow a change of the machine's time", () => {
		const { now } = systemClock();
		const began = now();
		const jump = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 31 * 60_000);
		expect(now() - began).toBeLessThan(60_000);
		jump.mockRestore();
	});

	test('ends a sleep as soon as the user stops the execution', async () => {
		const stopped = new Error('stopped');
		const stop = createStopButton();
		const sleep = systemClock(stop.signal).sleep(50);
		stop.abort(stopped);
		await expect(sleep).rejects.toBe(stopped);
	});
});
