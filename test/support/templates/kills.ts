import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../tools/host/until';
import { seed } from '../data/random';

/** How often each test kills n8n; 20 is what the workflows are meant to survive. */
export const kills = Number(process.env.KILLS || 1);

/** Milliseconds that n8n may take until all is done, after all kills. */
export const patience = 300_000 + kills * 300_000;

/** The end of a test's name. */
export const withKills = `with ${kills} kills (TEST_SEED=${seed})`;

/** A schedule under which runs overlap: one may last longer than the time to the next. */
export const everyFiveSeconds = {
	parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 5 }] } },
};

/** Prints what happened in a long run, which a person who sets `KILLS` wants to know. */
export function printFigures(figures: Record<string, number>): void {
	if (process.env.KILLS) console.log({ kills, ...figures });
}

/** A time at which n8n is killed: the function returns when it has come. */
export type Moment = () => Promise<unknown>;

/** Waits for one of the moments, and then up to 40 milliseconds more. */
export async function waitForAny(moments: readonly Moment[], random: () => number): Promise<void> {
	await moments[Math.floor(random() * moments.length)]!();
	await sleep(random() * 40);
}

/**
 * Waits until a figure is higher than now, or until `isOver`: what lasts a moment may go unseen.
 */
export async function untilItGrows(
	what: string,
	look: () => number | Promise<number>,
	isOver: () => boolean | Promise<boolean> = () => false,
): Promise<void> {
	const before = await look();
	const seen = async () => (await look()) > before || (await isOver()) || undefined;
	await until(what, seen, { pause: 1, patience });
}
