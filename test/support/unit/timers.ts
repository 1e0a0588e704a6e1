/**
 * Lets the process end while timers run, as no one waits for the pauses of a run that has ended.
 * Until mocks are restored.
 */
export function unholdTimers() {
	const { setTimeout } = globalThis;
	jest
		.spyOn(globalThis, 'setTimeout')
		.mockImplementation(((...values: Parameters<typeof setTimeout>) =>
			setTimeout(...values).unref()) as typeof setTimeout);
}
