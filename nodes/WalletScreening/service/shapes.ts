import type { Headers } from '../pace/retryAfter';
import { addressKey } from './address';
import { type Entry, entriesFrom, placesIn } from './entries';
import { invalidResponse } from './errors';
import { excerpt, type Fields, isFields, maskedJson } from './json';
import { excerptsIn, fullPageIn, pagingIn, signsIn } from './signs';
import { countIn, is, isId, isText } from './spellings';
import { saysRequestWentWell, type State, stateOf } from './state';
import { lastOf, type Layer, layerOf, survey } from './survey';
import { jobIdInUrl } from './url';

export interface Job extends State {
	job_id: string;
	/** Undefined if the body has no results, or says that the job still runs: nothing in it is final then. */
	entries: Entry[] | undefined;
	/** How many addresses the job has; undefined if the body does not say. */
	addressCount: number | undefined;
	/** The body as the service sent it. */
	body: Fields;
}

interface Answer extends State {
	job_id: string | undefined;
	entries: Entry[] | undefined;
	addressCount: number | undefined;
	layers: Layer[];
}

const isRunning = ({ state, isStated }: State) => isStated && state === 'running';

/** What a body says of a job. `paging` is what the headers of the answer say of more results. */
function answerIn(body: Fields, paging: Fields[] = []): Answer {
	const seen = survey(body);
	const { layers, lists } = seen;
	const state = stateOf(
		layers,
		lists.some(({ kind }) => kind !== 'unscreened'),
	);
	const entries = isRunning(state) ? placesIn(lists) : entriesFrom(seen);
	const reports = entries?.map(({ report: one }) => one) ?? [];
	const isFinal = reports.length > 0 && !isRunning(state);
	const all = [...layers, ...paging.map((fields) => layerOf(fields, { path: 'headers.' }))];
	const signs = isFinal ? { ...signsIn(all, reports), ...excerptsIn(lists) } : {};
	const isWhole = Object.keys(signs).length === 0;
	const full = isFinal && isWhole ? fullPageIn(all, reports.length) : undefined;
	const rest: Entry = {
		address: undefined,
		report: undefined,
		value: { results: reports.length, ...signs, ...full },
		rest: isWhole ? 'possible' : true,
	};
	const totals = layers.flatMap(({ fields, isUnscreened }) =>
		isUnscreened
			? []
			: Object.entries(fields).flatMap(([name, value]) =>
					is(name, 'total') ? (countIn(value) ?? []) : [],
				),
	);
	const isAll = isWhole && reports.length > 0 && !reports.includes(undefined);
	if (!state.isStated && isAll && saysRequestWentWell(layers)) state.state = 'complete';
	const counted = state.state === 'complete' && isWhole && !full && entries;
	const most = totals.reduce<number | undefined>(
		(one, other) => Math.max(one ?? other, other),
		undefined,
	);
	return {
		...state,
		job_id: jobIdFrom(layers),
		entries: entries && (full || !isWhole) ? [...entries, rest] : entries,
		addressCount: counted ? distinct(counted) : most,
		layers,
	};
}

const distinct = (entries: Entry[]) =>
	new Set(entries.map(({ address }, at) => (address === undefined ? at : addressKey(address))))
		.size;

function idUnder(layers: Layer[], isCalled: (name: string) => boolean): string | undefined {
	for (const { fields, isJob } of layers) {
		const id = Object.entries(fields).find(
			([name, value]) => isJob && isCalled(name) && isId(value),
		);
		if (id) return String(id[1]).trim();
	}
	return undefined;
}

/** The ID that can be that of no other thing than the job. */
const ownJobId = (layers: Layer[]) =>
	idUnder(layers, (name) => name === 'job_id') ?? idUnder(layers, (name) => is(name, 'jobId'));

/** The same, or what hardly is that of another thing. */
const likelyJobId = (layers: Layer[]) =>
	ownJobId(layers) ?? idUnder(layers, (name) => is(name, 'jobText')) ?? linkedJobId(layers);

const jobIdFrom = (layers: Layer[]) =>
	likelyJobId(layers) ?? idUnder(layers, (name) => is(name, 'id'));

/** The ID of the one job to which links lead, other than that to the next page. */
function linkedJobId(layers: Layer[]): string | undefined {
	const ids = layers.flatMap(({ fields, path }) =>
		is(lastOf(path), 'next')
			? []
			: Object.entries(fields).flatMap(([name, value]) =>
					is(name, 'jobLink') && isText(value) ? (jobIdInUrl(value) ?? []) : [],
				),
	);
	return new Set(ids).size === 1 ? ids[0] : undefined;
}

/** The ID of a job in the body of a refusal, wherever it lies; not a bare `id`, which may be that of the error. */
export function refusedJobIdIn(body: unknown): string | undefined {
	if (!isFields(body)) return undefined;
	const layers = survey(body).layers.map((layer) => ({ ...layer, isJob: true }));
	return likelyJobId(layers);
}

/** A job's ID in a body; undefined if the body names no job. */
export function jobIdIn(body: unknown): string | undefined {
	return isFields(body) ? jobIdFrom(survey(body).layers) : undefined;
}

/** A body that is a list is one of results, or of the one event that holds them. */
function fieldsOf(body: unknown): Fields {
	if (!Array.isArray(body)) return isFields(body) ? body : {};
	const [only, ...others] = body as unknown[];
	return others.length === 0 && refusedJobIdIn(only) !== undefined
		? (only as Fields)
		: { results: body };
}

/**
 * A job's handle or status (sections 4.3, 4.4). `job_id` is the ID that was asked for, where one was. Throws
 * `invalid_response` for a body without an ID, of another job, or that is not an object.
 */
export function parseJob(
	body: unknown,
	httpCode: number,
	askedId?: string,
	headers: Headers = {},
): Job {
	const fields = askedId === undefined || !Array.isArray(body) ? body : fieldsOf(body);
	const refused = (what: string) => invalidResponse(what, httpCode, { body: excerpt(body) });
	if (!isFields(fields)) throw refused('a body that is not a bulk job');
	const answer = answerIn(fields, pagingIn(headers, httpCode));
	const job_id = askedId ?? answer.job_id;
	if (job_id === undefined) throw refused('a body that is not a bulk job');
	const { layers, state, isStated, addressCount } = answer;
	const named = ownJobId(layers);
	if (named !== undefined && named.toLowerCase() !== job_id.toLowerCase()) {
		throw refused('a bulk job of another ID');
	}
	return {
		job_id,
		state,
		isStated,
		entries: isRunning(answer) ? undefined : answer.entries,
		addressCount,
		body: fields,
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
 * The completion in a webhook body; undefined if it is not JSON or has neither results nor a job ID. The
 * event is sent when a job completes (section 6), so results without a state are those of a complete job; a job that is
 * said to run has none. No text of it holds one of the secrets.
 */
export function parseCompletion(bytes: Buffer, secrets: string[] = []): Completion | undefined {
	let body: unknown;
	try {
		body = maskedJson(bytes, secrets);
	} catch {
		return undefined;
	}
	const answer = answerIn(fieldsOf(body));
	const { job_id, isStated } = answer;
	const entries = isRunning(answer) && job_id !== undefined ? undefined : answer.entries;
	if (job_id === undefined && entries === undefined) return undefined;
	const state = !isStated && entries?.length ? 'complete' : answer.state;
	return { job_id, state, entries, body };
}
