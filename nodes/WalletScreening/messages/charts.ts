import { addressKey } from '../address/key';
import { type AnyReport, categoriesOf, risksOf } from '../answers/report';
import { hasValue, isNumber } from '../shared/json';
import { clip, formatKey, formatValue, shortenAddress } from '../shared/text';
import { countText } from './digestCounts';
import { type DigestEntry, toneOf } from './digestEntry';
import type { ChartPart, HeatMap, ScoreHistogram, Tone } from './message';
import { formatAddress, formatInSentence } from './rows';
import { isFailed, standings } from './standing';

/*
 * The pictures of a digest, which are only in its HTML. Its text has the counts, and the score of
 * each report that it lists, but not the scores of the categories.
 */

/**
 * A part for each standing, as a share of `fullCount`: of all entries in a bar, of the highest column
 * in a histogram.
 */
export function standingParts(entries: readonly DigestEntry[], fullCount: number): ChartPart[] {
	return standings.flatMap((standing) => {
		const some = entries.filter((entry) => entry.standing === standing);
		const label = countText(some.length, standing);
		// Only here, failures are grey: beside blocks, they could not be told from them in red.
		const tone = isFailed(standing) ? undefined : worstTone(some.map(toneOf));
		return some.length > 0 ? [{ label, share: some.length / fullCount, tone }] : [];
	});
}

const worstTone = (tones: readonly Tone[]): Tone =>
	(['bad', 'caution'] as const).find((tone) => tones.includes(tone)) ?? 'good';

const histogramColumns = 20;

/**
 * The scores from 0 to the highest, which is 1 at least, because their range is not specified;
 * undefined for fewer than two.
 */
export function scoreHistogram(entries: readonly DigestEntry[]): ScoreHistogram | undefined {
	const scored = entries.flatMap((entry) =>
		entry.score === undefined ? [] : [{ entry, score: entry.score }],
	);
	if (scored.length < 2) return undefined;
	const highest = scored.reduce((max, { score }) => Math.max(max, score), 1);
	const columns = Array.from({ length: histogramColumns }, (): DigestEntry[] => []);
	for (const { entry, score } of scored) {
		const column = Math.floor((Math.max(0, score) / highest) * histogramColumns);
		columns[Math.min(histogramColumns - 1, column)]!.push(entry);
	}
	const maxCount = Math.max(...columns.map(({ length }) => length));
	return {
		columns: columns.map((column) => standingParts(column, maxCount)),
		highest: formatInSentence(highest),
	};
}

const maxMapRows = 12;
const maxMapColumns = 6;

/**
 * The worst report on each of the worst addresses that are not allowed: its score, and the risk
 * categories that are the highest of all these reports.
 */
export function categoryHeatMap(sorted: readonly DigestEntry[]): HeatMap {
	const shown = worstReports(sorted).slice(0, maxMapRows);
	const keys = highestCategories(shown.map(({ report }) => report)).slice(0, maxMapColumns);
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

/** A report in the heat map. */
interface MappedReport {
	report: AnyReport;
	reference: unknown;
	tone: Tone;
}

/** The first report on each address that is not allowed. */
function worstReports(sorted: readonly DigestEntry[]): MappedReport[] {
	const byAddress = new Map<string, MappedReport>();
	for (const entry of sorted) {
		const { item, report, standing } = entry;
		if (!report || standing === 'allow') continue;
		const key = addressKey(report.address);
		if (byAddress.has(key)) continue;
		byAddress.set(key, { report, reference: item.reference, tone: toneOf(entry) });
	}
	return [...byAddress.values()];
}

/** The risk categories of the reports that have a number, by their highest number in any of them. */
function highestCategories(reports: readonly AnyReport[]): string[] {
	const risks = reports.flatMap(risksOf).filter(({ value }) => isNumber(value));
	risks.sort((one, other) => Number(other.value) - Number(one.value));
	return [...new Set(risks.map(({ key }) => key))];
}

/** @example "0x098B71…3E2f96 · P-1004" */
function rowLabel(address: string, reference: unknown): string {
	const short = clip(shortenAddress(formatAddress(address)), 16);
	return hasValue(reference) ? `${short} · ${formatValue(reference, 40)}` : short;
}

const numberOrNothing = (value: unknown) => (isNumber(value) ? value : undefined);
