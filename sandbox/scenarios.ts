import type { Categories } from './risk';
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

/** As section 2.2; any level, and categories may be missing. */
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

const green: ScenarioRisk = { level: 'green', score: 0.1, categories: calm };

const red = (category: keyof Categories): ScenarioRisk => ({
	level: 'red',
	score: 0.92,
	categories: { ...calm, [category]: 0.95, clean_exchange: 0.05 },
});

const amber = (score: number, category: keyof Categories, value: number): ScenarioRisk => ({
	level: 'amber',
	score,
	categories: { ...calm, [category]: value },
});

const scenario = (number: string, shows: string, more: Partial<Scenario>): Scenario => ({
	address: `0x7e57${number.padStart(36, '0')}`,
	shows,
	riskAt: () => green,
	...more,
});

const high = (number: string, category: keyof Categories) =>
	scenario(number, `Red: the category \`${category}\` is 0.95`, { riskAt: () => red(category) });

const { sanctions: _, ...withoutSanctions } = calm;

/** The test addresses, in the order of their numbers. */
export const scenarios: readonly Scenario[] = [
	high('01', 'sanctions'),
	high('02', 'darknet'),
	high('03', 'mixer'),
	high('04', 'scam'),
	high('05', 'stolen'),
	scenario('06', 'Green: `clean_exchange` is 1.4, which is good', {
		riskAt: () => ({ ...green, score: 0.02, categories: { ...calm, clean_exchange: 1.4 } }),
	}),
	scenario('10', 'The level is `violet`, which nobody documents', {
		riskAt: () => ({ ...green, level: 'violet' }),
	}),
	scenario('11', 'Green, but the category `sanctions` is missing', {
		riskAt: () => ({ ...green, categories: withoutSanctions }),
	}),
	scenario('12', 'Slow: the answer takes 5 seconds, and a bulk job 5 seconds longer', {
		slowMs: 5_000,
	}),
	scenario('13', 'Refused with status 400, and so is every bulk job with it', { isRefused: true }),
	scenario('14', 'Green if screened by itself; a bulk job has no result for it', {
		isMissingInBulk: true,
	}),
	scenario('15', 'Asked on any chain, the report is on `BSC`', { chain: 'BSC' }),
	scenario('20', 'Green on day 0, red by `sanctions` from day 1 on', {
		riskAt: ({ day }) => (day < 1 ? green : red('sanctions')),
	}),
	scenario('21', 'Amber that drifts: the score is 0.4 on day 0, and 0.02 more each day up to 0.9', {
		riskAt: ({ day }) => {
			const score = Math.min(90, 40 + 2 * day) / 100;
			return amber(score, 'mixer', score);
		},
	}),
	scenario('22', 'Amber, score 0.4 on every day; `sanctions` rises from 0 to 0.9 on day 1', {
		riskAt: ({ day }) => amber(0.4, 'sanctions', day < 1 ? 0 : 0.9),
	}),
	scenario('23', 'Red on day 0, green from day 1 on', {
		riskAt: ({ day }) => (day < 1 ? red('darknet') : green),
	}),
	scenario('24', 'Green at the first two screenings, red by `stolen` from the third on', {
		riskAt: ({ before }) => (before < 2 ? green : red('stolen')),
	}),
];

const byAddress = new Map(scenarios.map((one) => [canonical(one.address), one]));

/** How a test address behaves; `undefined` for any other address. */
export function scenarioOf(address: string): Scenario | undefined {
	return byAddress.get(canonical(address));
}
