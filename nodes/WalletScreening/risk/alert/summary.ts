import { type Fields, isFields } from '../../service/json';
import { type Decision, type Reason, sentence, worstFirst } from '../decision';
import { objectIn } from '../json';
import { isGreen } from '../level';
import { capitalized, labelOf, sameName } from '../names';
import { type AnyReport, goodSign } from '../report';
import { clip, isGiven, isNumber, shortAddress, show, webAddress, withoutMarkup } from '../values';

/** Only what is known to be an all-clear is `good`. */
export type Tone = 'good' | 'caution' | 'bad';

export interface Detail {
	label: string;
	value: string;
}

export interface Category extends Detail {
	/** How much of a bar it fills, from 0 to 1; undefined if it is not a number. */
	share: number | undefined;
}

/** What an alert says. Each text is one line of bounded length, not yet escaped for any place. */
export interface Summary {
	title: string;
	verdict: string;
	tone: Tone;
	headline: string;
	/** Undefined if a failure does not name one. */
	address: string | undefined;
	/** Undefined if nothing was decided. */
	decision: { outcome: Decision['outcome']; reasons: string[] } | undefined;
	/** The highest first; undefined if there is no report. */
	risks: Category[] | undefined;
	/** How many risks there are beside those. */
	moreRisks: number;
	goodSigns: Category[];
	details: Detail[];
	/** Of the web view of the report, if it is an address of the web. */
	reportUrl: string | undefined;
	/** What the report says instead of such an address; undefined if there is no report. */
	reportLink: string | undefined;
}

/** A decision without its summary, which the alert makes itself. */
export type Decided = Pick<Decision, 'outcome' | 'reasons'>;

const longestTitle = 120;
const mostReasons = 8;
const mostRisks = 24;

/** What the alert on a report (section 2.1) says. Whatever it holds, this does not throw. */
export function summaryOf(report: AnyReport, decision: Decided | undefined): Summary {
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

/** What an error item `{ error, details }` says. Whatever it holds, this does not throw. */
export function failureSummaryOf(item: Fields): Summary {
	const details = objectIn(item.details) ?? {};
	const given = details.address ?? item.address;
	const address = isGiven(given) ? show(given, 256) : undefined;
	const message = show(item.error, 300);
	const wallet = address === undefined ? '' : `wallet ${shortAddress(address)}: `;
	const decided = objectIn(details.decision)?.summary;
	const rows = [
		['What to do', details.description, 400],
		['Decision', decided, 400],
		['Error class', details.errorClass, 64],
		['HTTP status', details.httpCode, 16],
		['Report ID', details.report_id, 128],
		['Job ID', details.job_id ?? details.job_ids, 256],
	] as const;
	return {
		title: clip(withoutMarkup(`Failed: ${wallet}${message}`), longestTitle),
		verdict: 'Failed',
		tone: 'bad',
		headline: message,
		address,
		decision: undefined,
		risks: undefined,
		moreRisks: 0,
		goodSigns: [],
		details: rows.flatMap(([label, value, longest]) =>
			isGiven(value) ? [{ label, value: show(value, longest) }] : [],
		),
		reportUrl: undefined,
		reportLink: undefined,
	};
}

function toneOf(level: unknown, outcome: Decision['outcome'] | undefined): Tone {
	if (outcome === 'block') return 'bad';
	if (outcome === 'review') return 'caution';
	if (isGreen(level)) return 'good';
	return outcome === undefined && sameName(level, 'red') ? 'bad' : 'caution';
}

function verdictOf(tone: Tone, outcome: Decision['outcome'] | undefined): string {
	if (outcome) return capitalized(outcome);
	return tone === 'good' ? 'Screened' : 'Attention';
}

/** The reasons to block come first, so that none is left out for a lesser one. */
function reasonsOf(reasons: readonly Reason[]): string[] {
	if (reasons.length === 0) return ['No rule applies'];
	const shown = worstFirst(reasons).slice(0, mostReasons).map(sentence);
	const more = reasons.length - shown.length;
	return more > 0 ? [...shown, `… and ${more} more`] : shown;
}

type Entry = [key: string, value: unknown];

/** Section 2.3, or whatever stands in its place. */
function entriesIn(categories: unknown): Entry[] {
	if (!isGiven(categories)) return [];
	return isFields(categories) ? Object.entries(categories) : [['categories', categories]];
}

function categoryOf([key, value]: Entry): Category {
	const share = isNumber(value) ? Math.min(1, Math.max(0, value)) : undefined;
	return { label: show(labelOf(key), 40), value: show(value, 48), share };
}

function highestFirst([, one]: Entry, [, other]: Entry): number {
	return weight(other) - weight(one);
}

/** A value that is no number counts as the highest, so that nobody overlooks it. */
function weight(value: unknown): number {
	if (isNumber(value)) return value;
	return isGiven(value) ? Number.MAX_VALUE : -Number.MAX_VALUE;
}
