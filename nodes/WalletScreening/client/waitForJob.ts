import type { Job } from '../answers/jobAnswer';
import { createTimeoutError } from '../answers/jobErrors';
import { DeadlineError } from '../shared/abort';
import { catchScreeningErrorAsync, type ScreeningError } from '../shared/errors';
import { excerptJson } from '../shared/text';
import { type Clock, minute } from '../shared/time';
import type { Client } from './client';
import { isPermanent } from './failureKind';

/**
 * Returns the job, if it is complete or failed.
 * @throws {ScreeningError} `job_timeout` for a job that still runs
 */
export function requireOver(job: Job): Job {
	if (job.state === 'running') throw createTimeoutError(job, 'yet');
	return job;
}

/** How a job is waited for. */
export interface WaitOptions {
	/** The signal of the run ends its sleeps, and a status request in progress. */
	clock: Clock;
	/** Seconds: the longest pause between two status requests in the first minute. */
	pollInterval: number;
	/** A status request that begins at or after this time of the clock, in milliseconds, is the last. */
	deadline: number;
	/** The deadline in words, to follow "is not complete". */
	when: string;
}

/** Milliseconds until the first status request. Each later pause is longer by the factor. */
const firstPause = 200;
const pauseGrowth = 1.5;
/** Milliseconds: the longest pause after the first minute, unless the user chose a longer one. */
const maxLatePause = 30_000;

/** The longest pause after so many milliseconds of waiting. */
function maxPauseAfter(waited: number, { pollInterval }: WaitOptions): number {
	const chosenPause = 1000 * pollInterval;
	return waited < minute ? chosenPause : Math.max(chosenPause, maxLatePause);
}

/**
 * Whether each further status request would fail in the same way: the key is locked out and sees no job, or
 * the answer is too large and stays so.
 */
const endsTheWait = (error: ScreeningError): boolean =>
	['unauthorized', 'forbidden'].includes(error.errorClass) || isPermanent(error);

/**
 * Asks for the status of a job, with growing pauses, until it is complete or failed. After an error
 * it asks again, because the job exists and may be billed. Two kinds of errors end it: one that every
 * status request would meet, and a 404 for a minute. Such a 404 suggests that the answer to the submit has the real
 * ID in a field that the node does not know, so the error shows that answer. `addresses` are those of
 * the job.
 *
 * @throws {ScreeningError} `job_timeout`, and the errors that end it
 * @throws the reason of the signal of the run, unless that is the deadline
 */
export async function waitForJob(
	client: Client,
	submitted: Job,
	options: WaitOptions,
	addresses?: string[],
): Promise<Job> {
	const { clock, deadline, when } = options;
	const began = clock.now();
	let lastSeen: Job | undefined;
	let lastFailure: ScreeningError | undefined;
	/**
	 * Since when every status request has met a 404; undefined after any other answer. A 404 of the
	 * first one counts from the start of the wait.
	 */
	let notFoundSince: number | undefined = began;
	const makeTimeUpError = () => createTimeUpError(lastSeen ?? submitted, when, lastFailure);
	try {
		for (let pause = firstPause; ; pause *= pauseGrowth) {
			const maxPause = maxPauseAfter(clock.now() - began, options);
			await clock.sleep(Math.max(0, Math.min(pause, maxPause, deadline - clock.now())));
			const { value: job, error } = await catchScreeningErrorAsync(
				async () => await client.getBulk(submitted.job_id, addresses, addresses?.length),
			);
			if (job && job.state !== 'running') return job;
			if (error && endsTheWait(error)) throw error;
			if (error?.errorClass === 'not_found') {
				notFoundSince ??= clock.now();
				const isUnknown = !lastSeen && clock.now() - notFoundSince >= minute;
				if (isUnknown) throw error.withDetails({ body: excerptJson(submitted.body) });
			} else {
				notFoundSince = undefined;
			}
			lastSeen = job ?? lastSeen;
			lastFailure = error;
			if (clock.now() >= deadline) throw makeTimeUpError();
		}
	} catch (error) {
		// Shortly after the deadline, the run ends a status request that still hangs.
		throw error instanceof DeadlineError ? makeTimeUpError() : error;
	}
}

/** Makes the error of a job that is not over at the deadline, with the failure of the last request. */
function createTimeUpError(
	job: Job,
	when: string,
	lastFailure: ScreeningError | undefined,
): ScreeningError {
	const error = createTimeoutError(job, when);
	if (!lastFailure) return error;
	const { message, serviceMessage } = lastFailure;
	const explanation = serviceMessage?.replace(/\.$/, '');
	const reason = explanation === undefined ? message : `${message}: ${explanation}`;
	return error.withText({
		description: `${error.description} The last status request failed: ${reason}.`,
	});
}
