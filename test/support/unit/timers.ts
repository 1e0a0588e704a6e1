/**
 * Lets the process end while timers still run, until mocks are restored: a run that has ended may
 * leave pauses behind.
 */
export function unrefTimers() {
	const { setTimeout } = globalThis;
	jest
		.spyOn(globalThis, 'setTimeout')
		.mockImplementation(((...values: Parameters<typeof setTimeout>) =>
			setTimeout(...values).unref()) as typeof setTimeout);
}

/**
 * Replaces timers and dates, so that a test waits for nothing. `nextTick` and `setImmediate` stay
 * real.
 */
export function fakeTime(): void {
	jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
	// Jest cannot replace the timer inside of `AbortSignal.timeout`.
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(new Error('too late')), milliseconds);
		return controller.signal;
	});
}

/** Ends what `fakeTime` has done. */
export function realTime(): void {
	jest.restoreAllMocks();
	jest.useRealTimers();
}

/** Lets the time pass until `work` settles, and runs the timers that are due then. */
export async function inFakeTime<T>(work: Promise<T>): Promise<T> {
	let isOver = false;
	const markOver = () => void (isOver = true);
	void work.then(markOver, markOver);
	while (!isOver) await jest.advanceTimersByTimeAsync(100);
	await jest.advanceTimersByTimeAsync(0);
	return await work;
}
