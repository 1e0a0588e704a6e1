import { type Fields, isFields } from '../../service/json';
import type { Tone } from '../alert/summary';
import { type Change, earlierField } from '../change';
import type { Decision } from '../decision';
import { objectIn } from '../json';
import { isGreen } from '../level';
import { filled, inWords } from '../names';
import { type AnyReport, asReport } from '../report';
import { clip, isNumber, show, webAddress, withoutMarkup } from '../values';

/** What became of an item. `failed` is also an item that holds no report. */
export type Outcome = Decision['outcome'] | 'undecided' | 'failed';

export type Counts = Record<Outcome | 'worse' | 'better', number>;

/** What a digest says. Each text is one line of bounded length, not yet escaped for any place. */
export interface Message {
	title: string;
	tone: Tone;
	/** The name of the run. */
	headline: string;
	/** What to say if there is nothing to list. */
	note: string;
	counts: Counts;
	/** The counts that are not 0, in words. */
	figures: Array<{ label: string; count: number; tone: Tone }>;
	/** The items to list, the worst first. */
	entries: Entry[];
	total: number;
}

/** An item on a few lines. */
export interface Entry {
	/** Of all items with this outcome. */
	heading: string;
	tone: Tone;
	address: string;
	/** E.g. `ETH · red · score 0.98`; empty if there is no report. */
	facts: string;
	/** Why it was decided so or failed, and what changed; empty if there is nothing to say. */
	lines: string[];
	/** Of the web view of the report, if it is an address of the web. */
	reportUrl: string | undefined;
}

/** The worst first. */
const outcomes: Outcome[] = ['block', 'failed', 'review', 'undecided', 'allow'];
const changes = ['worse', 'better'] as const;
const labels: Record<keyof Counts, string> = {
	block: 'Block',
	failed: 'Failed',
	review: 'Review',
	undecided: 'Not decided',
	allow: 'Allow',
	worse: 'Worse',
	better: 'Better',
};
const figureLabels = { ...labels, worse: 'Worse than before', better: 'Better than before' };
const tones: Record<keyof Counts, Tone> = {
	block: 'bad',
	failed: 'bad',
	review: 'caution',
	undecided: 'caution',
	allow: 'good',
	worse: 'bad',
	better: 'good',
};
const longestTitle = 120;
const mostChanges = 4;

/** An item, as far as its place in the digest depends on it. */
interface Ranked {
	item: Fields;
	/** From 0. */
	index: number;
	outcome: Outcome;
	report: AnyReport | undefined;
	change: Change['kind'] | undefined;
	score: number;
}

/** What the digest of these items says, under the title that the user gave. It lists the `mostListed` worst of them. */
export function messageOf(items: readonly Fields[], title: string, mostListed: number): Message {
	const ranked = items.map(rankedOf);
	const counts = { block: 0, failed: 0, review: 0, undecided: 0, allow: 0, worse: 0, better: 0 };
	for (const { outcome, change } of ranked) {
		counts[outcome]++;
		if (change === 'worse' || change === 'better') counts[change]++;
	}
	const figures = (Object.keys(counts) as Array<keyof Counts>)
		.filter((name) => counts[name] > 0)
		.map((name) => ({
			label: figureLabels[name],
			count: counts[name],
			tone: tones[name],
		}));
	const said = (names: ReadonlyArray<keyof Counts>) =>
		names
			.filter((name) => counts[name] > 0)
			.map((name) => `${counts[name]} ${labels[name].toLowerCase()}`)
			.join(', ');
	const changed = said(changes);
	// A change is of an item that has an outcome as well.
	const summary = [said(outcomes), ...(changed ? [`(changed: ${changed})`] : [])].join(' ');
	const name = withoutMarkup(clip(title, 60)) || 'Wallet screening';
	const isGood = items.length > 0 && ranked.every(isHarmless);
	const isBad = counts.block + counts.failed > 0;
	return {
		title: clip(`${name}: ${summary || 'no items came'}`, longestTitle),
		tone: isGood ? 'good' : isBad ? 'bad' : 'caution',
		headline: name,
		note: items.length > 0 ? '' : 'No items came. If you expected some, check the steps before.',
		counts,
		figures,
		entries: ranked
			.sort(worstFirst)
			.slice(0, Math.max(0, mostListed))
			.map((one) => entryOf(one, counts)),
		total: items.length,
	};
}

function rankedOf(item: Fields, index: number): Ranked {
	const report = item.error ? undefined : (asReport(item) ?? onlyReportIn(item));
	const decided = objectIn(item.decision)?.outcome;
	// Nothing is clear without a report.
	const hasReport = report !== undefined || reportsIn(item).length > 0;
	const isAllowed = decided === 'allow' && hasReport;
	const isDecided = decided === 'block' || decided === 'review' || isAllowed;
	const undecided = report ? 'undecided' : 'failed';
	const { score } = report?.risk ?? {};
	return {
		item,
		index,
		outcome: !item.error && isDecided ? decided : undecided,
		report,
		change: changeOf(item).kind,
		score: isNumber(score) ? score : Number.MAX_VALUE,
	};
}

/** An item that was decided on may hold its report in a field. */
function onlyReportIn(item: Fields): AnyReport | undefined {
	const [first, ...others] = reportsIn(item);
	return others.length === 0 ? first : undefined;
}

function reportsIn({ [earlierField]: _, ...fields }: Fields): AnyReport[] {
	return Object.values(fields).flatMap((value) => asReport(value) ?? []);
}

function changeOf(item: Fields): { kind: Change['kind'] | undefined; fields: unknown } {
	const { kind, fields } = objectIn(item.change) ?? {};
	const known = (['first', 'same', 'better', 'worse', 'unknown'] as const).find(
		(word) => word === kind,
	);
	return { kind: known, fields };
}

function isHarmless({ outcome, report, change }: Ranked): boolean {
	const isAlarming = change === 'worse' || change === 'unknown';
	return (
		(outcome === 'allow' || outcome === 'undecided') && isGreen(report?.risk.level) && !isAlarming
	);
}

function worstFirst(one: Ranked, other: Ranked): number {
	return (
		outcomes.indexOf(one.outcome) - outcomes.indexOf(other.outcome) ||
		Number(isHarmless(one)) - Number(isHarmless(other)) ||
		alarm(other) - alarm(one) ||
		other.score - one.score ||
		one.index - other.index
	);
}

function alarm({ change }: Ranked): number {
	if (change === 'worse') return 2;
	return change === 'unknown' ? 1 : 0;
}

function entryOf(ranked: Ranked, counts: Counts): Entry {
	const { item, index, outcome, report } = ranked;
	const details = objectIn(item.details);
	const address = report?.address ?? item.address ?? details?.address;
	return {
		heading: `${labels[outcome]} (${counts[outcome]})`,
		tone: tones[outcome],
		address: typeof address === 'string' ? show(address, 256) : `Item ${index + 1}`,
		facts: report ? factsOf(report) : '',
		lines: [whyOf(ranked), changeLine(item)].filter((line) => line !== ''),
		reportUrl: webAddress(report?.report_url),
	};
}

function factsOf({ chain, risk }: AnyReport): string {
	const named = filled(chain) ? [show(chain, 24)] : [];
	return [...named, show(risk.level, 24), `score ${show(risk.score, 24)}`].join(' · ');
}

function whyOf({ item, outcome }: Ranked): string {
	if (item.error) return show(item.error, 240);
	if (outcome === 'failed') return 'The item contains no report';
	const summary = objectIn(item.decision)?.summary;
	if (typeof summary === 'string') {
		return clip(summary.replace(/^(Block|Review|Allow): (no rule applies$)?/, ''), 240);
	}
	return '';
}

function changeLine(item: Fields): string {
	const { kind, fields } = changeOf(item);
	if (kind !== 'worse' && kind !== 'better' && kind !== 'unknown') return '';
	const changed = Array.isArray(fields) ? fields.filter(isFields) : [];
	const said = changed
		.slice(0, mostChanges)
		.map(
			({ field, before, after }) =>
				`${show(inWords(field), 40)} ${show(before, 48)} → ${show(after, 48)}`,
		);
	const more = changed.length > mostChanges ? [`and ${changed.length - mostChanges} more`] : [];
	const label = kind === 'unknown' ? 'Change unknown' : labels[kind];
	return [label, [...said, ...more].join('; ') || 'the earlier value is no report'].join(': ');
}
