import { addressKey } from '../address/key';
import { decodeSegment, parseUrl } from '../shared/http';
import { type Fields } from '../shared/json';
import { excerptJson, quoteJson } from '../shared/text';
import { type Contract, normalizeName, type ServiceNames } from './contract';
import {
	type Field,
	isProgress,
	kindOf,
	maxCount,
	type Place,
	type Statement,
	selfAndAncestors,
} from './places';
import { isId } from './report';
import type { Result } from './results';

type JobState = 'running' | 'complete' | 'failed';

/** A job is in this state if an answer has one of the statements, and none that an earlier rule names. */
interface StateRule {
	state: JobState;
	statements: Statement[];
}

/** The first rule for which an answer has a statement counts. */
const stateRules: StateRule[] = [
	// A word of failure ends a job, also beside words that say otherwise.
	{ state: 'failed', statements: ['failed'] },
	// Any word that is not known to mean the end may mean that the job runs.
	{ state: 'running', statements: ['running', 'unknown'] },
	// An error, `success: false`, `conclusion: "failure"`, `cancelled: true`, or the time of a failure ends a job.
	{ state: 'failed', statements: ['error'] },
	// A word such as `ready` may mean that the job waits, if `done` is false or the time of the end is empty.
	{ state: 'running', statements: ['notDone', 'noEnd'] },
	// A word of completion, `done: true`, or the time of the end means that all is there.
	{ state: 'complete', statements: ['complete', 'partly', 'success', 'ended'] },
];

/** How far a job is. */
export interface JobStatus {
	state: JobState;
	/** The fields that state it, e.g. `"status": "queued"`. */
	statements: string[];
	/** Fields that may state it, with words or names that the contract does not have. */
	unread: string[];
	/** The names to teach if the first of these states that the job is complete, or how far it is. */
	proposedNames?: ServiceNames | undefined;
}

/** Reads how far a job is. It is in the default state if no field states it. */
export function readStatus(fields: Field[], defaultState: 'running' | 'complete'): JobStatus {
	const fieldsWith = (statements: Statement[]) =>
		fields.filter(({ statement }) => statement !== undefined && statements.includes(statement));
	const rule = stateRules.find(({ statements }) => fieldsWith(statements).length > 0);
	const state = rule?.state ?? defaultState;
	const statements = quoteFields(fieldsWith(rule?.statements ?? []));
	if (state !== 'running') return { state, statements, unread: [] };
	const unread = rule ? fieldsWith(['unknown']) : fields.filter(mayBeState);
	return {
		state,
		statements,
		unread: quoteFields(unread),
		proposedNames: unread[0] && proposeNames(unread[0]),
	};
}

/** Whether a field may state how far a job is: a number of a state, or a word under a name that the contract does not have. */
const mayBeState = ({ meaning, statement, value }: Field): boolean =>
	statement === 'number' || (meaning === undefined && /^[\p{L}_-]{2,40}$/u.test(String(value)));

/** The names to teach if the field states that the job is complete, or how far it is. */
const proposeNames = ({ name, value, statement }: Field): ServiceNames =>
	statement ? { complete: [String(value)] } : { state: [name] };

function quoteFields(fields: Field[]): string[] {
	const texts = fields.map(({ name, value }) => `${quoteJson(name)}: ${quoteJson(value)}`);
	return [...new Set(texts)].slice(0, 10);
}

/** The ID of a job, and the objects of an answer that have it. */
interface JobIdentity {
	job_id: string | undefined;
	objects: Place[];
}

/**
 * Finds the ID of a job under its surest name (section 2.4), else in the header, else under another name, else in links to the
 * job (section 4.4). The objects are those of the ID that was asked for, if one was.
 */
export function findJob(
	contract: Contract,
	outer: Place[],
	location: unknown,
	jobId?: string,
): JobIdentity {
	const ids = findIds(contract, sortByLikelihood(outer));
	const surest = ids.find(({ end }) => end === contract.jobId[0]);
	const job_id =
		surest?.id ?? findLocatedId(ids, location) ?? ids[0]?.id ?? findOnlyLinkedId(outer);
	const own = ids.filter(({ id }) => id === (jobId ?? job_id));
	return { job_id, objects: own.map(({ place }) => place) };
}

/** Finds the ID to which the header leads. `Location: /v1/bulk/7.json` beside `id: 7` leads to 7. */
function findLocatedId(ids: JobId[], location: unknown): string | undefined {
	const located = linkedJob(location);
	const withoutExtension = ids.find(({ id }) => located?.startsWith(`${id}.`));
	return withoutExtension?.id ?? located;
}

/** Finds the ID in the links to a job. Without a link, or with links to several jobs, it gives undefined. */
function findOnlyLinkedId(outer: Place[]): string | undefined {
	const linked = outer.flatMap(({ fields }) =>
		fields.flatMap(({ value }) => linkedJob(value) ?? []),
	);
	const [id, ...others] = new Set(linked);
	return others.length === 0 ? id : undefined;
}

/** Sorts objects: those that state how far they are come first, and events, which have IDs of their own, last. */
function sortByLikelihood(outer: Place[]): Place[] {
	const isEvent = ({ fields }: Place) => fields.some(({ meaning }) => meaning === 'event');
	const others = outer.filter((place) => !hasProgress(place));
	const lasting = others.filter((place) => !isEvent(place));
	return [...outer.filter(hasProgress), ...lasting, ...others.filter(isEvent)];
}

/** An ID of a job, and where an answer has it. */
interface JobId {
	id: string;
	place: Place;
	/** The end of its path, as the contract has it. */
	end: string;
}

/** Finds the IDs of jobs, those under the surest names first. */
function findIds({ jobId }: Contract, places: Place[]): JobId[] {
	return jobId.flatMap((end) => places.flatMap((place) => findIdsAt(place, end)));
}

/** Finds the IDs in an object whose path has this end. */
function findIdsAt(place: Place, end: string): JobId[] {
	return place.fields.flatMap(({ name, value, meaning }) => {
		const isNamed = meaning === 'jobId' && `${place.path}.${normalizeName(name)}`.endsWith(end);
		return isNamed && isId(value) ? { id: String(value).trim(), place, end } : [];
	});
}

const hasProgress = ({ fields }: Place) => fields.some(isProgress);

/** The ID of the job to whose path (section 4.4) a link leads, which may be relative. */
function linkedJob(link: unknown): string | undefined {
	if (typeof link !== 'string' || !link.includes('bulk/')) return undefined;
	const { pathname = '' } = parseUrl(link.slice(0, 2000), 'https://any/v1/') ?? {};
	const [id, ...more] = (pathname.split('/v1/bulk/')[1] ?? '').split('/').filter(Boolean);
	return id === undefined || more.length > 0 ? undefined : decodeSegment(id);
}

/**
 * Finds the fields about a job: those of all objects that lead to it and to its results, and if none of these has a word of a
 * state, the words of the objects beside them. A success and a number belong to the request, unless they stand beside the ID.
 *
 * @example In `{ success: true, job: { job_id, state: "done" }, meta: { state: "queued" } }`, `job` is the main object, and the
 * answer leads to it. `meta` is beside it, so its state counts only if `job` has none. `success` is about the request.
 */
export function findJobFields(
	outer: Place[],
	{ objects }: JobIdentity,
	firstReport?: Place,
): Field[] {
	const main = objects.length > 0 ? objects : outer.filter(hasProgress).slice(0, 1);
	const leading = new Set(
		[...main, ...(firstReport ? [firstReport] : [])].flatMap(selfAndAncestors),
	);
	const mayBeOfRequest = ({ statement }: Field) =>
		statement === undefined || statement === 'success' || statement === 'number';
	const fields = outer
		.filter((place) => leading.has(place))
		.flatMap((place) =>
			objects.includes(place) ? place.fields : place.fields.filter((one) => !mayBeOfRequest(one)),
		);
	if (fields.some(isStateWord)) return fields;
	const beside = outer.filter(({ parent }) => parent !== undefined && leading.has(parent));
	return [...fields, ...beside.flatMap((place) => place.fields.filter(isStateWord))];
}

const isStateWord = (field: Field) =>
	(field.meaning === 'state' || field.meaning === 'likeState') && isProgress(field);

/** Finds the field beside the results, or the header, that promises more results than came. */
export function findRemainder(fields: Field[], results: Result[]): Fields | undefined {
	const addresses = new Set(results.map(({ address = '' }) => addressKey(address))).size;
	const failures = results.filter(({ report }) => !report).length;
	const field = fields.find((one) => promisesMore(one, addresses, failures));
	return field && { [field.name]: field.value };
}

/** Whether a field promises more than results for so many addresses, of which so many are failures. */
function promisesMore(field: Field, addresses: number, failures: number): boolean {
	const { meaning, statement, value } = field;
	if (statement === 'partly' || statement === 'incomplete') return failures === 0;
	switch (meaning) {
		case 'next':
			return !['empty', 'off'].includes(kindOf(value)) && value !== 0;
		case 'link':
			return /rel\W{1,5}next/.test(excerptJson(value));
		case 'total':
		case 'complete':
			return countOf(value) > addresses;
		case 'pages':
			return countOf(value) > 1;
		case 'failed':
		case 'error':
		case 'running':
			return countOf(value) > failures;
		default:
			return false;
	}
}

/** The number that a value is; 0 for any other, for a rate, and for a time in seconds since 1970. */
function countOf(value: unknown): number {
	const count = typeof value === 'object' ? 0 : Number(value);
	return Number.isInteger(count) && count < maxCount ? count : 0;
}
