import type { IWebhookFunctions } from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { systemClock, unlessAborted } from '../n8n/time';
import type { Client } from '../service/client';
import { ScreeningError } from '../service/errors';
import { jobTimeout } from '../service/results';
import type { Job } from '../service/shapes';

/** Seconds that the sender of a delivery waits while its results are fetched, at most. */
const longestFetch = 25;
/** One request may hang without using up all of that. */
const requests = { maxRetries: 2, resends: 0, requestTimeout: 10 };
/** The service may report a job as complete before all of its servers know it; milliseconds until the next looks. */
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
			const job = await looked(client, jobId);
			if (job) return over(job);
			await clock.sleep(pause);
		}
		return over(await client.getBulk(jobId));
	} catch (error) {
		throw signal.aborted && !(error instanceof ScreeningError) ? tooLate() : error;
	}
}

/** Undefined for an answer that another look may better: the job is not known, or the answer is unreadable. */
async function looked(client: Client, jobId: string): Promise<Job | undefined> {
	return await client.getBulk(jobId).catch((error: Partial<ScreeningError>) => {
		const { errorClass } = error;
		if (errorClass === 'not_found' || errorClass === 'invalid_response') return undefined;
		throw error;
	});
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
