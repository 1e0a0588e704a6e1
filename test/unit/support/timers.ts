/** Lets the process end while a timer runs: the pauses that an ended run no longer waits for. Until mocks are restored. */
export function unholdTimers() {
	const { setTimeout } = globalThis;
	jest
		.spyOn(globalThis, 'setTimeout')
		.mockImplementation(((...values: Parameters<typeof setTimeout>) =>
			setTimeout(...values).unref()) as typeof setTimeout);
}
