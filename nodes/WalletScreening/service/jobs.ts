import { addressKey } from './address';
import { invalidResponse } from './errors';
import { type Report, reportIn } from './schemas';

/**
 * How a service of this kind may spell what the specification does not show (sections 2.4, 3, 4.3, 4.4). A state that is
 * in neither list means that the job still runs.
 */
const spellings = {
	envelope: ['data', 'job', 'result'],
	jobId: ['job_id', 'jobId'],
	/** May be the ID of something else, where the body has one of the others. */
	id: ['id'],
	state: ['status', 'state'],
	results: ['results', 'reports', 'data', 'items'],
	complete: ['complete', 'completed', 'done', 'finished', 'success', 'succeeded'],
	failed: ['failed', 'error', 'errored', 'cancelled', 'canceled', 'expired', 'aborted'],
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
const isText = (value: unknown) => typeof value === 'string';
const isList = (value: unknown) => Array.isArray(value);

/**
 * A body and what it wraps, the inner first: a status beside an envelope speaks of the request, the one inside of the job.
 */
function layers(body: Fields): Fields[] {
	return [...spellings.envelope.map((name) => body[name]), body].filter(isFields);
}

/** A job's ID in a body, if there is one. */
export function jobIdIn(body: unknown): string | undefined {
	if (!isFields(body)) return undefined;
	const sources = layers(body);
	const id = firstOf(sources, spellings.jobId, isId) ?? firstOf(sources, spellings.id, isId);
	return id === undefined ? undefined : String(id).trim();
}

/** The results in a body, if there are any: an array, or an object keyed by address. */
export function entriesIn(body: unknown): Entry[] | undefined {
	if (Array.isArray(body)) return body.map(listed);
	if (!isFields(body)) return undefined;
	const sources = layers(body);
	const list = firstOf(sources, spellings.results, isList);
	if (Array.isArray(list)) return list.map(listed);
	const map = firstOf(sources, spellings.results, (value) => isFields(value) && !isJob(value));
	return isFields(map) ? Object.entries(map).map(keyed) : undefined;
}

/** Whether these are the fields of a job and not results keyed by address. */
function isJob(fields: Fields): boolean {
	const { jobId, id, state, results } = spellings;
	const names = [...jobId, ...id, ...state, ...results];
	return names.some((name) => Object.hasOwn(fields, name));
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

function stateOf(body: Fields): Job['state'] {
	const state = String(firstOf(layers(body), spellings.state, isText) ?? '')
		.trim()
		.toLowerCase();
	if (spellings.failed.includes(state)) return 'failed';
	if (!spellings.complete.includes(state)) return 'running';
	return state === requestSuccess && speaksOfRequest(body) ? 'running' : 'complete';
}

const requestSuccess = 'success';

/** Whether a status beside an envelope with a job that has none, and no results, can mean the request alone. */
function speaksOfRequest(body: Fields): boolean {
	const inner = layers(body).filter((layer) => layer !== body);
	return (
		firstOf(inner, [...spellings.jobId, ...spellings.id], isId) !== undefined &&
		firstOf(inner, spellings.state, isText) === undefined &&
		entriesIn(body) === undefined
	);
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
	return { job_id: jobId, state: stateOf(body), entries: entriesIn(body), body };
}

/** What a webhook body tells (section 6): results, or the job to get them from, or both. */
export interface Completion {
	job_id: string | undefined;
	state: Job['state'];
	entries: Entry[] | undefined;
	body: unknown;
}

/** The completion that a webhook body tells of; undefined where it is not JSON or holds neither results nor a job ID. */
export function parseCompletion(bytes: Buffer): Completion | undefined {
	let body: unknown;
	try {
		body = JSON.parse(bytes.toString('utf8'));
	} catch {
		return undefined;
	}
	const job_id = jobIdIn(body);
	const entries = entriesIn(body);
	if (job_id === undefined && entries === undefined) return undefined;
	return { job_id, state: isFields(body) ? stateOf(body) : 'running', entries, body };
}

const longestExcerpt = 1000;

/** A body for the eyes of the user, cut where it is long. */
export function excerpt(body: unknown): string {
	let text: string;
	try {
		text = JSON.stringify(body) ?? '';
	} catch {
		return '(nested too deeply to be shown)';
	}
	return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
}
