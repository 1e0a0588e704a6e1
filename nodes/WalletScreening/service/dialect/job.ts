import { addressKey } from '../../address/key';
import { type Fields, isFields, quoted } from '../json';
import { type Report, saysRisk } from '../report';
import { addressesNamed, look, reportIdIn } from './look';
import type { Additions } from './names';
import {
	countIn,
	isDate,
	isId,
	isLikeAddress,
	isName,
	isWord,
	leadsOn,
	lettersOf,
	says,
} from './values';
import { type Field, isUnfinished, type Said, type Vocabulary } from './vocabulary';

/** One result of a job: the report, or what came in its place. */
export interface Entry {
	/** Undefined if it names none. */
	address: string | undefined;
	report: Report | undefined;
	value: unknown;
	/** Why it is no report. An entry without one may only mention an address. */
	flaw?: string | undefined;
	/** The ID of the report, if the entry has only that (section 4.2 gives the report). */
	reportId?: string | undefined;
	/** It counts against another report of its address, unless it says the same: a part of one, or what stands elsewhere. */
	isPart?: boolean;
	/** It stands under a name under which nobody puts results, as far as the node knows. */
	isElsewhere?: true;
	/** Stands for the results that the service did not send. */
	rest?: true;
}

/** What a body says of a job. */
export interface Told {
	/** Complete only if a known field says so with a known word. */
	state: 'running' | 'complete' | 'failed';
	/** What its words and switches say, each once; a job that is partly complete says another thing than a complete one. */
	kinds: string[];
	/** Undefined if there are none, and if the job is not complete: nothing in it is final then. */
	entries: Entry[] | undefined;
	/** How many addresses the job has, if it is known. */
	addressCount: number | undefined;
	/** Fields that no list has, or whose word no list has, and that may matter. */
	unread: string[];
	/** What to add to the names of the service, if the first of them mean that. */
	add: Additions | undefined;
}

/** A field of a body, and whether it is of the job itself, of a share of it, of its results, or beside that. */
export interface Placed extends Field {
	of: 'job' | 'part' | 'results' | 'about';
	/** Whether its object wraps another one that may be the job. */
	isOuter: boolean;
}

/** Whether a value says a level (section 2.2), as only a report does. */
const saysLevel = (value: unknown): value is Fields =>
	isFields(value) && isFields(value.risk) && value.risk.level !== undefined;

/** Whether a value is of one result, and not of a job. */
export const isOfResult = (value: unknown): value is Fields =>
	saysLevel(value) || (isFields(value) && isLikeAddress(value.address));

/** The fields of a body and of what lies in its known places, the outer before the inner. */
export function placedIn(v: Vocabulary, body: Fields, of: Placed['of'] = 'job', depth = 5) {
	const fields = v.fieldsOf(body);
	const inner = fields.flatMap(({ value, about, wrappers, results, parts }): Placed[] => {
		if (depth === 0 || of === 'about') return [];
		if (parts && Array.isArray(value)) {
			return value.filter(isFields).flatMap((part) => placedIn(v, part, 'part', depth - 1));
		}
		const into = about ? 'about' : wrappers ? of : results ? 'results' : undefined;
		const isPlace = into && isFields(value) && !isOfResult(value);
		return isPlace ? placedIn(v, value, into, depth - 1) : [];
	});
	const isOuter = inner.some((one) => one.of === 'job');
	return [...fields.map((field) => ({ ...field, of, isOuter })), ...inner];
}

function entriesIn(v: Vocabulary, field: Placed): Entry[] {
	const { name, value, of } = field;
	if (field.unscreened) {
		const listed = Array.isArray(value) && of !== 'about' ? value : [value];
		return listed.flatMap((one: unknown) => {
			const found = unscreenedIn(v, one);
			return found.length > 0 || listed !== value ? found : [withoutReport(undefined, one)];
		});
	}
	if (of === 'about' || field.about) return [];
	const isEntry = isFields(value) && (isIndex(name) || (field.isUnknown && of === 'results'));
	if (isLikeAddress(name) || isEntry) return [value].flat().map((one) => entryOf(v, one, name));
	// A list under a word is of what the word says: `successful`, `screened`.
	const isOfDone = Array.isArray(value) && ['complete', 'success', 'final'].includes(field.kind!);
	if (!field.results && !field.wrappers && !isOfDone) {
		const flaw = `it stands under ${quoted(name)}, where the node knows of no results`;
		return reportsIn(value).map((one) => {
			const entry = { address: addressIn(v, one), report: undefined, value: one, flaw };
			return { ...entry, isPart: true, isElsewhere: true };
		});
	}
	if (isOfResult(value)) return [entryOf(v, value)];
	if (!Array.isArray(value)) return [];
	// Texts repeat what was sent.
	const isEcho = value.every((one) => typeof one === 'string');
	return (isEcho ? value.filter(isLikeAddress) : value).map((one) => entryOf(v, one));
}

const isIndex = (name: string) => /^\d{1,6}$/.test(name);

/** What says a level, in a value or at most three levels in it. */
function reportsIn(value: unknown, depth = 3): Fields[] {
	if (saysLevel(value)) return [value];
	if (depth === 0 || typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap((one) => reportsIn(one, depth - 1));
}

const withoutReport = (address: string | undefined, value: unknown): Entry => {
	return { address, report: undefined, value, flaw: 'it is among those without a report' };
};

/** The addresses without a report in a value: the one that it names, or those in it, also as names. */
function unscreenedIn(v: Vocabulary, value: unknown, key = '', depth = 3): Entry[] {
	const address = key || addressIn(v, value);
	if (address !== undefined) return [withoutReport(address, value)];
	if (depth === 0 || typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, one]) => {
		const isAddress = isLikeAddress(name);
		// A text in an object says why.
		if (typeof one === 'string' && !isAddress && !Array.isArray(value)) return [];
		return unscreenedIn(v, one, isAddress ? name : '', depth - 1);
	});
}

function entryOf(v: Vocabulary, value: unknown, key = ''): Entry {
	const named = addressIn(v, value) ?? (key ? look(v, value).report?.address : undefined);
	// Beside an address, a key that is none is an index or a reference.
	const own = isLikeAddress(key) || !named ? key : '';
	const { report, flaw } = look(v, isFields(value) && own ? { address: own, ...value } : value);
	const address = own || named || report?.address;
	const all = new Set([address, named, report?.address].filter((one) => one !== undefined));
	const isOne = all.size === 1 || new Set([...all].map(addressKey)).size === 1;
	if (report && isOne) return { address, report, value };
	const isPart = !report && flaw === undefined && isFields(value) && saysRisk(value);
	const part = isPart ? 'it is only a part of a report' : undefined;
	const why = report ? 'it is the report of another address' : (flaw ?? part);
	const reportId = why === undefined ? reportIdIn(v, value) : undefined;
	return { address, report: undefined, value, flaw: why, reportId, isPart };
}

function addressIn(v: Vocabulary, value: unknown): string | undefined {
	if (!isFields(value)) return isLikeAddress(value) ? value : undefined;
	if (typeof value.address === 'string') return value.address;
	return addressesNamed(v.fieldsOf(value)).find(isLikeAddress);
}

/** What a field says of how far the job is: that it ended, or not. */
function saidBy(v: Vocabulary, field: Placed): Said[] {
	const { of, isOuter, event } = field;
	return v.saidBy(field).flatMap((said) => {
		const { kind, isSwitch } = said;
		if (isUnfinished(kind)) return said;
		if (of === 'results') return [];
		// What a delivery calls its event is known to be good or not; a type or an action may be that of anything.
		if (event) return kind === 'unknown' && isOfEvent(said) ? said : [];
		if (of === 'about' && (isSwitch || kind !== 'complete')) return [];
		// It may be that of the request.
		if (kind === 'fine' || (kind === 'success' && (isSwitch || isOuter))) return [];
		if (kind === 'complete' || kind === 'success') return said;
		return isSwitch ? [] : { ...said, kind: 'unknown' };
	});
}

const isOfEvent = ({ name }: Said) => lettersOf(name).startsWith('event');

/** Whether an error is that of the whole job: neither those of single addresses, nor their number. */
const isOfJob = (v: Vocabulary, { error, value }: Field) =>
	error &&
	typeof value !== 'number' &&
	!Array.isArray(value) &&
	unscreenedIn(v, value).length === 0 &&
	says(value);

/** Whether a field says that there are more results than these, or more without a report. */
const saysMore = (
	{ value, more, pages, total, unscreened, kind, about }: Field,
	count: number,
	unreported: number,
) =>
	(more && says(value) && !isDate(value)) ||
	(pages && countIn(value) > 1) ||
	((total || kind === 'complete') && countIn(value) > count) ||
	(unscreened && countIn(value) > unreported) ||
	(about && leadsOn(value));

const rest: Entry = { address: undefined, report: undefined, value: undefined, rest: true };
const mostUnread = 10;

/** What fields say of a job; `unstated` is its state if they do not say it. Headers may say that there are more results. */
export function toldIn(
	v: Vocabulary,
	fields: Placed[],
	unstated: Told['state'] | undefined,
	headers: Fields = {},
): Told {
	const entries = fields.flatMap((field) => entriesIn(v, field));
	// What was sent, or what stands elsewhere.
	const isNone = (entry: Entry) =>
		entry.isElsewhere ?? (typeof entry.value === 'string' && !entry.flaw);
	const found = entries.every(isNone) ? [] : entries;
	const count = new Set(found.map(({ address }) => address && addressKey(address))).size;
	const all = fields.flatMap((field) => saidBy(v, field));
	// A state says more than the name of an event.
	const isStated = all.some(({ kind }) => kind === 'complete' || kind === 'success');
	const said = all.filter((one) => !(isStated && one.kind === 'unknown' && isOfEvent(one)));
	const kinds = said.map(({ kind }) => kind);
	const stated = kinds.includes('failed') ? 'failed' : kinds.length > 0 ? 'complete' : unstated;
	const isFailed = stated === 'complete' && fields.some((field) => isOfJob(v, field));
	const isRunning = kinds.includes('running') || kinds.includes('unknown');
	const state = (!isRunning && (isFailed ? 'failed' : stated)) || 'running';

	const unreported = found.filter(({ report }) => !report).length;
	const more = [...fields, ...v.fieldsOf(headers)].some((one) => saysMore(one, count, unreported));
	const lacks = more || (kinds.includes('partly') && found.every(({ report }) => report));
	const isLost = count === 0 && state === 'complete';
	const isMute = kinds.length === 0 && unstated === 'running';
	const words = said.filter(({ kind }) => kind === 'unknown');
	const names = fields.filter((one) => one.isUnknown && one.of !== 'about' && says(one.value));
	const unread = [...words, ...(isLost || isMute ? names : [])].slice(0, mostUnread);
	const nameOf = (isLikely: (value: unknown) => boolean) =>
		names.flatMap(({ name, value }) => (isLikely(value) ? name : [])).slice(0, 1);
	const add = words[0]
		? { words: { complete: [words[0].value].filter(isName).map(String) } }
		: {
				...(isMute && { state: nameOf(isWord) }),
				...(count === 0 && { results: nameOf((value) => typeof value === 'object') }),
			};
	return {
		state,
		kinds: [...new Set(kinds)].sort(),
		entries: count > 0 && state === 'complete' ? [...found, ...(lacks ? [rest] : [])] : undefined,
		addressCount: lacks || count === 0 ? undefined : count,
		unread: unread.map(({ name, value }) => `${quoted(name)}: ${quoted(value)}`),
		add: unread.length > 0 ? add : undefined,
	};
}

/** The ID of the job. `isSure`: not a bare `id`, which may be that of something else. */
export function jobIdIn(fields: Placed[], isSure = false): string | undefined {
	// The ID of a request or an event stands around that of the job, and no state beside it.
	const isStated = fields.some(({ state, isOuter, of }) => state && isOuter && of === 'job');
	const isInner = fields.some((one) => one.jobId && one.of === 'job' && !one.isOuter);
	const ids = fields.filter(({ name, value, jobId, of, isOuter }) => {
		const isBare = lettersOf(name) === 'id';
		if (isBare && isOuter && isInner && !isStated) return false;
		return jobId && isId(value) && (of === 'about' ? !isBare : of === 'job' && !(isSure && isBare));
	});
	const [first] = ids.sort((one, other) => one.jobId! - other.jobId!);
	return first && String(first.value).trim();
}
