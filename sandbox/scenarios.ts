import type { Categories } from './risk';
import { canonical } from './sanctions';

/** What the report on a test address may depend on. */
export interface Moment {
	/** The day of the sandbox's timeline, from 0. */
	readonly day: number;
	/** How often the address was screened before in this run. */
	readonly before: number;
}

/** A test address that always behaves in one way, whatever the time and the machine; docs/sandbox.md lists them. */
export interface Scenario {
	readonly address: string;
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

/** The risk object of section 2.2, with any level; categories may be missing. */
interface ScenarioRisk {
	level: string;
	score: number;
	categories: Partial<Categories>;
}

const calm: Categories = {
	sanctions: 0,
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

/** The test address of this number, e.g. `02`. */
export const scenarioAddress = (number: string) => `0x7e57${number.padStart(36, '0')}`;

const scenario = (number: string, more: Partial<Scenario>): Scenario => ({
	address: scenarioAddress(number),
	riskAt: () => green,
	...more,
});

const { sanctions: _, ...withoutSanctions } = calm;

/** The test addresses, in the order of their numbers. */
export const scenarios: readonly Scenario[] = [
	scenario('01', { riskAt: () => red('sanctions') }),
	scenario('02', { riskAt: () => red('darknet') }),
	scenario('03', { riskAt: () => red('mixer') }),
	scenario('04', { riskAt: () => red('scam') }),
	scenario('05', { riskAt: () => red('stolen') }),
	scenario('06', {
		riskAt: () => ({ ...green, score: 0.02, categories: { ...calm, clean_exchange: 1.4 } }),
	}),
	scenario('10', { riskAt: () => ({ ...green, level: 'violet' }) }),
	scenario('11', { riskAt: () => ({ ...green, categories: withoutSanctions }) }),
	scenario('12', { slowMs: 5_000 }),
	scenario('13', { isRefused: true }),
	scenario('14', { isMissingInBulk: true }),
	scenario('15', { chain: 'BSC' }),
	scenario('20', { riskAt: ({ day }) => (day < 1 ? green : red('sanctions')) }),
	scenario('21', {
		riskAt: ({ day }) => {
			const score = Math.min(90, 40 + 2 * day) / 100;
			return amber(score, 'mixer', score);
		},
	}),
	scenario('22', { riskAt: ({ day }) => amber(0.4, 'sanctions', day < 1 ? 0 : 0.9) }),
	scenario('23', { riskAt: ({ day }) => (day < 1 ? red('darknet') : green) }),
	scenario('24', { riskAt: ({ before }) => (before < 2 ? green : red('stolen')) }),
];

const byAddress = new Map(scenarios.map((each) => [canonical(each.address), each]));

/** How a test address behaves; `undefined` for any other address. */
export function scenarioOf(address: string): Scenario | undefined {
	return byAddress.get(canonical(address));
}
