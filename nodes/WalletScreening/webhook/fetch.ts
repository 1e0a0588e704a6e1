import type { IWebhookFunctions } from 'n8n-workflow';
import { createClients } from '../transport/connect';
import { systemClock } from '../transport/time';
import { asScreeningError, type ErrorClass, ScreeningError } from '../shared/errors';
import { isPermanent } from '../client/faults';
import { jobTimeout } from '../answers/results';
import type { Job } from '../answers/reader';

/** Seconds that the sender of a delivery waits while its results are fetched, at most. */
const longestFetch = 25;
/** One request may hang without using up all of that. */
const requests = { maxRetries: 2, resends: 0, requestTimeout: 10 };
const temporaryClasses: ErrorClass[] = ['server', 'network', 'rate_limited', 'job_timeout'];
/** Answers of a service that reports a job as complete before all of its servers know it. */
const notYetVisible: ErrorClass[] = ['not_found', 'invalid_response'];
const isNotYetVisible = (error: ScreeningError): boolean =>
	!isPermanent(error) && notYetVisible.includes(error.errorClass);
/** Milliseconds until the next looks after such an answer. */
const pausesAfterEarlyLook = [1000, 2000];

/**
 * The job of a delivery, which is over, within 25 seconds, whatever the requests do in that time. Throws `job_timeout` for one
 * that still runs, `network` after the time, and what requests throw.
 */
export async function fetchJob(context: IWebhookFunctions, jobId: string): Promise<Job> {
	const signal = AbortSignal.timeout(longestFetch * 1000);
	const clock = systemClock(signal);
	try {
		const client = await createClients(context, { ...requests, signal })(0);
		for (const pause of pausesAfterEarlyLook) {
			try {
				return ifOver(await client.getBulk(jobId));
			} catch (error) {
				const failure = asScreeningError(error);
				if (!isNotYetVisible(failure)) throw failure;
				await clock.sleep(pause);
			}
		}
		return ifOver(await client.getBulk(jobId));
	} catch (error) {
		throw timeoutOr(signal, error);
	}
}

/** What may be over when the sender delivers again. A rule of this n8n stays. */
export function isTemporary(error: ScreeningError): boolean {
	return !isPermanent(error) && temporaryClasses.includes(error.errorClass);
}

function ifOver(job: Job): Job {
	if (job.state === 'running') throw jobTimeout(job, 'yet');
	return job;
}

/** What a request threw; if it is the end of the time, the error of that. */
function timeoutOr(signal: AbortSignal, error: unknown): unknown {
	if (!signal.aborted || error instanceof ScreeningError) return error;
	return new ScreeningError(
		'network',
		`The service did not send the results within ${longestFetch} seconds`,
		'The service may answer later.',
		{ networkCode: 'TIMEOUT' },
	);
}
