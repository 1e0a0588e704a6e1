import type { Scenario } from './simulate';

/** A list that is dealt evenly to workers, who begin so many seconds after the first. */
function list(
	name: string,
	starts: number[],
	{ addresses = 1000, ...changes }: Partial<Scenario> & { addresses?: number } = {},
): Scenario {
	const each = addresses / starts.length;
	return {
		name,
		workers: starts.length,
		latencyMs: 100,
		seconds: 20 * 60,
		items: (worker) => Math.floor((worker + 1) * each) - Math.floor(worker * each),
		shift: (worker) => ({ from: starts[worker]!, to: Infinity }),
		...changes,
	};
}

const starts = (workers: number, apart = 0) =>
	Array.from({ length: workers }, (_, worker) => worker * apart);

export const alone = list('1', starts(1));

export const lists: Scenario[] = [
	...[2, 4, 8, 16].map((workers) => list(`${workers}`, starts(workers))),
	list('16, 5 s apart', starts(16, 5)),
	list('8, one is late', [...starts(7), 8]),
	list('16, half leave', starts(16), {
		shift: (worker) => ({ from: 0, to: worker < 8 ? 30 : Infinity }),
	}),
];

export const shortLists: Scenario[] = [list('8, short list', starts(8), { addresses: 300 })];

export const crowds = [64, 128].map((workers) => list(`${workers}`, starts(workers)));

/** More requests than the limit allows, for ten minutes. */
export const endless = [4, 16].map((workers) => ({
	name: `${workers}`,
	workers,
	latencyMs: 200,
	seconds: 600,
}));

/** The same with the number of workers stated. */
export const stated = (scenario: Scenario) => ({ ...scenario, sharedBy: scenario.workers });
