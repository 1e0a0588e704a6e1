import type { Report } from '../../service/shapes';
import type { Decision, Operator, Reason } from '../decision';
import { isGreen, sameLevel } from '../level';
import { clip, shortAddress, show, webAddress, withoutMarkup } from './values';

/** Only what is known to be an all-clear is `good`. */
export type Tone = 'good' | 'caution' | 'bad';

export interface Detail {
	label: string;
	value: string;
}

export interface Category extends Detail {
	/** How much of a bar it fills, from 0 to 1; undefined where it is not a number. */
	share: number | undefined;
}

/** What an alert says. Each text is one line of bounded length, not yet escaped for any place. */
export interface Summary {
	title: string;
	verdict: string;
	tone: Tone;
	headline: string;
	address: string;
	/** Undefined where nothing was decided. */
	decision: { outcome: Decision['outcome']; reasons: string[] } | undefined;
	/** The highest first. */
	risks: Category[];
	/** How many risks there are beside those. */
	moreRisks: number;
	goodSigns: Category[];
	details: Detail[];
	/** Of the web view of the report, where it is an address of the web. */
	reportUrl: string | undefined;
	/** What the report says where it has no such address. */
	reportLink: string;
}

const longestTitle = 120;
const mostReasons = 8;
const mostRisks = 24;

/** The category that speaks for an address and not against it (section 2.3). */
const goodSign = 'clean_exchange';

export function summaryOf(report: Report, decision: Decision | undefined): Summary {
	const { risk, chain } = report;
	const tone = toneOf(risk.level, decision?.outcome);
	const verdict = verdictOf(tone, decision?.outcome);
	const level = show(risk.level, 24);
	const score = show(risk.score, 24);
	const address = show(report.address, 256);
	const wallet = isGiven(chain) ? `${show(chain, 16)} wallet` : 'wallet';
	const title = `${verdict}: ${wallet} ${shortAddress(address)} is ${level} (score ${score})`;
	const categories = entriesIn(risk.categories);
	const risks = categories.filter(([key]) => key !== goodSign).sort(highestFirst);
	return {
		title: clip(withoutMarkup(title), longestTitle),
		verdict,
		tone,
		headline: `${isGiven(chain) ? wallet : 'Wallet'} is ${level}, score\u00a0${score}`,
		address,
		decision: decision && { outcome: decision.outcome, reasons: reasonsOf(decision.reasons) },
		risks: risks.slice(0, mostRisks).map(categoryOf),
		moreRisks: Math.max(0, risks.length - mostRisks),
		goodSigns: categories.filter(([key]) => key === goodSign).map(categoryOf),
		details: [
			{ label: 'Risk level', value: show(risk.level, 64) },
			{ label: 'Risk score', value: score },
			{ label: 'Chain', value: show(chain, 64) },
			{ label: 'Balance', value: show(report.balance, 96) },
			{ label: 'Transactions', value: show(report.tx_count, 32) },
			{ label: 'Report ID', value: show(report.report_id, 128) },
		],
		reportUrl: webAddress(report.report_url),
		reportLink: show(report.report_url, 256),
	};
}

function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

function toneOf(level: string, outcome: Decision['outcome'] | undefined): Tone {
	if (outcome === 'block') return 'bad';
	if (outcome === 'review') return 'caution';
	if (isGreen(level)) return 'good';
	return outcome === undefined && sameLevel(level, 'red') ? 'bad' : 'caution';
}

function verdictOf(tone: Tone, outcome: Decision['outcome'] | undefined): string {
	if (outcome) return outcome.charAt(0).toUpperCase() + outcome.slice(1);
	return tone === 'good' ? 'Screened' : 'Attention';
}

/** The reasons to block come first, so that none is left out for a lesser one. */
function reasonsOf(reasons: readonly Reason[]): string[] {
	if (reasons.length === 0) return ['No rule fired'];
	const sorted = [...reasons].sort((one, other) => gravity(other) - gravity(one));
	const shown = sorted.slice(0, mostReasons).map(sentence);
	const more = sorted.length - shown.length;
	return more > 0 ? [...shown, `… and ${more} more`] : shown;
}

function gravity({ outcome }: Reason): number {
	return outcome === 'block' ? 1 : 0;
}

const conditions: Record<Operator, (value: string) => string> = {
	gte: (value) => `${value} or more`,
	lte: (value) => `${value} or less`,
	equals: (value) => value,
	notEquals: (value) => `anything but ${value}`,
};

function sentence({ field, operator, value, actual, outcome, problem }: Reason): string {
	if (problem) return `${show(problem, 160)}, which means ${outcome}`;
	const condition = conditions[operator](show(value, 64));
	return `${show(field, 64)} is ${show(actual, 64)}; ${condition} means ${outcome}`;
}

type Entry = [key: string, value: unknown];

/** Section 2.3, or whatever stands in its place. */
function entriesIn(categories: unknown): Entry[] {
	if (!isGiven(categories)) return [];
	const isObject = typeof categories === 'object' && !Array.isArray(categories);
	return isObject ? Object.entries(categories as object) : [['categories', categories]];
}

function categoryOf([key, value]: Entry): Category {
	const share = isNumber(value) ? Math.min(1, Math.max(0, value)) : undefined;
	return { label: show(key, 40), value: show(value, 48), share };
}

function highestFirst([, one]: Entry, [, other]: Entry): number {
	return weight(other) - weight(one);
}

/** What cannot be compared counts as the highest: it is not to be overlooked. */
function weight(value: unknown): number {
	if (isNumber(value)) return value;
	return isGiven(value) ? Number.MAX_VALUE : -Number.MAX_VALUE;
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}
