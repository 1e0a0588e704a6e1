import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../tools/host/until';
import { seed } from '../data/random';

/** How often each test kills n8n; 20 is what the workflows are meant to survive. */
export const kills = Number(process.env.KILLS || 1);

/** Milliseconds in which n8n has to do everything, including all kills. */
export const timeoutMs = 300_000 + kills * 300_000;

/** The end of a test's name. */
export const withKills = `with ${kills} kills (TEST_SEED=${seed})`;

/** Prints the figures of a long run: one for which a person has set `KILLS`. */
export function printFigures(figures: Record<string, number>): void {
	if (process.env.KILLS) console.log({ kills, ...figures });
}

/** A moment at which n8n is killed: the promise resolves when it comes. */
export type Moment = () => Promise<unknown>;

const maxDelayMs = 40;

/** Waits for one of the moments, and then a random time up to `maxDelayMs`. */
export async function waitForAny(moments: readonly Moment[], random: () => number): Promise<void> {
	await moments[Math.floor(random() * moments.length)]!();
	await sleep(random() * maxDelayMs);
}

/**
 * Waits until a figure is higher than at the call, or until `isOver`, because a figure that is high
 * only for a moment can be missed.
 *
 * @param what names what it waits for
 */
export async function untilItGrows(
	what: string,
	look: () => number | Promise<number>,
	isOver: () => boolean | Promise<boolean> = () => false,
): Promise<void> {
	const before = await look();
	const seen = async () => (await look()) > before || (await isOver()) || undefined;
	await until(what, seen, { pauseMs: 1, timeoutMs });
}
