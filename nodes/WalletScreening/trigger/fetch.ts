import type { IWebhookFunctions } from 'n8n-workflow';
import { createClients } from '../n8n/connect';
import { systemClock } from '../n8n/time';
import type { Client } from '../service/client';
import { type ErrorClass, asScreeningError, ScreeningError } from '../service/errors';
import { isPermanent } from '../service/faults';
import { jobTimeout } from '../service/results';
import type { Job } from '../service/reader/reader';

/** Seconds that the sender of a delivery waits while its results are fetched, at most. */
const longestFetch = 25;
/** One request may hang without using up all of that. */
const requests = { maxRetries: 2, resends: 0, requestTimeout: 10 };
const temporaryClasses: ErrorClass[] = ['server', 'network', 'rate_limited', 'job_timeout'];
/** Answers of a service that reports a job as complete before all of its servers know it. */
const notYetVisible: ErrorClass[] = ['not_found', 'invalid_response'];
/** Milliseconds until the next looks after such an answer. */
const pausesAfterEarlyLook = [1000, 2000];

/** Fetches what a delivery refers to, in 25 seconds from now, whatever the requests do in that time. */
export function createFetch(context: IWebhookFunctions) {
	const signal = AbortSignal.timeout(longestFetch * 1000);
	const clock = systemClock(signal);

	async function inTime<T>(work: (client: Client) => Promise<T>): Promise<T> {
		try {
			const clientOf = createClients(context, { ...requests, signal });
			return await work(await clientOf(0));
		} catch (error) {
			throw timeoutOr(signal, error);
		}
	}

	return {
		/** The job, which is over. Throws `job_timeout` for one that still runs, `network` after the time, and what requests throw. */
		job: async (jobId: string): Promise<Job> =>
			await inTime(async (client) => {
				for (const pause of pausesAfterEarlyLook) {
					const job = await client.getBulk(jobId).catch(asScreeningError);
					if (!(job instanceof ScreeningError)) return ifOver(job);
					if (isPermanent(job) || !notYetVisible.includes(job.errorClass)) throw job;
					await clock.sleep(pause);
				}
				return ifOver(await client.getBulk(jobId));
			}),
	};
}

/** What may be over when the sender delivers again. A rule of this n8n stays. */
export function isTemporary(outcome: unknown): outcome is ScreeningError {
	if (!(outcome instanceof ScreeningError) || isPermanent(outcome)) return false;
	return temporaryClasses.includes(outcome.errorClass);
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
