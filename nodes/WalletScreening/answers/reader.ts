import { invalidResponse } from '../shared/errors';
import { isJsonObject, isObjectOrList } from '../shared/json';
import { excerptJson } from '../shared/text';
import { Contract } from './contract';
import {
	type Job,
	type JobAnswer,
	type JsonAnswer,
	readDeliveredJob,
	readJobAnswer,
	readSubmittedJobAnswer,
} from './jobAnswer';
import { Contradictions } from './contradictions';
import { findPossibleIdName } from './jobId';
import { isOuterObject, readPlaces, selfAndAncestors } from './places';
import type { Report } from './report';
import { findFailures, findReports } from './resultPlaces';
import { readResult, selectReport, type Subject } from './results';
import type { ServiceNames } from './standardNames';

/*
 * How this folder reads an answer, whose shape the specification leaves open (sections 2.4, 3, 4.3,
 * 4.4, 6). The example is the answer to a status request. A and B were submitted.
 *
 *     {
 *       "job": { "job_id": "j", "phase": "done", "total": 2 },
 *       "results": [
 *         { "address": "A", "report_id": "r", "risk": { … } },
 *         { "address": "B", "error": "no source" }
 *       ]
 *     }
 *
 * 1. `contract.ts` has what a name means, and what a word of a state means: by the tables in
 *    `standardNames.ts`, and by what a user taught. `vocabulary.ts` looks both up.
 *
 *     name        meaning        word      meaning
 *     job_id      jobId          done      complete
 *     phase       state
 *     total       total
 *     error       error
 *     address     -
 *
 * 2. `fields.ts` reads the fields of an object: of each, name and value together make a statement of
 *    how far along something is. The statement makes the state of a job, or contradicts a report.
 *
 *     field                      statement        makes a job    contradicts a report
 *     "phase": "done"            completeWord     complete       no
 *     "error": "no source"       hasError         failed         yes
 *     "total": 2                 countsResults    -              no
 *
 *    Four tables decide that:
 *
 *     standardNames.ts           what a name means, and what a word
 *     statementsByMeaning.ts     what a value under a name of each meaning states of a job
 *     fieldStatements.ts         what the same field states elsewhere
 *     statements.ts              what each statement does
 *
 * 3. `places.ts` lists the places of the answer: its objects, its lists and their elements, each
 *    with its path and its fields. A report is one place, and nothing in it is another.
 *
 *                    the answer itself, with an empty path
 *     .job           the object of the job
 *     .results       the list
 *     .results.*     the report of A
 *     .results.*     the object of B
 *
 * 4. `jobAnswer.ts` finds what is about the job, and what about addresses.
 *
 *     jobId.ts           the ID is "j", at the place .job
 *     resultPlaces.ts    most reports are at .results.*, so the elements of that list are results
 *     jobObjects.ts      the objects outside of the results are about the job
 *     jobState.ts        the statement at .job makes the state of the job: complete
 *
 *    Then each place has a role. It decides whether its fields are about the job or an address.
 *
 *     place         role          its fields are about
 *     (the answer)  job object    the job
 *     .job          job object    the job
 *     .results.*    result        A
 *     .results.*    stand-in      B: it stands in the place of a report
 *
 *    Had the element of A been `{ "state": "done", "report": { … }, "meta": { … } }`, it would lie
 *    around the report, and its own fields would be about A, too. `meta` would be a part: an object
 *    inside a report or next to it. A report of A elsewhere, e.g. under "worst", would be a repeated
 *    report: if it differs, A has none.
 *
 * 5. `results.ts` reads each result. It has a report, or a flaw, which is the reason why it has none.
 *
 *     A    the report: it has all of section 2 (`reportSchema.ts`), and no statement contradicts it
 *     B    the flaw "'error' is "no source""
 *
 *    `contradictions.ts` finds the fields that contradict a report: those in it and around it, and
 *    those of its parts whose statement is sure.
 *
 *    `lacks.ts` compares the results with what the answer promises: "total" is not more than
 *    came.
 *
 * 6. `match.ts` gives each address its report, or the error in its place: A the report, and B
 *    `invalid_response` with the flaw. `jobErrors.ts` makes the errors of the job as a whole.
 *
 * Of an answer to Screen or Report: Get, step 4 only finds the reports, and after step 5
 * `selectReport` takes the one that was asked for.
 */

/**
 * Reads the answers and the deliveries of one service.
 *
 * @example
 * const body = { status: "done", total: 3, results: [report, { address, error: "no source" }] };
 * new Reader().readJob({ status: 200, body }, 'j')
 * // {
 * //   job_id: 'j', state: 'complete', statedBy: ['"status": "done"'], unread: [],
 * //   results: [{ address, report, value }, { address, flaw: "'error' is \"no source\"", value }],
 * //   missingResults: { entry: { total: 3 }, isElsewhere: false }, body
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
		const places = readPlaces(this.contract, body);
		const reports = findReports(places);
		const contradictions = new Contradictions(this.contract);
		// All around the report of a screening is about it. So is what failed for the same address.
		const results = [...reports, ...findFailures(this.contract, places)].map((place) => {
			const around = selfAndAncestors(place);
			const context = { placesWithFields: around, placesWithParts: around };
			return readResult(this.contract, contradictions, place, context);
		});
		return selectReport(results, subject, { body, status });
	}

	/**
	 * Reads the job that a submit made (section 4.3).
	 * @throws {ScreeningError} `invalid_response` for an answer without an ID, with the name of a
	 * field that may hold it
	 */
	readSubmittedJob(answer: JsonAnswer): Job {
		const { body, status } = answer;
		const job = readSubmittedJobAnswer(this.contract, answer);
		const { job_id } = job;
		if (job_id !== undefined) return { ...job, job_id, body: isJsonObject(body) ? body : {} };
		const outerObjects = readPlaces(this.contract, body).filter(isOuterObject);
		const name = findPossibleIdName(this.contract, outerObjects);
		throw invalidResponse('no ID of a bulk job', {
			httpCode: status,
			details: { body: excerptJson(body) },
			proposedNames: name === undefined ? undefined : { jobId: [name] },
		});
	}

	/**
	 * Reads the job that was asked for (section 4.4); `addresses` are those submitted, if they are
	 * known.
	 * @throws {ScreeningError} `invalid_response` for a body that is neither an object nor a list
	 */
	readJob(answer: JsonAnswer, jobId: string, addresses?: string[]): Job {
		const { body, status } = answer;
		if (!isObjectOrList(body))
			throw invalidResponse('a body that is not a bulk job', {
				httpCode: status,
				details: { body: excerptJson(body) },
			});
		const job = readJobAnswer(this.contract, answer, jobId, addresses);
		return { ...job, job_id: jobId, body: isJsonObject(body) ? body : { results: body } };
	}

	/** Reads the job of a delivery (section 6). */
	readDeliveredJob(body: unknown): JobAnswer {
		return readDeliveredJob(this.contract, body);
	}
}
