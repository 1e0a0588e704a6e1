import { limit, type Scenario } from './simulate';

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
function dealt(name: string, starts: number[]): Named {
	return {
		name,
		workers: starts.length,
		latencyMs: 100,
		seconds: minutes(20),
		items: listLength / starts.length,
		shift: (worker) => ({ from: starts[worker]!, to: Infinity }),
	};
}

const listLength = 1000;
/** The time that the limit asks for, in seconds. */
export const shortest = (listLength - limit.burst) / limit.requestsPerSecond;

export const lists: Named[] = [
	dealt('1', [0]),
	dealt('2, half a second apart', [0, 0.5]),
	dealt('2, 5 s apart', [0, 5]),
	dealt('4 together', [0, 0, 0, 0]),
	dealt('4 within half a second', [0, 0.1, 0.3, 0.5]),
	dealt('4 within 3 s', [0, 1, 2, 3]),
	dealt('4, one of them 8 s late', [0, 0, 0, 8]),
	dealt('8 within a second', [0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1]),
];
