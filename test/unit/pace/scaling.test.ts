import { shortest } from '../../simulation/scenarios';
import { type Figures, seeded, simulate } from '../../simulation/simulate';

/** Ten minutes from a start of all workers at once, the mean of three runs. */
async function figures(workers: number, latencyMs: number) {
	const runs: Figures[] = [];
	for (const seed of [11, 12, 13])
		runs.push(await simulate({ workers, latencyMs, seconds: 600 }, seeded(seed)));
	const mean = (figure: keyof Figures) =>
		runs.reduce((sum, run) => sum + run[figure], 0) / runs.length;
	return {
		limitUsed: mean('limitUsed'),
		refused: mean('refused'),
		fairness: mean('fairness'),
		longestWait: Math.max(...runs.map(({ longestWait }) => longestWait)),
		lost: mean('lost'),
	};
}

test('one worker uses the limit, and is never refused', async () => {
	const { limitUsed, refused, lost } = await figures(1, 100);
	expect(limitUsed).toBeGreaterThanOrEqual(0.97);
	expect([refused, lost]).toEqual([0, 0]);
});

test.each([
	{ workers: 2, latencyMs: 500, refusals: 0.03, shares: 0.9, seconds: 30 },
	{ workers: 4, latencyMs: 200, refusals: 0.03, shares: 0.9, seconds: 30 },
	{ workers: 16, latencyMs: 500, refusals: 0.03, shares: 0.82, seconds: 60 },
	{ workers: 128, latencyMs: 500, refusals: 0.1, shares: 0.65, seconds: 200 },
])(
	'$workers workers use the limit, are seldom refused and get like shares ($latencyMs ms)',
	async ({ workers, latencyMs, refusals, shares, seconds }) => {
		const { limitUsed, refused, fairness, longestWait, lost } = await figures(workers, latencyMs);
		expect(limitUsed).toBeGreaterThanOrEqual(0.95);
		expect(refused).toBeLessThan(refusals);
		expect(fairness).toBeGreaterThanOrEqual(shares);
		expect(longestWait).toBeLessThanOrEqual(seconds);
		expect(lost).toBe(0);
	},
	120_000,
);

test('a worker that is left alone uses the limit again within some minutes', async () => {
	const { limitUsed } = await simulate(
		{
			workers: 4,
			latencyMs: 200,
			seconds: 3600,
			shift: (worker) => ({ from: 0, to: worker === 0 ? 3600 : 180 }),
		},
		seeded(1),
	);
	expect(limitUsed).toBeGreaterThanOrEqual(0.95);
}, 120_000);

test('a list that four workers share is through in half as much again as the limit asks for', async () => {
	const times: number[] = [];
	for (const seed of [11, 12, 13, 14, 15]) {
		const starts = [0, 0.1, 0.3, 0.5];
		const { took, refused, lost } = await simulate(
			{
				workers: 4,
				latencyMs: 100,
				seconds: 600,
				items: 250,
				shift: (worker) => ({ from: starts[worker]!, to: Infinity }),
			},
			seeded(seed),
		);
		expect(refused).toBeLessThan(0.04);
		expect(lost).toBe(0);
		times.push(took / shortest);
	}
	expect(times.sort((a, b) => a - b)[2]).toBeLessThanOrEqual(1.5);
}, 120_000);
