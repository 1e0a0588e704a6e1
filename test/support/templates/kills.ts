import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../tools/host/until';
import { seed } from '../data/random';

/** How often each test kills n8n. The workflows are meant to survive 20 times. */
export const killCount = Number(process.env.KILLS || 1);

/** Milliseconds in which n8n has to do everything, including all kills. */
export const timeoutMs = 300_000 + killCount * 300_000;

/** The end of a test's name. */
export const killsInName = `with ${killCount} kills (TEST_SEED=${seed})`;

/** Prints the figures of a long run: one for which a person has set `KILLS`. */
export function printFigures(figures: Record<string, number>): void {
	if (process.env.KILLS) console.log({ kills: killCount, ...figures });
}

/** Waits for a moment at which n8n is to be killed. */
export type WaitForMoment = () => Promise<unknown>;

const maxDelayMs = 40;

/** Waits for one of the moments, and then a random time up to `maxDelayMs`. */
export async function waitForAny(
	moments: readonly WaitForMoment[],
	random: () => number,
): Promise<void> {
	await moments[Math.floor(random() * moments.length)]!();
	await sleep(random() * maxDelayMs);
}

/**
 * Waits until a figure is higher than at the call. If it is high only for a moment, that can be
 * missed, so this also ends when `isOver` returns true.
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
