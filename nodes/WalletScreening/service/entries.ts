import { addressKey } from './address';
import { contentOf, fieldOf, isFields } from './json';
import { flawOf, mostWraps, type Report, reportIn, resultKey } from './report';
import { signsIn } from './signs';
import { is, isId, isText } from './spellings';
import {
	addressIn,
	isAssessed,
	isLikeAddress,
	isResult,
	layerOf,
	type List,
	type Survey,
	wrappedAddressIn,
} from './survey';

/** One result of a job: the report, or its substitute from the service. `address` is undefined if it names none. */
export interface Entry {
	address: string | undefined;
	report: Report | undefined;
	value: unknown;
	/** The ID of the report, if the entry has only that (section 4.2 gives the report). */
	reportId?: string;
	/** Stands for the results that the service did not send: it says that it has more, or a page is just full. */
	rest?: true | 'possible';
}

function reportIdIn(value: unknown, wraps = mostWraps): string | undefined {
	if (!isFields(value) || flawOf(value) !== undefined || isFields(fieldOf(value, 'risk')))
		return undefined;
	for (const [name, part] of Object.entries(value)) {
		if ((is(name, 'reportId') || name === 'report') && isId(part)) return String(part).trim();
		if (wraps === 0 || !is(name, 'envelope')) continue;
		const inner = reportIdIn(part, wraps - 1);
		if (inner !== undefined) return inner;
	}
	return undefined;
}

/**
 * The entry that a value is. `key` is the name under which it came, if any. A report of another address than the entry's is
 * no report for it.
 */
function entryOf(value: unknown, key?: string): Entry {
	const named = addressIn(value);
	const found =
		reportIn(value) ?? (isFields(value) ? reportIn({ address: key, ...value }) : undefined);
	const isKey = key !== undefined && (isLikeAddress(key) || (!found && named === undefined));
	const address =
		isKey && key !== found?.report_id ? key : (named ?? found?.address ?? wrappedAddressIn(value));
	const all = [address, named, found?.address].flatMap((one) =>
		one === undefined ? [] : addressKey(one),
	);
	if (found && all.every((one) => one === all[0])) return { address, report: found, value };
	const reportId = found ? undefined : reportIdIn(value);
	return { address, report: undefined, value, ...(reportId !== undefined && { reportId }) };
}

/** The entry or, where it holds a list of its own, or reports under an address and other names, the entries of that. */
function entriesOf(value: unknown, key?: string, depth = 2): Entry[] {
	if (depth > 0 && Array.isArray(value) && value.some(isFields)) {
		return value.flatMap((one) => entriesOf(one, key, depth - 1));
	}
	const isOfAddress = key !== undefined && isLikeAddress(key);
	const parts = isOfAddress && isFields(value) ? Object.values(value) : [];
	if (parts.length > 0 && parts.every(isAssessed)) {
		return parts.flatMap((one) => entriesOf(one, key, depth));
	}
	const entry = entryOf(value, key);
	if (depth === 0 || entry.report || !isFields(value) || flawOf(value) !== undefined)
		return [entry];
	const inner = Object.entries(value).flatMap(([name, list]) =>
		is(name, 'results') && Array.isArray(list) && list.some(isResult) ? (list as unknown[]) : [],
	);
	if (inner.length === 0) return [entry];
	const entries = inner.flatMap((one) => entriesOf(one, entry.address, depth - 1));
	const signs = signsIn(
		[layerOf(value)],
		entries.map(({ report: one }) => one),
	);
	return Object.keys(signs).length > 0 ? [entry] : entries;
}

/** What came in place of a report, for an address or in a list that has none. */
const unscreenedEntry = (value: unknown, key?: string): Entry => ({
	address: key ?? addressIn(value) ?? (isText(value) ? value : undefined),
	report: undefined,
	value,
});

/**
 * The entries of all lists. No list is left out, for an address may be in any of them; what two lists say is taken once. A
 * list that nobody knows proves nothing beside one that is known, but it may name an address that is missing there, or
 * contradict a report.
 */
export function entriesFrom({ lists, mentions }: Survey): Entry[] | undefined {
	const ofKind = (kind: List['kind']) =>
		lists.filter((list) => list.kind === kind && !isOfTexts(list));
	const texts = lists.filter(isOfTexts);
	const others = ofKind('other').map(read);
	const ofResults = ofKind('results').map((list) => ({ ...list, entries: read(list) }));
	const results = ofResults.map(({ entries }) => entries);
	const hasReports = results.flat().some(({ report: one }) => one);
	const bare = ofResults
		.filter(({ ofAddresses, entries }) => isBare(entries, hasReports, ofAddresses))
		.map(({ entries }) => entries);
	const trusted = [
		results.filter((list) => !bare.includes(list)),
		others.filter((list) => list.some(({ report: one, reportId }) => one ?? reportId)),
		texts.filter(({ kind, ofAddresses }) => kind === 'results' && !ofAddresses).map(read),
	].find(({ length }) => length > 0);
	const unscreened = lists
		.filter(({ kind }) => kind === 'unscreened')
		.map(({ values }) => values.map(([key, value]) => unscreenedEntry(value, key)))
		.filter(({ length }) => length > 0);
	if (!trusted && unscreened.length === 0) return undefined;

	const known = once([...(trusted ?? []), ...unscreened]);
	const asides = mentions
		.filter((one) => addressIn(one) !== undefined)
		.map((one) => unscreenedEntry(one));
	const covered = new Set(known.map(({ address }) => address && addressKey(address)));
	const isCovered = ({ address }: Entry) => covered.has(address && addressKey(address));
	const mentioned = [
		...[...bare, ...others].flat(),
		...(known.length > 0 ? [...texts.map(read).flat(), ...asides] : []),
	].flatMap((entry) => {
		if (isCovered(entry)) return entry.report ? entry : [];
		return entry.address === undefined ? [] : withoutReport(entry);
	});
	return once([known, mentioned]);
}

/**
 * Whether a list only says again what was sent: it has nothing of a report in it, and no word against one. Unless another list
 * has reports, its name has to say so.
 */
const isBare = (entries: Entry[], hasReports: boolean, ofAddresses: boolean) =>
	(hasReports || (ofAddresses && !entries.some(({ reportId }) => reportId !== undefined))) &&
	entries.every(
		({ report: one, value }) =>
			!one &&
			isFields(value) &&
			flawOf(value) === undefined &&
			!Object.entries(value).some(
				([name, part]) =>
					name === 'risk' || is(name, 'envelope') || (typeof part === 'object' && part !== null),
			),
	);

const isOfTexts = ({ values }: List) =>
	values.length > 0 && values.every(([, value]) => isText(value));

const read = ({ values }: List) => values.flatMap(([key, value]) => entriesOf(value, key));

const withoutReport = ({ address, value }: Entry): Entry => ({ address, report: undefined, value });

/** The lists one after the other, without what an earlier list says too. */
function once(lists: Entry[][]): Entry[] {
	const said = new Set<unknown>();
	return lists.flatMap((list) => {
		const contents = list.map(({ report: one, value }) =>
			one ? resultKey(one) : contentOf(value),
		);
		const fresh = list.filter((_, at) => !said.has(contents[at]));
		for (const content of contents) said.add(content);
		return fresh;
	});
}

/** What stands in the places of results while a job runs: none of it is final. */
export function placesIn(lists: List[]): Entry[] | undefined {
	const places = lists.filter(({ kind }) => kind !== 'other');
	if (places.length === 0) return undefined;
	return places.flatMap(({ values }) => values.map(([key, value]) => unscreenedEntry(value, key)));
}
