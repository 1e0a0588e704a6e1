import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
	/** Milliseconds after which it stops waiting; a minute by default. */
	readonly patience?: number;
	/** Milliseconds between two looks. */
	readonly pause?: number;
	/** What an observer sees instead, for the error. */
	readonly seen?: () => unknown;
}

/**
 * Looks again and again until there is something.
 *
 * @param what is waited for, e.g. `n8n to start`
 * @param look gives `undefined` while there is nothing yet
 * @throws what it waited for and for how long, when patience is at its end
 */
export async function until<T>(
	what: string,
	look: () => Promise<T | undefined>,
	{ patience = 60_000, pause = 50, seen }: Patience = {},
): Promise<T> {
	const end = performance.now() + patience;
	for (;;) {
		const result = await look();
		if (result !== undefined) return result;
		if (performance.now() >= end) {
			const instead = seen ? `: ${String(await seen())}` : '.';
			throw new Error(`Waited ${patience / 1000} seconds for ${what}, in vain${instead}`);
		}
		await sleep(pause);
	}
}
