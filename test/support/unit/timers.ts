/**
 * Lets the process end while timers still run, because an execution may leave pauses behind when it
 * ends. Restoring the mocks ends this.
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
export function useFakeTime(): void {
	jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
	// Jest cannot replace the timer inside of `AbortSignal.timeout`.
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(new Error('too late')), milliseconds);
		return controller.signal;
	});
}

/** Ends what `useFakeTime` has done. */
export function useRealTime(): void {
	jest.restoreAllMocks();
	jest.useRealTimers();
}

/** Lets time pass until `work` settles, and runs the timers that are due by then. */
export async function runInFakeTime<T>(work: Promise<T>): Promise<T> {
	let hasSettled = false;
	const markSettled = () => void (hasSettled = true);
	void work.then(markSettled, markSettled);
	while (!hasSettled) await jest.advanceTimersByTimeAsync(100);
	await jest.advanceTimersByTimeAsync(0);
	return await work;
}
