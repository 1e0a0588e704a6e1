import type { Scenario } from './simulate';

/**
 * A list of 1,000 addresses that workers share evenly. Each worker begins `gapSeconds` after the
 * one before.
 */
function list(workers: number, gapSeconds = 0): Scenario {
	const each = 1000 / workers;
	return {
		workers,
		gapSeconds,
		latencyMs: 100,
		seconds: 20 * 60,
		items: (worker) => Math.floor((worker + 1) * each) - Math.floor(worker * each),
	};
}

export const lists = [1, 2, 4, 8, 16, 64].map((workers) => list(workers));
export const listWithGaps = list(16, 5);

/** More requests than the limit allows, for ten minutes. */
export const endless: Scenario[] = [4, 16].map((workers) => ({
	workers,
	gapSeconds: 0,
	latencyMs: 200,
	seconds: 600,
}));

/** The scenario with a credential that states the number of workers. */
export const stated = (scenario: Scenario) => ({ ...scenario, sharedBy: scenario.workers });
