import { z } from 'zod';
import { addressKey } from './address';
import { invalidResponse } from './errors';
import { contentOf, excerpt, maskedJson } from './json';

/**
 * Section 2.1. What a decision rests on has to be there; the rest passes as it came, unknown fields included. Whether the
 * balance or a category is well formed is for whoever uses it to judge: a paid report is not thrown away for it.
 */
const report = z
	.object({
		report_id: z.string().min(1),
		address: z.string().min(1),
		risk: z.object({ level: z.string().min(1), score: z.number().finite() }).passthrough(),
	})
	.passthrough();

export type Report = z.infer<typeof report>;

/** Keys under which a report may be wrapped where the specification does not show the body (sections 4.2, 4.4). */
const envelopes = ['report', 'data', 'result'];

/** States of a job, or of one of its results, that was given up (not shown in section 3). */
const failedStates = ['failed', 'error', 'errored', 'cancelled', 'canceled', 'expired', 'aborted'];

/** Reports have no states (section 3): what says of itself that it failed is none. */
function saysFailed(value: unknown): boolean {
	const { status, state, error, errors } = (value as Fields | null | undefined) ?? {};
	const failed = [status, state].some(
		(word) => typeof word === 'string' && failedStates.includes(word.trim().toLowerCase()),
	);
	return failed || Boolean(error) || (Array.isArray(errors) ? errors.length > 0 : Boolean(errors));
}

/** The report that a value is or wraps, untouched as it came; undefined where there is none. */
export function reportIn(value: unknown): Report | undefined {
	if (saysFailed(value)) return undefined;
	const wrapped = envelopes.map((key) => (value as Fields | null | undefined)?.[key]);
	return [value, ...wrapped].find(
		(candidate): candidate is Report =>
			report.safeParse(candidate).success && !saysFailed(candidate),
	);
}

/** The report in a body (section 2.1), bare or in one envelope. Throws `invalid_response`. */
export function parseReport(body: unknown, httpCode: number): Report {
	const found = reportIn(body);
	if (found) return found;
	const place = report.safeParse(body).error?.issues[0]?.path.join('.') || 'the body itself';
	throw invalidResponse(`something that is not a report (see '${place}')`, httpCode);
}

/**
 * How a service of this kind may spell what the specification does not show (sections 2.4, 3, 4.3, 4.4). A state that is
 * in neither list means that the job still runs.
 */
const spellings = {
	envelope: ['data', 'job', 'result', 'payload', 'object'],
	jobId: ['job_id', 'jobId'],
	/** May be the ID of something else, where the body has one of the others. */
	id: ['id'],
	state: ['status', 'state'],
	results: ['results', 'reports', 'data', 'items'],
	/** Lists of addresses that got no report. */
	unscreened: ['errors', 'failed', 'failures', 'rejected', 'invalid', 'skipped', 'unprocessed'],
	complete: [
		'complete',
		'completed',
		'completed_with_errors',
		'partially_completed',
		'done',
		'finished',
		'processed',
		'ready',
		'success',
		'succeeded',
	],
	failed: failedStates,
	/** How many results there are, and what says that not all of them are here. */
	total: ['total', 'total_count', 'total_results', 'address_count', 'addresses_count'],
	next: ['next', 'next_cursor', 'next_page', 'next_page_token', 'has_more'],
};

type Fields = Record<string, unknown>;

export interface Job {
	job_id: string;
	state: 'running' | 'complete' | 'failed';
	/** Undefined where the body holds no results. */
	entries: Entry[] | undefined;
	/** The body as the service sent it. */
	body: Fields;
}

/** One result of a job: the report, or what the service gave in its place. `address` is undefined where it names none. */
export interface Entry {
	address: string | undefined;
	report: Report | undefined;
	value: unknown;
	/** The ID of the report, where the entry holds no more of it (section 4.2 gives the report). */
	reportId?: string;
	/** Stands for the results that the service has and did not send. */
	rest?: true;
}

function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstOf(sources: Fields[], names: string[], fits: (value: unknown) => boolean): unknown {
	for (const source of sources) {
		for (const name of names)
			if (Object.hasOwn(source, name) && fits(source[name])) return source[name];
	}
	return undefined;
}

/** What can be one segment of a path; a number that JavaScript cannot hold exactly is another number. */
const isId = (value: unknown) =>
	Number.isSafeInteger(value) ||
	(typeof value === 'string' && value.trim() !== '' && !/^\s*\.{1,2}\s*$|\p{Cs}/u.test(value));
const isText = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/**
 * A body and what it wraps, the inner first: a status beside an envelope speaks of the request, the one inside of the job.
 */
function layers(body: Fields, deep = 2): Fields[] {
	const wrapped = deep === 0 ? [] : spellings.envelope.map((name) => body[name]);
	return [...wrapped.filter(isFields).flatMap((inner) => layers(inner, deep - 1)), body];
}

/** A job's ID in a body, if there is one. */
export function jobIdIn(body: unknown): string | undefined {
	if (!isFields(body)) return undefined;
	const sources = layers(body);
	const id = firstOf(sources, spellings.jobId, isId) ?? firstOf(sources, spellings.id, isId);
	return id === undefined ? undefined : String(id).trim();
}

/**
 * The results in a body, if there are any: arrays, or an object keyed by address. No list is left out, for an address may
 * be in any of them.
 */
export function entriesIn(body: unknown): Entry[] | undefined {
	if (Array.isArray(body)) return body.map(listed);
	if (!isFields(body)) return undefined;
	const sources = layers(body);
	const [first, ...others] = listsIn(sources, spellings.results);
	const lists = first ? [first, ...others.filter((list) => list.some(isFields))] : [];
	const map = first ? undefined : firstOf(sources, spellings.results, isMap);
	const unscreened = listsIn(sources, spellings.unscreened).flat();
	if (!first && !map && unscreened.length === 0) return undefined;
	return [
		...lists.flat().map(listed),
		...(isFields(map) ? Object.entries(map).map(keyed) : []),
		...unscreened.map(unscreenedEntry),
	];
}

/** The lists under these names, each content once. */
function listsIn(sources: Fields[], names: string[]): unknown[][] {
	const lists = sources.flatMap((source) => names.map((name) => source[name])).filter(isList);
	if (lists.length < 2) return lists;
	return [...new Map(lists.map((list) => [contentOf(list), list])).values()];
}

/** Whether these are results keyed by address, and not the fields of a job or of a summary. */
function isMap(value: unknown): value is Fields {
	if (!isFields(value) || isJob(value)) return false;
	const entries = Object.entries(value);
	return (
		entries.length === 0 || entries.some((one) => isLikeAddress.test(one[0]) || keyed(one).report)
	);
}

/** No address of any chain is shorter, or without a digit; hardly a name of a field is neither. */
const isLikeAddress = /^(?=.*\d)[\w:.-]{20,}$/;

/** Whether these are the fields of a job. */
function isJob(fields: Fields): boolean {
	const { jobId, id, state, results } = spellings;
	const names = [...jobId, ...id, ...state, ...results];
	return names.some((name) => Object.hasOwn(fields, name));
}

function unscreenedEntry(value: unknown): Entry {
	const named = isFields(value) ? value.address : value;
	return { address: isText(named) ? named : undefined, report: undefined, value };
}

/** The entries, and one for those that are not in this body although the service says that there are more. */
function withRest(body: unknown, entries: Entry[] | undefined): Entry[] | undefined {
	if (!entries?.length || !isFields(body)) return entries;
	const sources = layers(body);
	const total = firstOf(sources, spellings.total, Number.isSafeInteger) as number | undefined;
	const next = firstOf(sources, spellings.next, Boolean);
	if (next === undefined && (total === undefined || total <= entries.length)) return entries;
	const value = { results: entries.length, ...(total !== undefined && { total }) };
	return [...entries, { address: undefined, report: undefined, value, rest: true }];
}

function listed(value: unknown): Entry {
	const report = reportIn(value);
	const named =
		isFields(value) && typeof value.address === 'string' ? value.address : report?.address;
	return entry(named, report, value);
}

function keyed([address, value]: [string, unknown]): Entry {
	return entry(
		address,
		reportIn(value) ?? reportIn(isFields(value) ? { address, ...value } : value),
		value,
	);
}

/** A report of another address than the entry's is no report for it. */
function entry(address: string | undefined, report: Report | undefined, value: unknown): Entry {
	const fits = report && address && addressKey(report.address) === addressKey(address);
	return { address, report: fits ? report : undefined, value };
}

/** The word for a request that went well, and for a job that is complete. */
const success = 'success';

function stateOf(body: Fields): Job['state'] {
	const words = layers(body)
		.flatMap((layer) => spellings.state.map((name) => layer[name]))
		.filter(isText)
		.map((word) => word.trim().toLowerCase());
	const word = words.find((one) => one !== success) ?? words[0] ?? '';
	if (spellings.failed.includes(word)) return 'failed';
	if (!spellings.complete.includes(word)) return 'running';
	return word === success && entriesIn(body) === undefined ? 'running' : 'complete';
}

/**
 * A job's handle or status (sections 4.3, 4.4). `job_id` is the ID that was asked for, where one was. Throws
 * `invalid_response` for a body without an ID, of another job, or that is not an object.
 */
export function parseJob(body: unknown, httpCode: number, askedId?: string): Job {
	const jobId = askedId ?? jobIdIn(body);
	if (!isFields(body) || jobId === undefined) {
		throw invalidResponse('something that is not a bulk job', httpCode, { body: excerpt(body) });
	}
	const named = firstOf(layers(body), spellings.jobId, isId);
	if (named !== undefined && String(named).trim().toLowerCase() !== jobId.toLowerCase()) {
		throw invalidResponse('another bulk job', httpCode, { body: excerpt(body) });
	}
	const state = stateOf(body);
	const entries = entriesIn(body);
	return {
		job_id: jobId,
		state,
		entries: state === 'complete' ? withRest(body, entries) : entries,
		body,
	};
}

/** What a webhook body tells (section 6): results, or the job to get them from, or both. */
export interface Completion {
	job_id: string | undefined;
	state: Job['state'];
	entries: Entry[] | undefined;
	body: unknown;
}

/**
 * The completion that a webhook body tells of; undefined where it is not JSON or holds neither results nor a job ID. No
 * text of it holds one of the secrets.
 */
export function parseCompletion(bytes: Buffer, secrets: string[] = []): Completion | undefined {
	let body: unknown;
	try {
		body = maskedJson(bytes, secrets);
	} catch {
		return undefined;
	}
	const job_id = jobIdIn(body);
	const entries = withRest(body, entriesIn(body));
	if (job_id === undefined && entries === undefined) return undefined;
	return { job_id, state: isFields(body) ? stateOf(body) : 'running', entries, body };
}
