import { invalidResponse } from '../shared/errors';
import { isFields, isFilled } from '../shared/json';
import { excerptJson } from '../shared/text';
import { Contract } from './contract';
import type { Field } from './fields';
import {
	type Job,
	type JobAnswer,
	type JsonAnswer,
	readDeliveredJob,
	readJobAnswer,
} from './jobAnswer';
import { readPlaces, selfAndAncestors } from './places';
import type { Report } from './report';
import { findReports } from './resultPlaces';
import { readResult, selectReport, type Subject } from './results';
import type { ServiceNames } from './standardNames';

/**
 * Reads the answers and the deliveries of one service, whose shapes the specification leaves open
 * (sections 2.4, 3, 4.3, 4.4, 6). The steps, and their files:
 *
 * 1. `places.ts` lists the objects and lists of an answer, and `fields.ts` reads what each field
 *    states, by the names and words of the contract.
 * 2. For a job, `jobAnswer.ts` finds its parts: `jobId.ts` its ID, and `jobState.ts` its state,
 *    which is that of the first of five rules that has a statement.
 * 3. `resultPlaces.ts` finds the reports, what stands in the place of one, and what may contradict
 *    one. `results.ts` refuses each report that lacks something, or that a field in it or around it
 *    contradicts.
 *
 * Then `match.ts` gives each submitted address its one result, or says why it has none.
 *
 * @example
 * const body = { status: "done", total: 3, results: [report, { address, error: "no source" }] };
 * new Reader().readJob({ status: 200, body }, 'j')
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
	 * @throws {ScreeningError} `invalid_response` for an answer without an ID, with the name of a
	 * field that may hold it
	 */
	readSubmittedJob(answer: JsonAnswer): Job {
		const { body, status } = answer;
		const job = readJobAnswer(this.contract, answer);
		const { job_id } = job;
		if (job_id !== undefined)
			return { ...withoutEarlyEnd(job), job_id, body: isFields(body) ? body : {} };
		const fields = readPlaces(this.contract, body).flatMap((place) => place.fields);
		const field = fields.find(mayBeId);
		throw invalidResponse('no ID of a bulk job', {
			httpCode: status,
			details: { body: excerptJson(body) },
			proposedNames: field && { jobId: [field.name] },
		});
	}

	/**
	 * Reads the job that was asked for (section 4.4); `addresses` are those submitted, if they are
	 * known.
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

	/** Reads the job of a delivery (section 6). */
	readDeliveredJob(body: unknown): JobAnswer {
		return readDeliveredJob(this.contract, body);
	}
}

/**
 * Without results, the answer to a submit is that of a job that runs: there, words such as
 * "success" are about the request.
 * @example `{ job_id: "j", status: "success" }` has state `running`
 */
function withoutEarlyEnd(job: JobAnswer): JobAnswer {
	const isEarly = job.state === 'complete' && job.results.length === 0;
	if (!isEarly) return job;
	return { ...job, state: 'running', remainder: undefined, proposedNames: undefined };
}

/**
 * Whether a field under an unknown name may hold the ID of a job: a text with a digit, and neither
 * a link nor a time.
 */
const mayBeId = ({ meaning, value }: Field) =>
	meaning === undefined && isFilled(value) && /^[^\s/:]*\d[^\s/:]*$/.test(value);
