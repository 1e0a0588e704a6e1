import type { IWebhookFunctions } from 'n8n-workflow';
import type { Job } from '../answers/jobAnswer';
import { requireOver } from '../client/waitForJob';
import { isPermanent } from '../client/failureKind';
import type { Client } from '../client/client';
import { catchScreeningErrorAsync, type ErrorClass, ScreeningError } from '../shared/errors';
import type { Clock } from '../shared/time';
import { createItemClients } from '../transport/itemClients';
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
/** Milliseconds until the next request after each such answer in turn. */
const earlyPauses = [1000, 2000];

/**
 * Fetches the job of a delivery, which is over (section 4.4), within 25 seconds, even if a request
 * hangs.
 * @throws {ScreeningError} `job_timeout` for a job that still runs, `network` after that time, and
 * the errors of the requests
 */
export async function fetchJob(context: IWebhookFunctions, jobId: string): Promise<Job> {
	const signal = AbortSignal.timeout(maxFetchSeconds * 1000);
	try {
		const clientOf = createItemClients(context, { ...requestLimits, signal });
		// A trigger has one credential, because nothing in it depends on an item.
		const client = await clientOf(0);
		return await fetchVisibleJob(client, systemClock(signal), jobId);
	} catch (error) {
		throw fetchErrorOf(signal, error);
	}
}

/** Fetches a job that is over. Asks again, after a pause, while the service may not show it yet. */
async function fetchVisibleJob(client: Client, clock: Clock, jobId: string): Promise<Job> {
	for (let attempt = 0; ; attempt++) {
		const { value: job, error } = await catchScreeningErrorAsync(async () =>
			requireOver(await client.getBulk(jobId)),
		);
		if (job) return job;
		const pause = earlyPauses[attempt];
		if (pause === undefined || !isNotYetVisible(error)) throw error;
		await clock.sleep(pause);
	}
}

/**
 * Whether the results can perhaps be fetched when the sender delivers again. Two kinds of failure
 * stay, of any class: a fault in which every attempt ends, e.g. because this n8n forbids
 * the request, and a word of the service that the node does not know until Service Names have it.
 */
export function isTemporary(error: ScreeningError): boolean {
	const stays = isPermanent(error) || error.proposedNames !== undefined;
	return !stays && temporaryClasses.includes(error.errorClass);
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
