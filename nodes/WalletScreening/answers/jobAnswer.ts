import type { HeaderFields } from '../shared/http';
import { isJsonObject, type JsonObject } from '../shared/json';
import type { Contract } from './contract';
import { Contradictions, type ResultContext } from './contradictions';
import { type Field, isUnknownWord, mayBeState, readFields } from './fields';
import { findJobIdentity } from './jobId';
import { findJobObjects } from './jobObjects';
import {
	findFieldsThatKeepListRunning,
	findStateFields,
	type JobStatus,
	readStatus,
} from './jobState';
import { isOuterObject, type Place, readPlaces, selfAndAncestors, withAncestors } from './places';
import {
	findUnnamedLack,
	findMissingResults,
	type UnnamedLack,
	type MissingResults,
} from './lacks';
import { findResultPlaces, isOfFollowUp, type ResultPlaces } from './resultPlaces';
import { readResult, type Result } from './results';
import { createResultFinder } from './resultsByAddress';

/*
 * The job of an answer, in three steps: `findLayout` finds what is about the job and what about
 * addresses (step 4 of `reader.ts`), `readContent` reads the results (step 5), and `decideStatus`
 * decides how far along the job is, which may depend on the results.
 */

/** A 2xx answer whose body is JSON. */
export interface JsonAnswer {
	body: unknown;
	status: number;
	headers?: HeaderFields;
}

/** The job of an answer. */
export interface JobAnswer extends JobStatus {
	/** The ID that the answer names. */
	job_id: string | undefined;
	/**
	 * The results for the addresses of the job. They are empty unless it is complete, because nothing
	 * of a job that runs or failed counts as final.
	 */
	results: Result[];
	missingResults?: MissingResults | undefined;
	unnamedLack?: UnnamedLack | undefined;
	/** The answer as the service sent it. */
	body: unknown;
}

/** The handle or the status of a job (sections 4.3 and 4.4). */
export interface Job extends JobAnswer {
	job_id: string;
	body: JsonObject;
}

/** What an answer holds beside the state of the job. It counts only if the job is complete. */
type JobContent = Pick<JobAnswer, 'results' | 'missingResults' | 'unnamedLack' | 'proposedNames'>;

/**
 * Reads the answer to a request about a job, the one with this ID if one was asked for (sections
 * 4.3 and 4.4).
 *
 * @param addresses those submitted, if they are known
 */
export function readJobAnswer(
	contract: Contract,
	answer: JsonAnswer,
	jobId?: string,
	addresses?: string[],
): JobAnswer {
	const layout = findLayout(contract, answer, jobId);
	const content = readContent(contract, layout, answer);
	const status = decideStatus(contract, layout, content, addresses);
	return createJobAnswer(answer, layout, status, content);
}

/**
 * Reads the answer to a submit (section 4.3). Without a report, it is that of a job that runs: there,
 * words such as "success" are about the request, and a list may only repeat the addresses.
 * @example `{ job_id: "j", status: "success", items: [{ address: "A" }] }` has state `running`
 */
export function readSubmittedJobAnswer(contract: Contract, answer: JsonAnswer): JobAnswer {
	const job = readJobAnswer(contract, answer);
	const isEarly = job.state === 'complete' && !job.results.some(({ report }) => report);
	if (!isEarly) return job;
	const { job_id, statedBy, unread, body } = job;
	return { job_id, state: 'running', statedBy, unread, results: [], body };
}

/** Reads the job of a delivery (section 6), which is complete unless it states something else. */
export function readDeliveredJob(contract: Contract, body: unknown): JobAnswer {
	const answer = { body, status: 200 };
	const layout = findLayout(contract, answer);
	// The entries of a bare list state nothing of the others, because the delivery itself means that
	// the job is complete. An unknown word may mean that it runs, but not under `risk_status`.
	const fields = layout.isBareList
		? []
		: layout.stateFields.filter((field) => !isUnknownWord(field) || field.meaning === 'state');
	const status = readStatus(fields, 'complete');
	return createJobAnswer(answer, layout, status, readContent(contract, layout, answer));
}

/** Creates the job of an answer. Nothing of a job that runs or failed counts as final. */
function createJobAnswer(
	{ body }: JsonAnswer,
	{ job_id }: AnswerLayout,
	status: JobStatus,
	content: JobContent,
): JobAnswer {
	if (status.state !== 'complete') return { ...status, job_id, body, results: [] };
	// The names that the content proposes come in place of those of the status: it is complete.
	return { ...status, job_id, body, ...content };
}

/**
 * Decides how far along a job is. Its fields decide, with two exceptions: without results, a word
 * such as "success" may be about the request, and with a report for each address, a job without a
 * state is complete.
 *
 * @param content what the answer holds if the job is complete
 * @param addresses those submitted, if they are known
 */
function decideStatus(
	contract: Contract,
	layout: AnswerLayout,
	content: JobContent,
	addresses: string[] | undefined,
): JobStatus {
	// Only a delivery is about an event.
	const fields = layout.stateFields.filter(({ meaning }) => meaning !== 'event');
	const status = readStatus(fields, layout.isBareList ? 'complete' : 'running');
	if (status.state === 'failed') return status;
	if (status.state === 'complete')
		return content.results.length > 0 ? status : readStatus(withoutSuccess(fields), 'running');
	const hasAll = hasAllReports(content, addresses);
	if (!holdsNoState(status, layout)) return withoutRiskyProposal(contract, status, hasAll);
	const isComplete = addresses !== undefined && hasAll && !layout.isPending;
	return isComplete ? { ...status, state: 'complete' } : status;
}

const withoutSuccess = (fields: Field[]): Field[] =>
	fields.filter(({ statements }) => statements.job !== 'successWord');

/**
 * Leaves out the proposal to teach a word as one of completion if the word is unlikely to be one.
 * Before all reports are there, it may be that of a running job: a user who taught it would end
 * other jobs too early.
 */
function withoutRiskyProposal(contract: Contract, status: JobStatus, hasAll: boolean): JobStatus {
	const [word] = status.proposedNames?.complete ?? [];
	const isSafe = word === undefined || (hasAll && contract.mayMeanEnd(word));
	return isSafe ? status : { ...status, proposedNames: undefined };
}

/** Whether nothing in an answer states, or may state, how far along the job is. */
const holdsNoState = ({ statedBy }: JobStatus, { jobObjects }: AnswerLayout): boolean =>
	statedBy.length === 0 && !jobObjects.some(({ fields }) => fields.some(mayBeState));

/** Whether the content has a report for each address that is known, and nothing is missing. */
function hasAllReports(
	{ results, missingResults, unnamedLack }: JobContent,
	addresses: string[] | undefined,
): boolean {
	if (unnamedLack || missingResults || results.some(({ report }) => !report)) return false;
	if (!addresses) return results.length > 0;
	// As in `matchResults`: two addresses may be one account on two chains.
	const resultsOf = createResultFinder(addresses, results);
	return addresses.every((address) => resultsOf(address).length > 0);
}

/** RFC 9110, section 15.3.3: what was asked for is not done yet. */
const accepted = 202;

/** What in an answer is about the job, and what about addresses. */
interface AnswerLayout {
	/** The ID that the answer names. */
	job_id: string | undefined;
	/** The objects that are about the job, and not about one of its results or a notification. */
	jobObjects: Place[];
	/** The fields that may state how far along the job is. */
	stateFields: Field[];
	resultPlaces: ResultPlaces;
	/** Whether the status of HTTP means that the job is not done, if no field states otherwise. */
	isPending: boolean;
	/** Whether the answer is only a list of results, and not pending. */
	isBareList: boolean;
}

/** Finds the layout of an answer about a job, the one with this ID if one was asked for. */
function findLayout(
	contract: Contract,
	{ body, status, headers = {} }: JsonAnswer,
	jobId?: string,
): AnswerLayout {
	const places = readPlaces(contract, body);
	const outerObjects = places.filter(isOuterObject);
	const identity = findJobIdentity(contract, outerObjects, headers.location, jobId);
	const resultPlaces = findResultPlaces(contract, places);
	const { results } = resultPlaces;
	const aroundJob = withAncestors([...identity.objects, ...results]);
	const jobObjects = findJobObjects(outerObjects, identity.objects, results).filter(
		(place) => !isOfFollowUp(place, aroundJob),
	);
	const isPending = status === accepted;
	// A bare list has no place for a state, but its elements have. An empty one is no result yet.
	const isFilledList = Array.isArray(body) && body.length > 0;
	const isBareList = isFilledList && !isPending && jobObjects.length === 0;
	const stateFields = isBareList
		? findFieldsThatKeepListRunning(contract, places, results)
		: findStateFields(jobObjects, identity, resultPlaces);
	return { job_id: identity.job_id, jobObjects, stateFields, resultPlaces, isPending, isBareList };
}

/** Reads the results as those of a complete job, and what the answer promises beyond them. */
function readContent(
	contract: Contract,
	{ jobObjects, resultPlaces }: AnswerLayout,
	{ headers = {} }: JsonAnswer,
): JobContent {
	const contradictions = new Contradictions(contract, jobObjects);
	const results = readResults(contract, contradictions, jobObjects, resultPlaces);
	const jobFields = jobObjects.flatMap((place) => place.fields);
	const fieldsOfLacks = [...jobFields, ...contradictions.listFieldsInPartsOfJob()];
	const countingFields = [...jobFields, ...readFields(contract, headers, '')];
	const { otherNames } = resultPlaces;
	const otherReports = otherNames.length > 0 ? { reports: otherNames } : undefined;
	return {
		results,
		proposedNames: otherReports,
		missingResults:
			findMissingResults(countingFields, results) ??
			// Reports elsewhere are more results than came.
			(otherReports && { entry: otherReports, isElsewhere: true }),
		unnamedLack: findUnnamedLack(fieldsOfLacks, results),
	};
}

function readResults(
	contract: Contract,
	contradictions: Contradictions,
	jobObjects: Place[],
	{ results, repeatedReports }: ResultPlaces,
): Result[] {
	const findContext = createContextFinder(jobObjects);
	const read = (place: Place) => readResult(contract, contradictions, place, findContext(place));
	// A repeated report that is incomplete is taken for a summary, which contradicts nothing.
	const repeated = repeatedReports.map(read).filter(({ report }) => report);
	return [...results.map(read), ...repeated];
}

/** Returns a function that finds which places around a result are about it. */
function createContextFinder(jobObjects: Place[]): (result: Place) => ResultContext {
	// An object around all results is about the job, and not about one of them.
	const ofJob = new Set(jobObjects);
	return (result) => {
		const placesWithFields = selfAndAncestors(result).filter((place) => !ofJob.has(place));
		// The objects in a list of results may be about other addresses.
		const placesWithParts = placesWithFields.filter(
			({ value, isWithinElement }) => isJsonObject(value) || isWithinElement,
		);
		return { placesWithFields, placesWithParts };
	};
}
