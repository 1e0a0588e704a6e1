import { addressKey } from '../nodes/WalletScreening/address/key';
import type { Categories, Risk } from './risk';

/** The days on which some test addresses change. */
export interface Timeline {
	/** The current day, from 0. */
	day: number;
}

/** The last day of the timeline: about a hundred years, which every calendar has. */
export const maxDay = 36_500;

/** What the report on a test address may depend on. */
export interface Moment {
	/** The day of the sandbox's timeline, from 0. */
	readonly day: number;
	/** How often the address was screened before in this run. */
	readonly earlierScreenings: number;
}

/**
 * A test address that always behaves in one way, whatever the time and the machine; docs/sandbox.md
 * lists them.
 */
export interface Scenario {
	readonly address: string;
	readonly riskAt: (moment: Moment) => Risk;
	/** The chain that the report names, whatever chain was asked for. */
	readonly chain?: string;
	/** Milliseconds that a screening takes, and a bulk job with the address takes longer. */
	readonly slowMs?: number;
	/** The service answers 400 for the address, and for a bulk job with it. */
	readonly isRejected?: boolean;
	/** A bulk job has no result for the address. */
	readonly isMissingInBulk?: boolean;
}

const calm: Categories = {
	sanctions: 0,
	darknet: 0.02,
	mixer: 0.03,
	scam: 0.01,
	stolen: 0.01,
	clean_exchange: 0.6,
};

const green: Risk = { level: 'green', score: 0.1, categories: calm };

const red = (category: keyof Categories): Risk => ({
	level: 'red',
	score: 0.92,
	categories: { ...calm, [category]: 0.95, clean_exchange: 0.05 },
});

const amber = (score: number, category: keyof Categories, value: number): Risk => ({
	level: 'amber',
	score,
	categories: { ...calm, [category]: value },
});

const { sanctions: _, ...withoutSanctions } = calm;

/**
 * How a test address behaves, and the digits that its address ends with. By default its report is
 * green.
 */
type Definition = { readonly digits: string } & Partial<Omit<Scenario, 'address'>>;

const definitions = {
	sanctioned: { digits: '01', riskAt: () => red('sanctions') },
	darknet: { digits: '02', riskAt: () => red('darknet') },
	mixer: { digits: '03', riskAt: () => red('mixer') },
	scam: { digits: '04', riskAt: () => red('scam') },
	stolen: { digits: '05', riskAt: () => red('stolen') },
	harmless: {
		digits: '06',
		riskAt: () => ({ ...green, score: 0.02, categories: { ...calm, clean_exchange: 1.4 } }),
	},
	unknownLevel: { digits: '10', riskAt: () => ({ ...green, level: 'violet' }) },
	withoutSanctions: {
		digits: '11',
		riskAt: () => ({ ...green, categories: withoutSanctions }),
	},
	slow: { digits: '12', slowMs: 5_000 },
	rejected: { digits: '13', isRejected: true },
	missingInBulk: { digits: '14', isMissingInBulk: true },
	alwaysBsc: { digits: '15', chain: 'BSC' },
	sanctionedFromDay1: {
		digits: '20',
		riskAt: ({ day }) => (day < 1 ? green : red('sanctions')),
	},
	drifting: {
		digits: '21',
		riskAt: ({ day }) => {
			const score = Math.min(90, 40 + 2 * day) / 100;
			return amber(score, 'mixer', score);
		},
	},
	amberSanctionedFromDay1: {
		digits: '22',
		riskAt: ({ day }) => amber(0.4, 'sanctions', day < 1 ? 0 : 0.9),
	},
	greenFromDay1: { digits: '23', riskAt: ({ day }) => (day < 1 ? red('darknet') : green) },
	stolenFromThirdScreening: {
		digits: '24',
		riskAt: ({ earlierScreenings }) => (earlierScreenings < 2 ? green : red('stolen')),
	},
} satisfies Record<string, Definition>;

export type ScenarioName = keyof typeof definitions;

/** The test address that behaves in this way. */
export const scenarioAddress = (name: ScenarioName) =>
	`0x7e57${definitions[name].digits.padStart(36, '0')}`;

/** All test addresses, in the order of their digits. */
export const scenarios = (Object.keys(definitions) as ScenarioName[]).map((name): Scenario => {
	const { digits: __, ...behaviour }: Definition = definitions[name];
	return { address: scenarioAddress(name), riskAt: () => green, ...behaviour };
});

const byAddress = new Map(scenarios.map((each) => [addressKey(each.address), each]));

/** How a test address behaves; `undefined` for any other address. */
export function scenarioOf(address: string): Scenario | undefined {
	return byAddress.get(addressKey(address));
}
