import type { Categories, Risk } from './risk';
import { canonical } from './sanctions';

/** What the report on a test address may depend on. */
export interface Moment {
	/** The day of the sandbox's timeline, from 0. */
	readonly day: number;
	/** How often the address was screened before in this run. */
	readonly before: number;
}

/** A test address that always behaves in one way, whatever the time and the machine. */
export interface Scenario {
	readonly address: string;
	/** What it shows, for the documentation. */
	readonly shows: string;
	readonly riskAt: (moment: Moment) => ScenarioRisk;
	/** The chain that the report names, whatever chain was asked for. */
	readonly chain?: string;
	/** Milliseconds that a screening takes, and a bulk job with the address takes longer. */
	readonly slowMs?: number;
	/** The service answers 400 for the address, and for a bulk job with it. */
	readonly isRefused?: boolean;
	/** A bulk job has no result for the address. */
	readonly isMissingInBulk?: boolean;
}

/** As {@link Risk}; any level, and categories may be missing. */
interface ScenarioRisk {
	level: string;
	score: number;
	categories: Partial<Categories>;
}

const calm: Categories = {
	sanctions: 0.01,
	darknet: 0.02,
	mixer: 0.03,
	scam: 0.01,
	stolen: 0.01,
	clean_exchange: 0.6,
};

const green: Risk = { level: 'green', score: 0.1, categories: calm };

const red = (category: keyof Categories): ScenarioRisk => ({
	level: 'red',
	score: 0.92,
	categories: { ...calm, [category]: 0.95, clean_exchange: 0.05 },
});

const round = (value: number) => Math.round(value * 1000) / 1000;

function addressOf(number: string): string {
	return `0x7e57${number.padStart(36, '0')}`;
}

const high = (number: string, category: keyof Categories): Scenario => ({
	address: addressOf(number),
	shows: `Red: the category \`${category}\` is 0.95`,
	riskAt: () => red(category),
});

/** The test addresses, in the order of their numbers. */
export const scenarios: readonly Scenario[] = [
	high('01', 'sanctions'),
	high('02', 'darknet'),
	high('03', 'mixer'),
	high('04', 'scam'),
	high('05', 'stolen'),
	{
		address: addressOf('06'),
		shows: 'Green: `clean_exchange` is 1.4, which is good',
		riskAt: () => ({ ...green, score: 0.02, categories: { ...calm, clean_exchange: 1.4 } }),
	},
	{
		address: addressOf('10'),
		shows: 'The level is `violet`, which nobody documents',
		riskAt: () => ({ ...green, level: 'violet' }),
	},
	{
		address: addressOf('11'),
		shows: 'Green, but the category `sanctions` is missing',
		riskAt: () => {
			const { sanctions: _, ...categories } = calm;
			return { ...green, categories };
		},
	},
	{
		address: addressOf('12'),
		shows: 'Slow: the answer takes 5 seconds, and a bulk job 5 seconds longer',
		riskAt: () => green,
		slowMs: 5_000,
	},
	{
		address: addressOf('13'),
		shows: 'Refused with status 400, and so is every bulk job with it',
		riskAt: () => green,
		isRefused: true,
	},
	{
		address: addressOf('14'),
		shows: 'Green if screened by itself; a bulk job has no result for it',
		riskAt: () => green,
		isMissingInBulk: true,
	},
	{
		address: addressOf('15'),
		shows: 'Asked on any chain, the report is on `BSC`',
		riskAt: () => green,
		chain: 'BSC',
	},
	{
		address: addressOf('20'),
		shows: 'Green on day 0, red by `sanctions` from day 1 on',
		riskAt: ({ day }) => (day < 1 ? green : red('sanctions')),
	},
	{
		address: addressOf('21'),
		shows: 'Amber that drifts: the score is 0.4 on day 0, and 0.02 more each day up to 0.9',
		riskAt: ({ day }) => {
			const score = round(Math.min(0.9, 0.4 + 0.02 * day));
			return { level: 'amber', score, categories: { ...calm, mixer: score } };
		},
	},
	{
		address: addressOf('22'),
		shows: 'Amber, score 0.4 on every day; `sanctions` rises from 0 to 0.9 on day 1',
		riskAt: ({ day }) => ({
			level: 'amber',
			score: 0.4,
			categories: { ...calm, sanctions: day < 1 ? 0 : 0.9 },
		}),
	},
	{
		address: addressOf('23'),
		shows: 'Red on day 0, green from day 1 on',
		riskAt: ({ day }) => (day < 1 ? red('darknet') : green),
	},
	{
		address: addressOf('24'),
		shows: 'Green at the first two screenings, red by `stolen` from the third on',
		riskAt: ({ before }) => (before < 2 ? green : red('stolen')),
	},
];

const byAddress = new Map(scenarios.map((scenario) => [canonical(scenario.address), scenario]));

/** How a test address behaves; `undefined` for any other address. */
export function scenarioOf(address: string): Scenario | undefined {
	return byAddress.get(canonical(address));
}
