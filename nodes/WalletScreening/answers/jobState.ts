import { isJsonObject, isNonBlankText, type JsonObject } from '../shared/json';
import { quoteJson } from '../shared/text';
import type { Contract } from './contract';
import { isAboutOtherTopic } from './contradictions';
import { type Field, isProgressWord, isUnknownWord, mayBeState, withJobStatement } from './fields';
import type { JobIdentity } from './jobId';
import { holdsProgress, isInList, isWithin, type Place, withAncestors } from './places';
import { isReportLike } from './report';
import { namesOwnAddress, type ResultPlaces } from './resultPlaces';
import type { ServiceNames } from './standardNames';
import { effectsOf, jobRules, type JobState } from './statements';
import { normalizeName } from './vocabulary';

/** How far along a job is. */
export interface JobStatus {
	state: JobState;
	/** The fields that state it, e.g. `"status": "queued"`. */
	statedBy: string[];
	/** Fields that may state it, with words or names that the contract does not have. */
	unread: string[];
	/** What to teach if the first of these means the end of the job, or holds its state. */
	proposedNames?: ServiceNames | undefined;
}

/**
 * Reads how far along a job is, by the first of `jobRules` of which a field has a statement. It is
 * in the default state if no field states it.
 *
 * @example
 *     { status: "done", error: null }    state 'complete', stated by `"status": "done"`
 *     { status: "queued" }               state 'running', stated by `"status": "queued"`
 *     { status: "baked" }                state 'running', because the word is unread
 *                                        proposedNames { complete: ['baked'] }
 */
export function readStatus(fields: Field[], defaultState: 'running' | 'complete'): JobStatus {
	const fieldsOf = (rule: number) =>
		fields.filter(({ statements }) => effectsOf(statements.job).jobRule === rule);
	const decidingRule = jobRules.find(({ rule }) => fieldsOf(rule).length > 0);
	const state = decidingRule ? decidingRule.state : defaultState;
	const statedBy = decidingRule ? quoteFields(fieldsOf(decidingRule.rule)) : [];
	if (state !== 'running') return { state, statedBy, unread: [] };
	// If a field states that the job runs, only an unknown word may still mean the end. If none does,
	// any field that may be a state may mean it.
	const unread = fields.filter(decidingRule ? isUnknownWord : mayBeState);
	return {
		state,
		statedBy,
		unread: quoteFields(unread),
		// Of several fields, any other may be the state.
		proposedNames:
			unread[0] && (decidingRule || unread.length === 1) ? proposeNames(unread[0]) : undefined,
	};
}

/**
 * Proposes what to teach so that the field states how far along the job is: its word, or its name.
 * A sentence or a sign cannot be taught, nor can a text in a list, nor `running: false`.
 */
function proposeNames({ name, value, meaning, statements }: Field): ServiceNames | undefined {
	if (isJsonObject(value)) return proposeTextIn(name, value);
	if (Array.isArray(value) || meaning === 'unfinished') return undefined;
	if (!statements.job) return { state: [name] };
	return normalizeName(value) === '' ? undefined : { complete: [String(value)] };
}

/** Proposes the path to the first text in the object of a state. */
function proposeTextIn(name: string, object: JsonObject): ServiceNames | undefined {
	const [nameOfText] = Object.keys(object).filter((one) => isNonBlankText(object[one]));
	return nameOfText === undefined ? undefined : { state: [`${name}.${nameOfText}`] };
}

/** The most fields that an error quotes. */
const maxQuoted = 10;

function quoteFields(fields: Field[]): string[] {
	const texts = fields.map(({ name, value }) => `${quoteJson(name)}: ${quoteJson(value)}`);
	return [...new Set(texts)].slice(0, maxQuoted);
}

/**
 * Finds the fields that state how far along a job is: those of the objects that hold the ID or the
 * first report, and of the objects around them. If none of these has a word of a state, the words
 * in the objects directly inside them count. A success and a number belong to the request, unless
 * they stand beside the ID.
 *
 * @example
 *     {
 *       "success": true,                             is of the request
 *       "job": { "job_id": "j", "state": "done" },   has the ID, so its state counts
 *       "meta": { "state": "queued" }                counts only if "job" has no state
 *     }
 */
export function findStateFields(
	jobObjects: Place[],
	{ objects: withId }: JobIdentity,
	{ results, firstReport }: Pick<ResultPlaces, 'results' | 'firstReport'>,
): Field[] {
	// Without an ID, any object that states progress may be the job.
	const likelyJobs = withId.length > 0 ? withId : jobObjects.filter(holdsProgress);
	const aroundJobAndReport = withAncestors(firstReport ? [...likelyJobs, firstReport] : likelyJobs);
	const fields = jobObjects
		.filter((place) => aroundJobAndReport.has(place))
		.flatMap((place) =>
			withId.includes(place) ? place.fields : place.fields.filter(isSurelyOfJob),
		);
	const stateFields = firstReport ? withoutErrorsOfAddresses(fields, results) : fields;
	if (stateFields.some(isProgressWord)) return stateFields;
	const fieldsDirectlyInside = jobObjects
		.filter(({ parent }) => parent !== undefined && aroundJobAndReport.has(parent))
		.flatMap((place) => place.fields);
	return [...stateFields, ...fieldsDirectlyInside.filter(isProgressWord)];
}

/**
 * Reads the errors of a job that has reports. If it is also complete, or an address of it failed,
 * it did not fail as a whole. An error that may be about one address then only means that it is
 * over.
 */
function withoutErrorsOfAddresses(fields: Field[], results: Place[]): Field[] {
	const isComplete = fields.some(
		({ meaning, statements }) => meaning === 'state' && statements.job === 'completeWord',
	);
	if (!isComplete && !results.some(isFailedAddress)) return fields;
	return fields.map((field) =>
		mayBeOfOneAddress(field) ? withJobStatement(field, 'isOver') : field,
	);
}

/** Whether a result names an address, and holds no report. */
const isFailedAddress = (result: Place): boolean =>
	!isReportLike(result.value) && namesOwnAddress(result);

/** Whether a field states something that cannot be about the request alone. */
const isSurelyOfJob = ({ statements }: Field): boolean =>
	statements.job !== undefined && !effectsOf(statements.job).mayBeOfRequest;

/** Whether a field states an error that may be about one address: `success: false`. */
const mayBeOfOneAddress = ({ statements }: Field): boolean =>
	effectsOf(statements.job).mayBeOfOneAddress === true;

/**
 * Finds the fields by which a bare list of results is not complete. In a place that stands next to
 * a report in its element, nothing counts that is about something else, and of the words of a state
 * only those that are always bad.
 *
 * @example In `[{ status: "done", report: A, case: { status: "open" } }, { status: "new" }]`, "new"
 * keeps the list running, and "open" does not
 */
export function findFieldsThatKeepListRunning(
	contract: Contract,
	places: Place[],
	results: Place[],
): Field[] {
	const aroundReports = withAncestors(results.filter(({ value }) => isReportLike(value)));
	const elementsOfReports = new Set([...aroundReports].filter(isInList));
	return places.flatMap((place) => {
		if (place.isPast) return [];
		const fields = place.fields
			.map((field) => withJobStatement(field, field.statements.oneResult))
			.filter(keepsListRunning);
		const isNextToReport = !aroundReports.has(place) && isWithin(place, elementsOfReports);
		if (!isNextToReport) return fields;
		if (isAboutOtherTopic(contract, place)) return [];
		return fields.filter((field) => !mayBeOfAnything(contract, field));
	});
}

/** Whether a field keeps a bare list running. `kyc_status: "pending"` is about the customer. */
const keepsListRunning = (field: Field): boolean =>
	field.meaning !== 'likeState' && effectsOf(field.statements.job).keepsListRunning === true;

/** Whether a field is the word of a state that may describe a customer or a case. */
const mayBeOfAnything = (contract: Contract, { statements, value }: Field): boolean =>
	statements.job === 'unknownWord' ||
	(statements.job === 'runningWord' && typeof value === 'string' && !contract.isBadWord(value));
