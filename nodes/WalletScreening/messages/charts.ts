import { categoriesOf, favourableCategory } from '../answers/report';
import { isGiven, isNumber } from '../shared/json';
import { clip, formatKey, formatValue, shortenAddress } from '../shared/text';
import { countText, countWords, type DigestEntry, standings } from './digestEntry';
import type { HeatMap, Part, ScoreStrip } from './message';
import { formatAddress, formatInSentence } from './rows';

/*
 * The pictures of a digest. They are only in its HTML, and all that they show is in its text, too.
 */

/** A part for each standing, as a share of `total`. */
export function standingParts(entries: readonly DigestEntry[], total: number): Part[] {
	return standings.flatMap((standing) => {
		const count = entries.filter((entry) => entry.standing === standing).length;
		const tone = standing === 'failed' ? undefined : countWords[standing].tone;
		return count > 0 ? [{ label: countText(count, standing), share: count / total, tone }] : [];
	});
}

const stripColumns = 20;

/**
 * The scores from 0 to the highest, which is 1 at least, because their range is not specified;
 * undefined for fewer than two.
 */
export function scoreStrip(entries: readonly DigestEntry[]): ScoreStrip | undefined {
	const scored = entries.filter(({ score }) => score < Number.MAX_VALUE);
	if (scored.length < 2) return undefined;
	const highest = scored.reduce((max, { score }) => Math.max(max, score), 1);
	const columnOf = ({ score }: DigestEntry) =>
		Math.min(stripColumns - 1, Math.floor((Math.max(0, score) / highest) * stripColumns));
	const columns = Array.from({ length: stripColumns }, (_, column) =>
		scored.filter((entry) => columnOf(entry) === column),
	);
	const maxCount = Math.max(...columns.map(({ length }) => length));
	return {
		columns: columns.map((column) => standingParts(column, maxCount)),
		highest: formatInSentence(highest),
	};
}

const maxMapRows = 12;
const maxMapColumns = 6;

/**
 * The worst report on each of the worst addresses that are not allowed: its risk categories and its
 * score.
 */
export function categoryHeatMap(sorted: readonly DigestEntry[]): HeatMap {
	const seen = new Set<string>();
	const shown = sorted
		.flatMap(({ item, report, standing }) => {
			if (!report || standing === 'allow' || seen.has(report.address)) return [];
			seen.add(report.address);
			return [{ reference: item.reference, report, tone: countWords[standing].tone }];
		})
		.slice(0, maxMapRows);
	const keys = Object.keys(shown[0] ? categoriesOf(shown[0].report) : {})
		.filter((key) => key !== favourableCategory)
		.slice(0, maxMapColumns);
	return {
		columns: keys.map((key) => clip(formatKey(key) ?? formatValue(key, 12), 12)),
		rows: shown.map(({ reference, report, tone }) => ({
			label: rowLabel(report.address, reference),
			tone,
			shares: keys.map((key) => numberOrNothing(categoriesOf(report)[key])),
			score: numberOrNothing(report.risk.score),
		})),
	};
}

/** @example "0x098B71…3E2f96 · P-1004" */
function rowLabel(address: string, reference: unknown): string {
	const short = clip(shortenAddress(formatAddress(address)), 16);
	return isGiven(reference) ? `${short} · ${formatValue(reference, 40)}` : short;
}

const numberOrNothing = (value: unknown) => (isNumber(value) ? value : undefined);
