import { type ErrorClass, ScreeningError } from '../shared/errors';
import { excerptJson } from '../shared/text';
import type { JobAnswer } from './jobAnswer';
import type { ServiceNames } from './standardNames';

/** Makes the error of a job that still runs. `when` completes "is not complete". */
export const createTimeoutError = (job: JobFacts, when: string): ScreeningError =>
	createJobError(
		'job_timeout',
		job,
		`is not complete ${when}`,
		'The service keeps processing the job. Getting its results later makes no new screening request.',
	);

/**
 * Makes the error of a job that is over and lacks results, if the reason concerns the whole job.
 */
export function findJobProblem(job: JobAnswer): ScreeningError | undefined {
	const { job_id, state, missingResults, results, proposedNames } = job;
	if (state === 'failed') {
		const advice = 'Treat its addresses as not screened, and submit them again.';
		return createJobError('job_failed', job, 'was not completed by the service', advice);
	}
	if (missingResults) {
		const { entry, isElsewhere } = missingResults;
		const advice = isElsewhere
			? "Treat the missing addresses as not screened. Name the place of the results under 'reports' in Service Names of the credential."
			: 'The service does not document how to get the rest. Treat the missing addresses as not screened, and ask the vendor.';
		const what = isElsewhere
			? 'has reports in several places'
			: 'has more results than the service sent';
		const error = createJobError('missing_result', { job_id, proposedNames }, what, advice);
		return error.withDetails({ entry });
	}
	if (results.length > 0) return undefined;
	const advice = 'Treat its addresses as not screened, and ask the vendor.';
	return createJobError('missing_result', job, 'is complete, but contains no results', advice);
}

/** Makes the error of a complete job that has results, but none for an address. */
export function createMissingResultError(
	address: string,
	job_id: string | undefined,
): ScreeningError {
	const advice = 'Treat the address as not screened, and screen it again.';
	const what = `is complete, but has no result for ${address}`;
	return createJobError('missing_result', { job_id }, what, advice);
}

/** A job as far as it is known. */
interface JobFacts {
	/** Undefined if a delivery names none. */
	job_id: string | undefined;
	body?: unknown;
	statedBy?: string[];
	unread?: string[];
	proposedNames?: ServiceNames | undefined;
}

/** The most fields that an error quotes, of those that state how far along the job is. */
const maxStatedBy = 5;

/**
 * Makes an error about a job. `what` completes "Bulk job j-17 …". The error quotes the fields that
 * state how far along the job is, or those that the node could not read.
 *
 * @example Of the answer `{ job_id: "j-17", status: "failed" }`
 *     message        Bulk job j-17 was not completed by the service
 *     description    Treat its addresses as not screened, and submit them again.
 *                    The answer contains "status": "failed".
 */
function createJobError(
	errorClass: ErrorClass,
	{ job_id, body, statedBy = [], unread = [], proposedNames }: JobFacts,
	what: string,
	advice: string,
): ScreeningError {
	const job = job_id === undefined ? 'The bulk job' : `Bulk job ${job_id}`;
	const unreadText = ` The answer holds names or words that the node does not know: ${unread.join(', ')}.`;
	const statedText =
		statedBy.length > 0 ? ` The answer contains ${statedBy.slice(0, maxStatedBy).join(', ')}.` : '';
	const details = { job_id, body: body !== undefined ? excerptJson(body) : undefined };
	const description = advice + (unread.length > 0 ? unreadText : statedText);
	return new ScreeningError(errorClass, `${job} ${what}`, description, { details, proposedNames });
}
