import { alone, crowds, endless, lists, shortLists, stated } from '../../simulation/scenarios';
import { meanOf, type Scenario } from '../../simulation/simulate';

/** `npm run simulate` makes more runs of each. */
const seeds = [11];

const nameOf = ({ name, sharedBy = 1 }: Scenario) => `${name} workers, ${sharedBy} stated,`;

const bounds: Array<[Scenario, number, number]> = [
	[alone, 1.03, 0],
	[stated(alone), 1.03, 0],
	[{ ...alone, sharedBy: 16 }, 1.03, 0],
	...lists.map((list) => [stated(list), 1.25, 0.1] as [Scenario, number, number]),
	...lists.map((list) => [list, 1.25, 0.15] as [Scenario, number, number]),
	...shortLists.map((list) => [list, 1.5, 0.1] as [Scenario, number, number]),
	...crowds.map((crowd) => [stated(crowd), 1.5, 0.15] as [Scenario, number, number]),
	[{ ...lists[1]!, headers: true }, 1.05, 0.02],
];

test.each(bounds.map(([scenario, ...most]) => [nameOf(scenario), scenario, ...most] as const))(
	'%s need at most so much of the least time, and have at most so many 429s',
	async (_, scenario, mostTime, mostRefused) => {
		const { time, refused, lost } = await meanOf(scenario, seeds);
		expect(time).toBeLessThanOrEqual(mostTime);
		expect(refused).toBeLessThanOrEqual(mostRefused);
		expect(lost).toBe(0);
	},
);

test.each([...endless, ...endless.map(stated), { ...endless[0]!, sharedBy: 16 }])(
	'$name workers get like shares',
	async (scenario) => {
		const { limitUsed, fairness, lost } = await meanOf({ ...scenario, seconds: 300 }, seeds);
		expect(limitUsed).toBeGreaterThanOrEqual(0.93);
		expect(fairness).toBeGreaterThanOrEqual(0.7);
		expect(lost).toBe(0);
	},
);
