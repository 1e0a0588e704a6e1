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
