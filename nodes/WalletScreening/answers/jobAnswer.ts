import type { HeaderFields } from '../shared/http';
import { isJsonObject, type JsonObject } from '../shared/json';
import type { Contract } from './contract';
import { Contradictions } from './contradictions';
import { type Field, mayBeState, readFields } from './fields';
import { findJobIdentity } from './jobId';
import { findJobObjects } from './jobObjects';
import {
	findFieldsThatKeepListRunning,
	findStateFields,
	type JobStatus,
	readStatus,
} from './jobState';
import { isOuterObject, type Place, readPlaces, selfAndAncestors } from './places';
import {
	findUnnamedLack,
	findMissingResults,
	type UnnamedLack,
	type MissingResults,
} from './lacks';
import { findResultPlaces, isOfFollowUp, type ResultPlaces } from './resultPlaces';
import { readResult, type Result } from './results';
import { findResults } from './resultsByAddress';

/*
 * The job of an answer. In the example of `reader.ts`, `findAnswerParts` does step 4, and
 * `readResults` step 5.
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

/** RFC 9110, section 15.3.3: what was asked for is not done yet. */
const accepted = 202;

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
	const parts = findAnswerParts(contract, answer, jobId);
	// Only a delivery is about an event.
	const fields = parts.stateFields.filter(({ meaning }) => meaning !== 'event');
	const status = readStatus(fields, parts.isBareList ? 'complete' : 'running');
	const job = createJobAnswer(contract, answer, parts, status);
	if (job.state === 'failed') return job;
	if (job.state === 'complete') {
		if (job.results.length > 0) return job;
		// A word such as "success" may be about the request.
		const ofJob = fields.filter(({ statements }) => statements.job !== 'successWord');
		return createJobAnswer(contract, answer, parts, readStatus(ofJob, 'running'));
	}
	const asComplete = createJobAnswer(contract, answer, parts, { ...status, state: 'complete' });
	const hasAll = hasAllReports(asComplete, addresses);
	if (statesNothing(job, parts))
		return addresses && hasAll && answer.status !== accepted ? asComplete : job;
	// Before all reports are there, a user who taught a word would end other jobs too early.
	const [word] = job.proposedNames?.complete ?? [];
	const isProposable = word === undefined || (hasAll && contract.mayMeanEnd(word));
	return isProposable ? job : { ...job, proposedNames: undefined };
}

/** Whether nothing in an answer may state how far along the job is. */
const statesNothing = ({ statedBy }: JobAnswer, { jobObjects }: AnswerParts): boolean =>
	statedBy.length === 0 && !jobObjects.some(({ fields }) => fields.some(mayBeState));

/** Reads the job of a delivery (section 6), which is complete unless it states something else. */
export function readDeliveredJob(contract: Contract, body: unknown): JobAnswer {
	const answer = { body, status: 200 };
	const parts = findAnswerParts(contract, answer);
	// The entries of a bare list state nothing of the others, because the delivery itself means that
	// the job is complete. An unknown word may mean that it runs, but not under `risk_status`.
	const fields = parts.isBareList
		? []
		: parts.stateFields.filter(
				({ meaning, statements }) => statements.job !== 'unknownWord' || meaning === 'state',
			);
	return createJobAnswer(contract, answer, parts, readStatus(fields, 'complete'));
}

/** Whether a job, read as complete, has a report for each address that is known. */
function hasAllReports(
	{ results, missingResults, unnamedLack }: JobAnswer,
	addresses?: string[],
): boolean {
	if (unnamedLack || missingResults || results.some(({ report }) => !report)) return false;
	if (!addresses) return results.length > 0;
	// As in `matchResults`: two addresses may be one account on two chains.
	const resultsOf = findResults(addresses, results);
	return addresses.every((address) => resultsOf(address).length > 0);
}

/** The parts of an answer about a job. */
interface AnswerParts {
	/** The ID that the answer names. */
	job_id: string | undefined;
	/** The objects that are about the job, and not about one of its results or a notification. */
	jobObjects: Place[];
	/** The fields that may state how far along the job is. */
	stateFields: Field[];
	resultPlaces: ResultPlaces;
	/** Whether the answer is only a list of results. */
	isBareList: boolean;
}

/** Finds the parts of an answer about a job, the one with this ID if one was asked for. */
function findAnswerParts(
	contract: Contract,
	{ body, status, headers = {} }: JsonAnswer,
	jobId?: string,
): AnswerParts {
	const places = readPlaces(contract, body);
	const outerObjects = places.filter(isOuterObject);
	const identity = findJobIdentity(contract, outerObjects, headers.location, jobId);
	const resultPlaces = findResultPlaces(contract, places);
	const aroundJob = new Set(
		[...identity.objects, ...resultPlaces.results].flatMap(selfAndAncestors),
	);
	const jobObjects = findJobObjects(outerObjects, identity.objects, resultPlaces.results).filter(
		(place) => !isOfFollowUp(place, aroundJob),
	);
	// A bare list has no place for a state, but its elements have. An empty list, or one with 202, is
	// not the result yet.
	const isList = Array.isArray(body) && body.length > 0 && status !== accepted;
	const isBareList = isList && jobObjects.length === 0;
	const stateFields = isBareList
		? findFieldsThatKeepListRunning(contract, places, resultPlaces.results)
		: findStateFields(jobObjects, identity, resultPlaces);
	return { job_id: identity.job_id, jobObjects, stateFields, resultPlaces, isBareList };
}

/** Creates the job of the parts of an answer. Its results are read only if it is complete. */
function createJobAnswer(
	contract: Contract,
	{ body, headers = {} }: JsonAnswer,
	parts: AnswerParts,
	jobStatus: JobStatus,
): JobAnswer {
	const job = { ...jobStatus, job_id: parts.job_id, body };
	if (jobStatus.state !== 'complete') return { ...job, results: [] };
	// The names that the results propose come in place of those of the state: it is complete.
	return { ...job, ...readResults(contract, parts, headers) };
}

/** Reads the results of a complete job, and what the answer promises beyond them. */
function readResults(
	contract: Contract,
	{ jobObjects, resultPlaces }: AnswerParts,
	headers: HeaderFields,
): Pick<JobAnswer, 'results' | 'missingResults' | 'unnamedLack' | 'proposedNames'> {
	// The objects around all results are about the job, and not about one of them.
	const ofJob = new Set(jobObjects);
	const placesOf = (place: Place) => selfAndAncestors(place).filter((one) => !ofJob.has(one));
	const jobFields = jobObjects.flatMap((place) => place.fields);
	const contradictions = new Contradictions(contract, jobObjects);
	const read = (place: Place) => {
		const placesWithFields = placesOf(place);
		// Other elements of the list of results may be about other addresses.
		const placesWithParts = placesWithFields.filter(
			(one) => isJsonObject(one.value) || one.isWithinElement,
		);
		return readResult(contract, contradictions, place, { placesWithFields, placesWithParts });
	};
	// An incomplete report elsewhere is taken for a summary, which contradicts nothing.
	const elsewhere = resultPlaces.repeatedReports.map(read).filter(({ report }) => report);
	const results = [...resultPlaces.results.map(read), ...elsewhere];
	const { otherNames } = resultPlaces;
	const otherReports = otherNames.length > 0 ? { reports: otherNames } : undefined;
	const promised = findMissingResults(
		[...jobFields, ...readFields(contract, headers, '')],
		results,
	);
	return {
		results,
		proposedNames: otherReports,
		// Reports elsewhere are more results than came.
		missingResults: promised ?? (otherReports && { entry: otherReports, isElsewhere: true }),
		unnamedLack: findUnnamedLack(jobFields, results),
	};
}
