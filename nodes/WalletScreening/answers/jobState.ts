import { quoteJson } from '../shared/text';
import { type Field, type Statement, statesProgress } from './fields';
import type { JobIdentity } from './jobId';
import { holdsProgress, type Place, selfAndAncestors } from './places';
import type { ServiceNames } from './standardNames';
import { normalizeName } from './vocabulary';

type JobState = 'running' | 'complete' | 'failed';

/** A job is in this state if an answer has one of the statements, and none of an earlier rule. */
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
	// An error, `success: false`, `conclusion: "failure"`, `cancelled: true`, or the time of a
	// failure ends a job.
	{ state: 'failed', statements: ['error'] },
	// A word such as `ready` may mean that the job waits, if `done` is false or its end is empty.
	{ state: 'running', statements: ['notDone', 'noEnd'] },
	// A word of completion, `done: true`, or the time of the end means that all is there.
	{ state: 'complete', statements: ['complete', 'partly', 'success', 'ended'] },
];

/** How far a job is. */
export interface JobStatus {
	state: JobState;
	/** The fields that state it, e.g. `"status": "queued"`. */
	statedBy: string[];
	/** Fields that may state it, with words or names that the contract does not have. */
	unread: string[];
	/** The names to teach if the first of these states that the job is complete, or how far it is. */
	proposedNames?: ServiceNames | undefined;
}

/**
 * Reads how far a job is. It is in the default state if no field states it.
 *
 * @example
 *     { status: "done", error: null }    state 'complete', stated by `"status": "done"`
 *     { status: "queued" }               state 'running', stated by `"status": "queued"`
 *     { status: "baked" }                state 'running', because the word is unread
 *                                        proposedNames { complete: ['baked'] }
 */
export function readStatus(fields: Field[], defaultState: 'running' | 'complete'): JobStatus {
	const fieldsWith = (statements: Statement[]) =>
		fields.filter(({ statement }) => statement !== undefined && statements.includes(statement));
	const rule = stateRules.find(({ statements }) => fieldsWith(statements).length > 0);
	const state = rule?.state ?? defaultState;
	const statedBy = quoteFields(fieldsWith(rule?.statements ?? []));
	if (state !== 'running') return { state, statedBy, unread: [] };
	const unread = rule ? fieldsWith(['unknown']) : fields.filter(mayBeState);
	return {
		state,
		statedBy,
		unread: quoteFields(unread),
		proposedNames: unread[0] && proposeNames(unread[0]),
	};
}

/**
 * Whether a field may state how far a job is: a number or an `ok` of a state, or a word under a name
 * that the contract does not have.
 */
const mayBeState = ({ meaning, statement, value }: Field): boolean =>
	statement === 'number' ||
	(meaning === 'state' && statement === 'ok') ||
	(meaning === undefined && typeof value !== 'object' && /^[\p{L}_-]{2,40}$/u.test(String(value)));

/**
 * The names to teach if the field states that the job is complete, or how far it is. A sentence or
 * a sign cannot be taught.
 */
function proposeNames({ name, value, statement }: Field): ServiceNames | undefined {
	if (!statement) return { state: [name] };
	return normalizeName(value) === '' ? undefined : { complete: [String(value)] };
}

/** No error quotes more fields. */
const maxQuoted = 10;

function quoteFields(fields: Field[]): string[] {
	const texts = fields.map(({ name, value }) => `${quoteJson(name)}: ${quoteJson(value)}`);
	return [...new Set(texts)].slice(0, maxQuoted);
}

/**
 * Finds the fields that state how far a job is: those of all objects that lead to it and to its
 * results, and if none of these has a word of a state, the words of the objects beside them. A
 * success and a number belong to the request, unless they stand beside the ID.
 *
 * @example
 *     {
 *       "success": true,                             is of the request
 *       "job": { "job_id": "j", "state": "done" },   has the ID, so its state counts
 *       "meta": { "state": "queued" }                counts only if "job" has no state
 *     }
 */
export function findJobFields(
	jobObjects: Place[],
	{ objects: withId }: JobIdentity,
	firstReport?: Place,
): Field[] {
	const jobPlaces = withId.length > 0 ? withId : jobObjects.filter(holdsProgress).slice(0, 1);
	const ends = firstReport ? [...jobPlaces, firstReport] : jobPlaces;
	const leading = new Set(ends.flatMap(selfAndAncestors));
	const fields = jobObjects
		.filter((place) => leading.has(place))
		.flatMap((place) =>
			withId.includes(place) ? place.fields : place.fields.filter((one) => !mayBeOfRequest(one)),
		);
	if (fields.some(isStateWord)) return fields;
	const beside = jobObjects.filter(({ parent }) => parent !== undefined && leading.has(parent));
	return [...fields, ...beside.flatMap((place) => place.fields.filter(isStateWord))];
}

/** Whether a field states nothing, or what may be meant of the request alone. */
const mayBeOfRequest = ({ statement }: Field): boolean =>
	statement === undefined || statement === 'success' || statement === 'number';

/** Whether a field is a word of a state. */
const isStateWord = (field: Field): boolean =>
	(field.meaning === 'state' || field.meaning === 'likeState') && statesProgress(field);
