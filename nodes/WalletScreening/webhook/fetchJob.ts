import type { IWebhookFunctions } from 'n8n-workflow';
import type { Job } from '../answers/jobAnswer';
import { requireOver } from '../client/bulk';
import { isPermanent } from '../client/faults';
import { type ErrorClass, rethrowUnlessScreeningError, ScreeningError } from '../shared/errors';
import { createClients } from '../transport/clients';
import { systemClock } from '../transport/clock';

/** Seconds that the sender of a delivery waits at most while its results are fetched. */
const maxFetchSeconds = 25;
/** The limits of requests. One of them may hang without using up all of that time. */
const requestLimits = { maxRetries: 2, resends: 0, requestTimeout: 10 };
const temporaryClasses: ErrorClass[] = ['server', 'network', 'rate_limited', 'job_timeout'];
/** Answers of a service that reports a job as complete before all of its servers know it. */
const notYetVisible: ErrorClass[] = ['not_found', 'invalid_response'];
const isNotYetVisible = (error: ScreeningError): boolean =>
	!isPermanent(error) && notYetVisible.includes(error.errorClass);
/** Milliseconds until the next requests after such an answer. */
const earlyPauses = [1000, 2000];

/**
 * Fetches the job of a delivery, which is over (section 4.4), within 25 seconds, even if a request
 * hangs.
 * @throws {ScreeningError} `job_timeout` for a job that still runs, `network` after that time, and
 * the errors of the requests
 */
export async function fetchJob(context: IWebhookFunctions, jobId: string): Promise<Job> {
	const signal = AbortSignal.timeout(maxFetchSeconds * 1000);
	const clock = systemClock(signal);
	try {
		const client = await createClients(context, { ...requestLimits, signal })(0);
		for (const pause of earlyPauses) {
			try {
				return requireOver(await client.getBulk(jobId));
			} catch (error) {
				const failure = rethrowUnlessScreeningError(error);
				if (!isNotYetVisible(failure)) throw failure;
				await clock.sleep(pause);
			}
		}
		// After the last try, any error counts.
		return requireOver(await client.getBulk(jobId));
	} catch (error) {
		throw fetchErrorOf(signal, error);
	}
}

/** Whether an error may be over when the sender delivers again. One by a rule of this n8n stays. */
export function isTemporary(error: ScreeningError): boolean {
	return !isPermanent(error) && temporaryClasses.includes(error.errorClass);
}

/** The error that a request threw, or a time-out once the 25 seconds are over. */
function fetchErrorOf(signal: AbortSignal, error: unknown): unknown {
	if (!signal.aborted || error instanceof ScreeningError) return error;
	return new ScreeningError(
		'network',
		`The service did not send the results within ${maxFetchSeconds} seconds`,
		'The service may answer later.',
		{ faultCode: 'TIMEOUT' },
	);
}
