import type { IWebhookFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { systemClock, unlessAborted } from '../n8n/time';
import type { Client } from '../service/client';
import { type ErrorClass, own, ScreeningError } from '../service/errors';
import { jobTimeout } from '../service/results';
import type { Job } from '../service/shapes';

/** Seconds that the sender of a delivery waits while its results are fetched, at most. */
const longestFetch = 25;
/** One request may hang without using up all of that. */
const requests = { maxRetries: 2, resends: 0, requestTimeout: 10 };
/** Answers of a service that reports a job as complete before all of its servers know it. */
const mayBeEarly: ErrorClass[] = ['not_found', 'invalid_response'];
/** Milliseconds until the next looks after such an answer. */
const pausesAfterEarlyLook = [1000, 2000];

/**
 * The job, which is over. Throws `job_timeout` for one that still runs, `network` if there is no answer within 25 seconds,
 * whatever the requests do in that time, and what they throw.
 */
export async function fetchJob(context: IWebhookFunctions, jobId: string): Promise<Job> {
	const signal = AbortSignal.timeout(longestFetch * 1000);
	const clock = systemClock(signal);
	try {
		const connected = connect(context, { ...requests, signal });
		const client = await unlessAborted(connected, [signal]);
		for (const pause of pausesAfterEarlyLook) {
			const job = await look(client, jobId);
			if (!(job instanceof ScreeningError)) return over(job);
			if (!mayBeEarly.includes(job.errorClass)) throw job;
			await clock.sleep(pause);
		}
		return over(await client.getBulk(jobId));
	} catch (error) {
		throw signal.aborted && !(error instanceof ScreeningError) ? tooLate() : error;
	}
}

async function look(client: Client, jobId: string): Promise<Job | ScreeningError> {
	try {
		return await client.getBulk(jobId);
	} catch (error) {
		return own(error);
	}
}

function over(job: Job): Job {
	if (job.state === 'running') throw jobTimeout(job, 'yet');
	return job;
}

function tooLate(): ScreeningError {
	return new ScreeningError(
		'network',
		`The service did not send the results within ${longestFetch} seconds`,
		"Get the results later with 'Bulk Job: Get' and the ID of the job.",
		{ networkCode: 'TIMEOUT' },
	);
}
