import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
	/** The longest wait, in milliseconds; a minute by default. */
	readonly timeoutMs?: number;
	/** Milliseconds between two looks. */
	readonly pauseMs?: number;
	/** Returns what there is instead, for the message of the error. */
	readonly seen?: () => unknown;
}

/**
 * Calls `look` again and again until it returns a result.
 *
 * @param what names what it waits for, e.g. `n8n to start`
 * @param look returns `undefined` as long as there is no result
 * @throws an error that says what it waited for and for how long, once the time is up
 */
export async function until<T>(
	what: string,
	look: () => Promise<T | undefined>,
	{ timeoutMs = 60_000, pauseMs = 50, seen }: WaitOptions = {},
): Promise<T> {
	const end = performance.now() + timeoutMs;
	for (;;) {
		const result = await look();
		if (result !== undefined) return result;
		if (performance.now() >= end) {
			const instead = seen ? `: ${String(await seen())}` : '.';
			throw new Error(`Timed out after ${timeoutMs / 1000} seconds waiting for ${what}${instead}`);
		}
		await sleep(pauseMs);
	}
}
