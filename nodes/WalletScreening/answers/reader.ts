import { addressKey } from '../address/key';
import { invalidResponse } from '../shared/errors';
import type { HeaderFields } from '../shared/http';
import { type Fields, isFields, isFilled } from '../shared/json';
import { excerptJson } from '../shared/text';
import { Contract, type ServiceNames } from './contract';
import { type Field, readFields } from './fields';
import { findJobIdentity } from './jobId';
import { findJobFields, type JobStatus, readStatus } from './jobState';
import { isInElement, isInLoneElement, type Place, readPlaces, selfAndAncestors } from './places';
import { findRemainder } from './remainder';
import { isReportLike, type Report } from './report';
import { findReports, findResultPlaces, type ResultPlaces } from './resultPlaces';
import { readResult, type Result, selectReport, type Subject } from './results';

/** The job of an answer. */
export interface JobAnswer extends JobStatus {
	/** The ID that the answer names. */
	job_id: string | undefined;
	/** The results for the addresses of the job. They are empty unless it is complete, because nothing of a job that runs is final. */
	results: Result[];
	/** The field that promises more results than came. */
	remainder?: Fields | undefined;
	/** The answer as the service sent it. */
	body: unknown;
}

/** The handle or the status of a job (sections 4.3 and 4.4). */
export interface Job extends JobAnswer {
	job_id: string;
	body: Fields;
}

/** A 2xx answer whose body is JSON. */
interface JsonAnswer {
	body: unknown;
	status: number;
	headers?: HeaderFields;
}

/**
 * Reads the answers and the deliveries of one service, whose shapes the specification leaves open (sections 2.4, 3, 4.3, 4.4, 6):
 *
 * 1. `readPlaces` lists the objects and lists of an answer. `readFields` reads what each field states, by the names and words of
 *    the contract.
 * 2. `findJobIdentity` finds the ID of the job, and `readStatus` its state: that of the first of five rules that has a statement.
 * 3. `findResultPlaces` finds the reports, what stands in the place of one, and what may contradict one. `readResult` refuses each report that lacks
 *    something, or that a field in it or around it contradicts.
 *
 * Then `matchResults` gives each submitted address its one result, or says why it has none.
 *
 * @example new Reader().readJob({ status: 200, body: { status: "done", total: 3, results: [report, { address, error }] } }, 'j')
 * // {
 * //   job_id: 'j', state: 'complete', statements: ['"status": "done"'], unread: [],
 * //   results: [{ address, report, value }, { address, flaw: "'error' is \"no source\"", value }],
 * //   remainder: { total: 3 }, body
 * // }
 */
export class Reader {
	private readonly contract: Contract;

	/** @param serviceNames what this service uses beside the standard names and words */
	constructor(serviceNames?: ServiceNames) {
		this.contract = new Contract(serviceNames);
	}

	/**
	 * Reads the one report of the subject (sections 4.1 and 4.2), as the service sent it.
	 * @throws {ScreeningError} `invalid_response`, with the ID of the report, which may be paid for
	 */
	readReport({ body, status }: JsonAnswer, subject: Subject): Report {
		const places = findReports(readPlaces(this.contract, body));
		// All fields around the report of a screening are about it.
		const results = places.map((place) =>
			readResult(this.contract, place, selfAndAncestors(place)),
		);
		return selectReport(results, subject, { body, status });
	}

	/**
	 * Reads the job that a submit made (section 4.3).
	 * @throws {ScreeningError} `invalid_response` for an answer without an ID, with the name of a field that may hold it
	 */
	readSubmittedJob(answer: JsonAnswer): Job {
		const { body, status } = answer;
		const { job_id, ...job } = readJobAnswer(this.contract, answer);
		if (job_id !== undefined) return { ...job, job_id, body: isFields(body) ? body : {} };
		const fields = readPlaces(this.contract, body).flatMap((place) => place.fields);
		const field = fields.find(mayBeId);
		throw invalidResponse('no ID of a bulk job', {
			httpCode: status,
			details: { body: excerptJson(body) },
			proposedNames: field && { jobId: [field.name] },
		});
	}

	/**
	 * Reads the job that was asked for (section 4.4); `addresses` are those submitted, if they are known.
	 * @throws {ScreeningError} `invalid_response` for a body that is neither an object nor a list
	 */
	readJob(answer: JsonAnswer, jobId: string, addresses?: string[]): Job {
		const { body, status } = answer;
		if (typeof body !== 'object' || body === null)
			throw invalidResponse('a body that is not a bulk job', {
				httpCode: status,
				details: { body: excerptJson(body) },
			});
		const job = readJobAnswer(this.contract, answer, jobId, addresses);
		return { ...job, job_id: jobId, body: isFields(body) ? body : { results: body } };
	}

	/** Reads the job of a delivery, which is complete unless the delivery states something else (section 6). */
	readDeliveredJob(body: unknown): JobAnswer {
		const answer = { body, status: 200 };
		const parts = findAnswerParts(this.contract, answer);
		// The entries of a bare list state nothing of the others, because the delivery itself means that the job is complete. An unknown
		// word may be of the event, and not of the job.
		const fields = parts.isBareList
			? []
			: parts.jobFields.filter(({ statement }) => statement !== 'unknown');
		return createJobAnswer(this.contract, answer, parts, readStatus(fields, 'complete'));
	}
}

/** Whether a field under an unknown name may hold the ID of a job: a text with a digit, and neither a link nor a time. */
const mayBeId = ({ meaning, value }: Field) =>
	meaning === undefined && isFilled(value) && /^[^\s/:]*\d[^\s/:]*$/.test(value);

/** Reads the answer to a request about a job, the one with this ID if one was asked for (sections 4.3 and 4.4). */
function readJobAnswer(
	contract: Contract,
	answer: JsonAnswer,
	jobId?: string,
	addresses?: string[],
): JobAnswer {
	const parts = findAnswerParts(contract, answer, jobId);
	// Only a delivery is about an event.
	const fields = parts.jobFields.filter(({ meaning }) => meaning !== 'event');
	const status = readStatus(fields, parts.isBareList ? 'complete' : 'running');
	const job = createJobAnswer(contract, answer, parts, status);
	if (!status.proposedNames?.complete) return job;
	// Of a job that lacks a report, the unknown word hardly means the end: pasted without a look, it would end others too early.
	const asComplete = createJobAnswer(contract, answer, parts, { ...status, state: 'complete' });
	return hasAllReports(asComplete, addresses) ? job : { ...job, proposedNames: undefined };
}

/** Whether all results of a complete job are reports, one for each address if the addresses are known. */
function hasAllReports({ results, remainder }: JobAnswer, addresses?: string[]): boolean {
	const keys = new Set(results.map(({ report }) => report && addressKey(report.address)));
	if (keys.has(undefined)) return false;
	return addresses
		? addresses.every((address) => keys.has(addressKey(address)))
		: results.length > 0 && !remainder;
}

/** The parts of an answer about a job. */
interface AnswerParts {
	/** The ID that the answer names. */
	job_id: string | undefined;
	/** The objects that are about the job, and not about one of its results. */
	jobObjects: Place[];
	/** The fields that may state how far the job is. */
	jobFields: Field[];
	resultPlaces: ResultPlaces;
	/** Whether the answer is only a list of results. */
	isBareList: boolean;
}

/** RFC 9110, section 15.3.3: what was asked for is not done yet. */
const ACCEPTED = 202;

/** Finds the parts of an answer about a job, the one with this ID if one was asked for. */
function findAnswerParts(
	contract: Contract,
	{ body, status, headers = {} }: JsonAnswer,
	jobId?: string,
): AnswerParts {
	const places = readPlaces(contract, body);
	const outerObjects = places.filter(isOuterObject);
	const identity = findJobIdentity(contract, outerObjects, headers.location, jobId);
	const jobObjects = dropLoneElements(outerObjects, identity.objects);
	const resultPlaces = findResultPlaces(places, contract.reportPaths);
	// A bare list has no place for a state, but its elements have.
	const isBareList = Array.isArray(body) && status !== ACCEPTED && jobObjects.length === 0;
	const jobFields = isBareList
		? places.flatMap(findUnfinishedFields)
		: findJobFields(jobObjects, identity, resultPlaces.firstReport);
	return { job_id: identity.job_id, jobObjects, jobFields, resultPlaces, isBareList };
}

/** Whether a place is an object outside of all results, so that it may be about the job. */
const isOuterObject = (place: Place) =>
	isFields(place.value) && !isReportLike(place.value) && !isInElement(place);

/** The only element of a list is about the job if it has the job's ID, else it is one of the results. */
function dropLoneElements(outerObjects: Place[], objectsWithId: Place[]): Place[] {
	return objectsWithId.some(isInLoneElement)
		? outerObjects
		: outerObjects.filter((place) => !isInLoneElement(place));
}

/** Finds the fields by which an element of a bare list is not final. */
const findUnfinishedFields = ({ fields }: Place) =>
	fields.filter(
		({ meaning, statement }) =>
			meaning !== 'likeState' && ['running', 'unknown', 'notDone'].includes(statement!),
	);

/** Creates the job of the parts of an answer. Its results are read only if it is complete. */
function createJobAnswer(
	contract: Contract,
	{ body, headers = {} }: JsonAnswer,
	{ job_id, jobObjects, resultPlaces }: AnswerParts,
	jobStatus: JobStatus,
): JobAnswer {
	const job = { ...jobStatus, job_id, body };
	if (jobStatus.state !== 'complete') return { ...job, results: [] };
	return { ...job, ...readResults(contract, resultPlaces, jobObjects, headers) };
}

/** Reads the results of a complete job, and what the answer promises beyond them. `jobObjects` are the objects about it. */
function readResults(
	contract: Contract,
	resultPlaces: ResultPlaces,
	jobObjects: Place[],
	headers: HeaderFields,
): Pick<JobAnswer, 'results' | 'remainder' | 'proposedNames'> {
	// The objects around all results are about the job, and not about one of them.
	const jobPlaces = new Set(jobObjects);
	const around = (place: Place) => selfAndAncestors(place).filter((one) => !jobPlaces.has(one));
	const read = (place: Place) => readResult(contract, place, around(place));
	// A part of a report elsewhere is a summary, which contradicts nothing.
	const rivals = resultPlaces.rivals.map(read).filter(({ report }) => report);
	const results = [...resultPlaces.results.map(read), ...rivals];
	const fields = [
		...jobObjects.flatMap((place) => place.fields),
		...readFields(contract, headers, ''),
	];
	const { otherNames } = resultPlaces;
	const proposedNames = otherNames.length > 0 ? { reports: otherNames } : undefined;
	return { results, proposedNames, remainder: findRemainder(fields, results) ?? proposedNames };
}
