import { createHash } from 'node:crypto';
import { addressKey } from '../nodes/WalletScreening/address/key';
import { day } from '../nodes/WalletScreening/shared/time';
import { chainOf } from './chains';
import { sanctionedAsset } from './sanctions';
import type { Categories, Risk } from './risk';
import { type Moment, scenarioOf, type Timeline } from './scenarios';

/** Report on an address (section 2.1). */
export interface Report {
	report_id: string;
	address: string;
	chain: string;
	risk: Risk;
	balance: string;
	tx_count: number;
	report_url: string;
}

/** The lowest and the highest score of each level. */
const scoreRanges = { green: [0.01, 0.25], yellow: [0.3, 0.65], red: [0.75, 0.98] } as const;

/**
 * What the numbers of an address are for, in the order in which they stand in its digest: another
 * order makes other reports.
 */
const purposes = [
	'level',
	'score',
	// No part of a report uses this number. Without its place, all numbers after it would change.
	'skipped',
	'darknet',
	'mixer',
	'scam',
	'stolen',
	'clean_exchange',
	'cause',
	'weight',
	'balance',
	'tx_count',
] as const;

/** Numbers in [0, 1). */
type Numbers = Record<(typeof purposes)[number], number>;

/** The numbers of an address, always the same. */
function numbersOf(address: string): Numbers {
	const digest = createHash('sha512').update(addressKey(address)).digest();
	const numberAt = (place: number) => digest.readUInt32BE(4 * place) / 2 ** 32;
	return Object.fromEntries(
		purposes.map((purpose, place) => [purpose, numberAt(place)]),
	) as Numbers;
}

function round(value: number): number {
	return Math.round(value * 1000) / 1000;
}

/** @param share a number in [0, 1), so that about 85 % are green, 11 % yellow and 4 % red */
function levelFor(share: number): keyof typeof scoreRanges {
	if (share < 0.85) return 'green';
	return share < 0.96 ? 'yellow' : 'red';
}

const scoreIn = ([lowest, highest]: readonly [number, number], numbers: Numbers) =>
	lowest + (highest - lowest) * numbers.score;

/** The categories of an address before the one that explains its score is set. */
function minorCategories(score: number, numbers: Numbers): Categories {
	const minor = (number: number) => round(score * 0.4 * number);
	return {
		// The first policy of the workflows stops any sanctions score above 0.
		sanctions: 0,
		darknet: minor(numbers.darknet),
		mixer: minor(numbers.mixer),
		scam: minor(numbers.scam),
		stolen: minor(numbers.stolen),
		clean_exchange: round((1 - score) * 1.4 * numbers.clean_exchange),
	};
}

/** The risk of an address on the sanctions list. */
function sanctionedRisk(numbers: Numbers): Risk {
	const score = scoreIn([0.9, 1], numbers);
	const sanctions = round(0.85 + 0.15 * numbers.weight);
	const categories = { ...minorCategories(score, numbers), sanctions };
	return { level: 'red', score: round(score), categories };
}

/** The risk of any other address: one of the categories explains most of its score. */
function unlistedRisk(numbers: Numbers): Risk {
	const level = levelFor(numbers.level);
	const score = scoreIn(scoreRanges[level], numbers);
	const causes = ['darknet', 'mixer', 'scam', 'stolen'] as const;
	const cause = causes[Math.floor(numbers.cause * causes.length)]!;
	const major = { [cause]: round(score * (0.8 + 0.2 * numbers.weight)) };
	const categories = { ...minorCategories(score, numbers), ...major };
	return { level, score: round(score), categories };
}

const riskOf = (address: string, numbers: Numbers): Risk =>
	sanctionedAsset(address) === undefined ? unlistedRisk(numbers) : sanctionedRisk(numbers);

/**
 * The report on an address (section 2.1): always the same for the same address and chain, except
 * that a test address may depend on the moment. A sanctioned address is red. Of the others about
 * 85 % are green, 11 % yellow and 4 % red.
 *
 * @param chain if absent, it follows from the address
 * @param baseUrl address under which the web view of the report is served
 */
export function reportOn(
	address: string,
	chain: string | undefined,
	baseUrl: string,
	moment: Moment = { day: 0, earlierScreenings: 0 },
): Report {
	const numbers = numbersOf(address);
	const scenario = scenarioOf(address);
	const onChain = scenario?.chain ?? chain ?? chainOf(address);
	const report_id = reportId(
		address,
		onChain,
		...(scenario ? [moment.day, moment.earlierScreenings] : []),
	);
	const balance = (10 ** (6 * numbers.balance - 3)).toFixed(4);
	// The format of an address decides the coin. Most chains with `0x…` pay in ETH, but BSC in BNB.
	const coin = onChain === 'BSC' ? 'BNB' : chainOf(address);
	return {
		report_id,
		address,
		chain: onChain,
		risk: scenario ? scenario.riskAt(moment) : riskOf(address, numbers),
		balance: `${balance} ${coin}`,
		tx_count: Math.floor(10 ** (5 * numbers.tx_count)),
		report_url: `${baseUrl}/reports/${report_id}`,
	};
}

/** An ID that is the same for the same values. */
function reportId(...values: Array<string | number>): string {
	const digest = createHash('sha256').update(JSON.stringify(values)).digest('hex');
	return `rep_${digest.slice(0, 20)}`;
}

/** A report and the day on which it was first made, `YYYY-MM-DD`, which stands in its documents. */
export interface DatedReport {
	readonly report: Report;
	readonly date: string;
}

/**
 * Makes the reports on the addresses of a job, in their order, and remembers them. It makes them
 * anew at each call: the reports of a hundred jobs of a thousand addresses would fill the memory.
 */
export type MakeReports = () => Report[];

export interface Reports {
	/** Makes the report on an address and remembers it (section 4.1). Counts as a screening of it. */
	create(address: string, chain?: string): Report;
	/** Counts as a screening of each address at this moment, and makes no report yet. */
	screenAll(addresses: readonly string[]): MakeReports;
	/** A report made earlier in this run (section 4.2). */
	find(report_id: string): DatedReport | undefined;
}

/** What a report is made from. */
interface Source {
	address: string;
	chain: string | undefined;
	moment: Moment;
	date: string;
}

/**
 * The reports of one run. Only what a report is made from is kept, so that many take little memory.
 *
 * @param timeline its `day` may change; the `day` at the time of this call is today
 */
export function createReports(baseUrl: () => string, timeline: Timeline): Reports {
	const known = new Map<string, Source>();
	const screenings = new Map<string, number>();
	const dayZero = Date.now() - timeline.day * day;

	const countScreening = (address: string, chain?: string): Source => {
		const date = new Date(dayZero + timeline.day * day).toISOString().slice(0, 10);
		// Only the reports on test addresses depend on the moment.
		if (!scenarioOf(address))
			return { address, chain, moment: { day: 0, earlierScreenings: 0 }, date };
		const key = addressKey(address);
		const earlierScreenings = screenings.get(key) ?? 0;
		screenings.set(key, earlierScreenings + 1);
		return { address, chain, moment: { day: timeline.day, earlierScreenings }, date };
	};
	const reportOf = ({ address, chain, moment }: Source) =>
		reportOn(address, chain, baseUrl(), moment);
	const makeAndRemember = (source: Source): Report => {
		const report = reportOf(source);
		// A report keeps the date on which it was first made.
		if (!known.has(report.report_id)) known.set(report.report_id, source);
		return report;
	};
	return {
		create: (address, chain) => makeAndRemember(countScreening(address, chain)),
		screenAll(addresses) {
			const sources = addresses.map((address) => countScreening(address));
			return () => sources.map(makeAndRemember);
		},
		find(report_id) {
			const source = known.get(report_id);
			return source && { report: reportOf(source), date: source.date };
		},
	};
}
