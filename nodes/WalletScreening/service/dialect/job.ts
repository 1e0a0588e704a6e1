import { addressKey } from '../../address/key';
import { type Fields, isFields, quoted } from '../json';
import { type Entry, entriesIn } from './entries';
import type { Additions } from './names';
import type { Placed } from './placed';
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
const isOfJob = ({ error, value }: Field) =>
	error &&
	typeof value !== 'number' &&
	!Array.isArray(value) &&
	!(isFields(value) && Object.keys(value).some(isLikeAddress)) &&
	says(value);

/** Whether a field says when the job runs again: `next_run_at`. A cursor may be a time, too. */
const isSchedule = ({ name, value }: Field) => /(?:at|on|date|time)$/i.test(name) && isDate(value);

/** Whether a field says that there are more results than these, or more without a report. */
function saysMore(field: Field, count: number, unreported: number) {
	const { value, more, pages, total, unscreened, kind, about } = field;
	return (
		(more && says(value) && !isSchedule(field)) ||
		(pages && countIn(value) > 1) ||
		((total || kind === 'complete') && countIn(value) > count) ||
		(unscreened && countIn(value) > unreported) ||
		(about && leadsOn(value))
	);
}

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
	const isFailed = stated === 'complete' && fields.some(isOfJob);
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
