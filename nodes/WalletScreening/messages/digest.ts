import { addressKey } from '../address/key';
import { chainKey } from '../address/chain';
import { type Fields, isFields, isGiven, isNumber, objectIn } from '../shared/json';
import {
	type About,
	aboutRows,
	addressText,
	cut,
	givenRows,
	linkRows,
	row,
	word,
	written,
} from './alert';
import type { HeatMap, Message, Part, Row, Tone } from './message';
import { sizeOf } from './slack';
import { categoriesOf, goodSign, readReport, type ReportValues } from '../policy/report';
import { clip, inWords, shortAddress, show } from '../shared/text';
import { isGreen } from '../policy/level';

/** An item counts as one of these, the worst first. `failed` is also an item without a report. */
const standings = ['block', 'failed', 'review', 'undecided', 'allow'] as const;
type Standing = (typeof standings)[number];

/** A change counts beside that. */
type Counted = Standing | 'worse' | 'better';
const words: Record<Counted, { label: string; tone: Tone }> = {
	block: { label: 'Block', tone: 'bad' },
	failed: { label: 'Not screened', tone: 'bad' },
	review: { label: 'Review', tone: 'caution' },
	undecided: { label: 'Not decided', tone: 'caution' },
	allow: { label: 'Allow', tone: 'good' },
	worse: { label: 'Worse than before', tone: 'bad' },
	better: { label: 'Better than before', tone: 'good' },
};

const countText = (count: number, name: Counted) => `${count} ${words[name].label.toLowerCase()}`;

/** Gmail cuts a mail off at 102 KB. */
const mostEver = 150;
/** Slack refuses a message with some 11,000 characters in all its blocks. */
const longestList = 9_900;

export interface DigestOptions extends Pick<About, 'at' | 'timeZone'> {
	readonly title: string;
	readonly mostListed: number;
}

/**
 * One message on items that hold a report or stand for a failure. All are counted, the worst come first, and at most
 * `mostListed` are listed, fewer if it became too long for Slack or a mail client. What has the same address, reference and
 * chain is listed once. Never throws, and shows each value as no more than a value.
 */
export function digestOf(
	items: readonly Fields[],
	{ title, mostListed, at, timeZone }: DigestOptions,
) {
	const judged = withoutRepeated(items.map(judge)).sort(
		(one, other) => one.rank - other.rank || other.score - one.score,
	);
	const total = judged.length;
	const before = items.length - total;
	const repeated = before > 0 ? `${before}, and screened later` : undefined;
	const counts = { block: 0, failed: 0, review: 0, undecided: 0, allow: 0, worse: 0, better: 0 };
	for (const { standing, change } of judged) {
		counts[standing]++;
		if (change === 'worse' || change === 'better') counts[change]++;
	}
	const hits = judged.filter(({ isHit }) => isHit).length;
	const said = (Object.keys(counts) as Counted[])
		.filter((name) => counts[name] > 0)
		.map((name) => countText(counts[name], name));
	if (hits > 0) said.unshift(`${hits} sanctions ${hits === 1 ? 'hit' : 'hits'}`);
	const headline = said.join(', ') || 'No items came';
	const isGood = total > 0 && judged.every(({ isHarmless }) => isHarmless);
	const name = clip(title, 60) || 'Wallet screening';
	let room = longestList;
	const listed = worstOfEach(judged)
		.slice(0, Math.min(mostListed, mostEver))
		.map((one) => ({ ...one, row: rowOf(one.worst, one.count) }))
		.filter(({ row }) => (room -= sizeOf([row])) >= 0);
	const groups = standings.map((standing) => ({
		heading: `${words[standing].label} (${counts[standing]})`,
		rows: listed.filter(({ worst }) => worst.standing === standing).map(({ row }) => row),
	}));
	const left = listed.reduce((rest, { count }) => rest - count, total);
	const note =
		total === 0
			? 'If you expected some, check the steps before.'
			: `… and ${left} more ${left === 1 ? 'item that is' : 'items that are'} not listed`;
	const alert = written({
		// A word of ours comes first: the title may begin a cell of a sheet, in which `=` begins a formula.
		title: `${headline}: ${name}`,
		tone: isGood ? 'good' : hits + counts.block + counts.failed > 0 ? 'bad' : 'caution',
		verdict: name,
		headline,
		parts: partsOf(judged, total),
		strip: stripOf(judged),
		heatMap: heatMapOf(listed.map(({ worst }) => worst)),
		sections: [
			{
				rows: [
					...givenRows({ Items: total, 'Failed before': repeated }),
					...aboutRows({ at, timeZone }),
				],
			},
			...groups.filter(({ rows }) => rows.length > 0),
			...(total === 0 || left > 0 ? [{ rows: [{ value: note }] }] : []),
		],
	});
	return { alert, counts, total };
}

type Judged = ReturnType<typeof judge>;

const keyOf = ({ address, reference }: Fields, chain: unknown) =>
	[addressKey(show(address, 300)), show(reference, 300), chainKey(show(chain, 300))].join('\n');

/** All but the failures after which an item with the same address, reference and chain holds a report. */
function withoutRepeated(judged: Judged[]): Judged[] {
	const screened = new Set<string>();
	const kept = judged.reverse().filter(({ item, report, standing }) => {
		if (report && standing !== 'failed' && isGiven(item.address))
			for (const chain of ['', report.chain]) screened.add(keyOf(item, chain));
		return standing !== 'failed' || !screened.has(keyOf(item, item.chain));
	});
	return kept.reverse();
}

/** The first item of each address, reference and chain, and how many it stands for. It hides no evidence that fails. */
function worstOfEach(judged: Judged[]) {
	const found = new Map<unknown, { worst: Judged; count: number }>();
	for (const worst of judged) {
		const { item } = worst;
		const key = isGiven(item.address) ? keyOf(item, item.chain) + isVerified(item) : worst;
		const known = found.get(key);
		if (known) known.count++;
		else found.set(key, { worst, count: 1 });
	}
	return [...found.values()];
}

/** How many there are of each standing. */
function partsOf(judged: Judged[], most: number): Part[] {
	return standings.flatMap((standing) => {
		const count = judged.filter((one) => one.standing === standing).length;
		const tone = standing === 'failed' ? undefined : words[standing].tone;
		return count > 0 ? [{ label: countText(count, standing), share: count / most, tone }] : [];
	});
}

/** The scores from 0 to the highest, which is 1 at least (their range is not specified), in 20 columns. */
function stripOf(judged: Judged[]): Message['strip'] {
	const scored = judged.filter(({ score }) => score < Number.MAX_VALUE);
	if (scored.length < 2) return undefined;
	const highest = scored.reduce((most, { score }) => Math.max(most, score), 1);
	const columnOf = (score: number) => Math.min(19, Math.floor((Math.max(0, score) / highest) * 20));
	const groups = Array.from({ length: 20 }, (_, column) =>
		scored.filter(({ score }) => columnOf(score) === column),
	);
	const most = Math.max(...groups.map(({ length }) => length));
	return { columns: groups.map((group) => partsOf(group, most)), highest: word(highest) };
}

/** The worst report on each of the 12 worst addresses that are not allowed: its risk categories and score. */
function heatMapOf(judged: Judged[]): HeatMap {
	const shown = judged.flatMap(({ report, standing }) =>
		report && standing !== 'allow' ? [{ report, standing }] : [],
	);
	const addresses = shown.map(({ report }) => report.address);
	const worst = shown.filter((_, at) => addresses.indexOf(addresses[at]!) === at).slice(0, 12);
	const keys = Object.keys(worst[0] ? categoriesOf(worst[0].report) : {})
		.filter((key) => key !== goodSign)
		.slice(0, 6);
	return {
		columns: keys.map((key) => clip(inWords(key) ?? show(key, 12), 12)),
		rows: worst.map(({ report, standing }) => ({
			label: clip(shortAddress(addressText(report.address)), 16),
			tone: words[standing].tone,
			shares: keys.map((key) => numberOf(categoriesOf(report)[key])),
			score: numberOf(report.risk.score),
		})),
	};
}

const numberOf = (value: unknown) => (isNumber(value) ? value : undefined);

/** What an item comes to, and its rank: the lower the worse. Then the score decides, then the order of the items. */
function judge(item: Fields, index: number) {
	const report = item.error ? undefined : readReport(item.report).report;
	const { outcome } = item;
	// Nothing is clear without a report.
	const isAllowed = outcome === 'allow' && report !== undefined;
	const isDecided = !item.error && (outcome === 'block' || outcome === 'review' || isAllowed);
	const standing: Standing = isDecided ? outcome : report ? 'undecided' : 'failed';
	const change = objectIn(item.change)?.kind;
	const alarm = change === 'worse' ? 0 : change === 'unknown' ? 1 : 2;
	const isClear = standing === 'allow' || standing === 'undecided';
	const isGood = isGreen(report?.risk.level) && !isGiven(item.asked_chain) && isVerified(item);
	const isHarmless = isClear && isGood && alarm === 2;
	// A sanctions hit comes before all else, whatever its outcome is.
	const isHit = item.sanctions === true && isDecided;
	const rank = isHit ? -1 : standings.indexOf(standing) * 6 + Number(isHarmless) * 3 + alarm;
	const score = isNumber(report?.risk.score) ? report.risk.score : Number.MAX_VALUE;
	return { item, number: index + 1, report, standing, change, isHit, isHarmless, rank, score };
}

const isVerified = ({ verification }: Fields) => objectIn(verification)?.valid !== false;

function rowOf({ item, number, report, standing }: Judged, count: number): Row {
	const address = report?.address ?? item.address;
	const { reference, asked_chain: askedChain } = item;
	return {
		label: isGiven(address) ? addressText(address) : `Item ${number}`,
		value: report ? riskOf(report) : '',
		tone: words[standing].tone,
		rows: [
			...aboutRows({ reference, askedChain }),
			...(count > 1 ? [{ label: 'Results', value: `${count}, this is the worst` }] : []),
			...whyRows(item, standing),
			...(isVerified(item) ? [] : [row('Verification', 'failed', 16)]),
			...changeRows(objectIn(item.change) ?? {}),
			...(report && isGiven(report.report_url) ? linkRows(report.report_url) : []),
		],
	};
}

function riskOf({ chain, risk }: ReportValues): string {
	const named = isGiven(chain) ? [word(chain)] : [];
	return [...named, word(risk.level), `score ${word(risk.score)}`].join(' · ');
}

function whyRows(item: Fields, standing: Standing): Row[] {
	if (item.error) return [row('Error', item.error, 240)];
	if (standing === 'failed') return [row('Error', 'The item contains no report', 240)];
	const why = typeof item.summary === 'string' ? item.summary.slice(0, 400) : '';
	const reasons = why.replace(/^(Block|Review|Allow): (no rule applies$)?/, '');
	return reasons === '' ? [] : [row('Why', reasons, 240)];
}

function changeRows({ kind, fields }: Fields): Row[] {
	if (kind !== 'worse' && kind !== 'better' && kind !== 'unknown') return [];
	const changed = Array.isArray(fields) ? fields.filter(isFields) : [];
	const said = cut(changed, 4, ({ field, before, after }) => ({
		value: `${show(inWords(field) ?? field, 40)} ${word(before, 40)} → ${word(after, 40)}`,
	})).map(({ value }) => value);
	const value = said.join('; ') || 'the earlier value is no report';
	return [row(kind === 'unknown' ? 'Change unknown' : words[kind].label, value, 300)];
}
