import type { Scenario } from './simulate';

/** A list of 1,000 addresses that is dealt evenly to workers, who begin so many seconds after each other. */
function list(workers: number, apart = 0): Scenario {
	const each = 1000 / workers;
	return {
		workers,
		apart,
		latencyMs: 100,
		seconds: 20 * 60,
		items: (worker) => Math.floor((worker + 1) * each) - Math.floor(worker * each),
	};
}

export const lists = [1, 2, 4, 8, 16, 64].map((workers) => list(workers));
export const apart = list(16, 5);

/** More requests than the limit allows, for ten minutes. */
export const endless: Scenario[] = [4, 16].map((workers) => ({
	workers,
	apart: 0,
	latencyMs: 200,
	seconds: 600,
}));

/** The same with the number of workers stated. */
export const stated = (scenario: Scenario) => ({ ...scenario, sharedBy: scenario.workers });
