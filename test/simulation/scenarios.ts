import type { Scenario } from './simulate';

export interface Named extends Scenario {
	name: string;
}

const minutes = (count: number) => count * 60;

/** How many workers, at every latency. */
export const together: Named[] = [1, 2, 4, 8, 16, 32, 64, 128].flatMap((workers) =>
	[50, 200, 500, 2000].map((latencyMs) => ({
		name: `${workers}`,
		workers,
		latencyMs,
		seconds: minutes(10),
	})),
);

/** What becomes of it when everybody stays. */
export const anHour: Named[] = [4, 16, 64, 128].map((workers) => ({
	name: `${workers}`,
	workers,
	latencyMs: 200,
	seconds: minutes(60),
}));

const all = { from: 0, to: Infinity };

/** Workers that come and go. */
export const comeAndGo: Named[] = [
	{
		name: '4, one more each 30 s',
		workers: 4,
		latencyMs: 200,
		seconds: minutes(10),
		shift: (worker) => ({ from: worker * 30, to: Infinity }),
	},
	{
		name: '4, one more each 30 s, after an hour',
		workers: 4,
		latencyMs: 200,
		seconds: minutes(60),
		shift: (worker) => ({ from: worker * 30, to: Infinity }),
	},
	{
		name: '16, one more each 10 s',
		workers: 16,
		latencyMs: 200,
		seconds: minutes(10),
		shift: (worker) => ({ from: worker * 10, to: Infinity }),
	},
	{
		name: '128, one more each second',
		workers: 128,
		latencyMs: 200,
		seconds: minutes(10),
		shift: (worker) => ({ from: worker, to: Infinity }),
	},
	{
		name: '8, then 8 more after 4 min',
		workers: 16,
		latencyMs: 200,
		seconds: minutes(10),
		shift: (worker) => (worker < 8 ? all : { from: minutes(4), to: Infinity }),
	},
	{
		name: '16, of which 8 leave after 3 min',
		workers: 16,
		latencyMs: 200,
		seconds: minutes(10),
		shift: (worker) => (worker < 8 ? all : { from: 0, to: minutes(3) }),
	},
	{
		name: '4, of which 3 leave after 3 min',
		workers: 4,
		latencyMs: 200,
		seconds: minutes(10),
		shift: (worker) => (worker < 1 ? all : { from: 0, to: minutes(3) }),
	},
	{
		name: '16 at a time: each stays 8 min, then another takes its place',
		workers: 135,
		latencyMs: 200,
		seconds: minutes(60),
		shift: (worker) => ({ from: (worker - 15) * 30, to: (worker + 1) * 30 }),
	},
];

/** A list of 1,000 addresses that is dealt evenly to workers, who begin so many seconds after the first. */
function dealt(
	name: string,
	starts: number[],
	changes: Partial<Named> = {},
	requests = 1000,
): Named {
	const each = requests / starts.length;
	return {
		name,
		workers: starts.length,
		latencyMs: 100,
		seconds: minutes(20),
		items: (worker) => Math.floor((worker + 1) * each) - Math.floor(worker * each),
		shift: (worker) => ({ from: starts[worker]!, to: Infinity }),
		...changes,
	};
}

const starts = (workers: number, apart: number) =>
	Array.from({ length: workers }, (_, worker) => worker * apart);

/** A single worker, also if the credential wrongly says that there are more. */
export const alone: Named[] = [undefined, 1, 4, 16, 128].map((sharedBy) => ({
	...dealt(sharedBy === undefined ? 'not stated' : `${sharedBy} stated`, [0]),
	sharedBy,
}));

export const lists: Named[] = [2, 4, 8, 16].flatMap((workers) => [
	dealt(`${workers} together`, starts(workers, 0)),
	dealt(`${workers} within a second`, starts(workers, 1 / (workers - 1))),
	dealt(`${workers}, 5 s apart`, starts(workers, 5)),
	dealt(`${workers}, one of them 8 s late`, [...starts(workers - 1, 0), 8]),
	dealt(`${workers}, of which half leave after 30 s`, starts(workers, 0), {
		shift: (worker) => ({ from: 0, to: worker < workers / 2 ? 30 : Infinity }),
	}),
]);

/** One night's requests: single screenings, or two for each 1,000 addresses in bulk. */
export const nights: Named[] = (
	[
		['1,000 screened', 1000],
		['100,000 screened', 100_000],
		['100,000 in bulk', 200],
		['10 million in bulk', 20_000],
	] as const
).flatMap(([what, requests]) =>
	[1, 4, 16, 128].map((workers) =>
		dealt(
			`${what}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
			starts(workers, 0),
			{ sharedBy: workers, seconds: minutes(20) + requests / 9 },
			requests,
		),
	),
);

/** Many workers on one list. */
export const crowds: Named[] = [64, 128].map((workers) =>
	dealt(`${workers} together`, starts(workers, 0)),
);

/** The same, where the service says what is left of the limit. */
export const withHeaders: Named[] = [1, 2, 4, 8, 16].map((workers) =>
	dealt(`${workers} together`, starts(workers, 0), { headers: true }),
);

/** Workers, and how many of them the credential states. */
export const misstated: Named[] = (
	[
		[4, 2],
		[8, 2],
		[16, 4],
		[2, 4],
		[2, 16],
		[4, 16],
	] as const
).map(([workers, sharedBy]) => ({
	name: `${workers}, ${sharedBy} stated`,
	workers,
	sharedBy,
	latencyMs: 200,
	seconds: minutes(10),
}));

/** The same with the number of workers stated. */
export const stated = (scenarios: Named[]): Named[] =>
	scenarios.map((scenario) => ({ ...scenario, sharedBy: scenario.workers }));
