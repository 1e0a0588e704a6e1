import type { JsonObject } from '../shared/json';
import { clip, formatCount } from '../shared/text';
import { categoryHeatMap, scoreHistogram, standingParts } from './charts';
import { countEntries, countLabels, type CountName, type Counts, countText } from './digestCounts';
import { compareEntries, type DigestEntry, readEntry } from './digestEntry';
import { groupRow } from './digestRows';
import { type DigestGroup, dropEarlierFailures, groupBySubject } from './digestSubjects';
import type { ItemRow, Row, Section, Tone } from './message';
import { type Alert, renderMessage } from './render';
import { contextRows, createSentence, type MessageContext, rowsFor } from './rows';
import { maxRowsSize, slackSizeOf } from './slack';
import { standings } from './standing';

interface DigestOptions extends Pick<MessageContext, 'at' | 'timeZone'> {
	readonly title: string;
	/** How many items the message lists at most. */
	readonly maxListed: number;
}

interface Digest {
	alert: Alert;
	/** All failures are `failed`. */
	counts: Omit<Counts, 'failedLater'>;
	/** How many items were counted. */
	total: number;
}

/** The title of a digest without one. */
export const defaultDigestTitle = 'Wallet screening';

/**
 * Makes one message on items that hold a report or stand for a failure. All are counted, the worst
 * come first, and at most `maxListed` are listed, fewer if the message became too long for Slack or
 * a mail client. Items with the same address, reference and chain are listed once. It never throws,
 * and shows each value as no more than a value.
 */
export function createDigest(items: readonly JsonObject[], options: DigestOptions): Digest {
	const entries = dropEarlierFailures(items.map(readEntry)).sort(compareEntries);
	const total = entries.length;
	const counts = countEntries(entries);
	const hits = entries.filter(({ isHit }) => isHit).length;
	const headline = headlineFor(counts, hits);
	const title = clip(options.title, 60) || defaultDigestTitle;
	const listed = listGroups(groupBySubject(entries), options.maxListed);
	const alert = renderMessage({
		// The headline comes first, because the title may begin a cell of a sheet, in which `=` begins
		// a formula.
		title: `${headline}: ${title}`,
		tone: toneOfDigest(entries, counts, hits),
		badge: title,
		headline,
		standingBar: standingParts(entries, total),
		histogram: scoreHistogram(entries),
		heatMap: categoryHeatMap(listed.map(({ worst }) => worst)),
		sections: [
			{ rows: overviewRows(total, items.length - total, options) },
			...standingSections(listed, counts),
			...unlistedSections(listed, total),
		],
	});
	const { failedLater, ...others } = counts;
	return { alert, counts: { ...others, failed: counts.failed + failedLater }, total };
}

function headlineFor(counts: Counts, hits: number): string {
	const texts = (Object.keys(counts) as CountName[])
		.filter((name) => counts[name] > 0)
		.map((name) => countText(counts[name], name));
	const headline = texts.join(', ') || 'No items received';
	// A hit is among the others, so it is not one more of the list.
	return hits > 0 ? `${formatCount(hits, 'sanctions hit')} – ${headline}` : headline;
}

function toneOfDigest(entries: readonly DigestEntry[], counts: Counts, hits: number): Tone {
	if (entries.length > 0 && entries.every(({ isSureAllClear }) => isSureAllClear)) return 'good';
	return hits + counts.block + counts.failed + counts.failedLater > 0 ? 'bad' : 'caution';
}

/** A group that the message lists, and its row. */
interface ListedGroup extends DigestGroup {
	row: ItemRow;
}

/*
 * The bounds of what a digest shows. It counts every item, also those that it does not show.
 *
 *     the items that are listed     `maxListed` of the user, `maxRows` and `maxListSize`
 *     the length of a row           `digestRows.ts`, and `fitIntoBlock` in `slack.ts`
 *     the heat map                  `maxMapRows` and `maxMapColumns` in `charts.ts`
 *     the whole message in Slack    `maxRowsSize` in `slack.ts`
 */

/** Gmail cuts off a mail of over 102 KB, which more rows could fill. */
const maxRows = 150;
/** This leaves room for the rows before the list, and for the one that counts what is not listed. */
const maxListSize = maxRowsSize - 400;

/** Lists the worst groups that fit into a message. */
function listGroups(groups: readonly DigestGroup[], maxListed: number): ListedGroup[] {
	const listed: ListedGroup[] = [];
	let size = 0;
	for (const group of groups.slice(0, Math.min(maxListed, maxRows))) {
		const row = groupRow(group);
		size += slackSizeOf([row]);
		if (size > maxListSize) break;
		listed.push({ ...group, row });
	}
	return listed;
}

function overviewRows(total: number, failedBefore: number, options: DigestOptions): Row[] {
	const repeated = failedBefore > 0 ? `${failedBefore}, and screened later` : undefined;
	const { at, timeZone } = options;
	return [
		...rowsFor({ Items: total, 'Failed before': repeated }),
		...contextRows({ at, timeZone }),
	];
}

/** A section for each standing that has a row. */
function standingSections(groups: readonly ListedGroup[], counts: Counts): Section[] {
	return standings
		.map((standing) => ({
			heading: `${countLabels[standing]} (${counts[standing]})`,
			rows: groups.filter(({ worst }) => worst.standing === standing).map(({ row }) => row),
		}))
		.filter(({ rows }) => rows.length > 0);
}

/** What the message does not list, if there is anything. */
function unlistedSections(groups: readonly ListedGroup[], total: number): Section[] {
	if (total === 0) {
		return [{ rows: [createSentence('If you expected some, check the steps before.')] }];
	}
	const unlisted = total - groups.reduce((sum, { count }) => sum + count, 0);
	if (unlisted === 0) return [];
	const words = unlisted === 1 ? 'item that is' : 'items that are';
	return [{ rows: [createSentence(`… and ${unlisted} more ${words} not listed`)] }];
}
