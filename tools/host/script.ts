/** What Ctrl+C does. A process that a script has started ends with it. */
let interrupt = (): void => process.exit(130);

/**
 * Runs the main function of an npm script. If it fails, prints the message of the error, which is
 * for a person, and ends with status 1, and with it all processes that it started.
 */
export function runScript(main: () => Promise<void>): void {
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt());
	main().catch((error: Error) => {
		console.error(error.message);
		process.exit(1);
	});
}

/** Waits for Ctrl+C, which from now on does nothing else. Before, it ends the script at once. */
export async function untilInterrupted(): Promise<void> {
	await new Promise<void>((resolve) => (interrupt = resolve));
}
