import { screeningKey } from '../address/key';
import type { Job } from '../answers/jobAnswer';
import { createTimeoutError } from '../answers/jobErrors';
import { DeadlineError } from '../shared/abort';
import { catchScreeningErrorAsync, type ScreeningError, type Settled } from '../shared/errors';
import { excerptJson } from '../shared/text';
import { type Clock, minute } from '../shared/time';
import { type Client, maxPerJob } from './client';
import { isPermanent } from './failureKind';
import { rejectsContent } from './faults';

/**
 * Splits addresses into those of each job, in order, at most `perJob`. Spellings of one address go
 * once, as the first is spelled, unless they name different chains.
 */
export function splitIntoJobs(addresses: string[], perJob = maxPerJob): string[][] {
	const spellings = new Map<string, string>();
	for (const address of addresses) {
		const key = screeningKey(address);
		if (!spellings.has(key)) spellings.set(key, address);
	}
	const distinct = [...spellings.values()];
	return Array.from({ length: Math.ceil(distinct.length / perJob) }, (_, job) =>
		distinct.slice(job * perJob, (job + 1) * perJob),
	);
}

/**
 * Addresses that were submitted together, and the job that they are in, or why they are in none.
 */
export type Submission = Settled<Job> & { readonly addresses: string[] };

/** Whether the service made no job of several addresses, perhaps because it rejects one. */
export function isDivisible({ addresses, error }: Submission): boolean {
	return addresses.length > 1 && error !== undefined && rejectsContent(error);
}

/**
 * Submits halves until each bad address is in a list of its own: at most 2·⌈log2(n)⌉ submits for
 * each, and no list twice.
 */
export async function divide(
	{ addresses }: Submission,
	submit: (addresses: string[]) => Promise<Submission>,
): Promise<Submission[]> {
	const middle = Math.ceil(addresses.length / 2);
	const submissions: Submission[] = [];
	for (const half of [addresses.slice(0, middle), addresses.slice(middle)]) {
		const submission = await submit(half);
		if (isDivisible(submission)) submissions.push(...(await divide(submission, submit)));
		else submissions.push(submission);
	}
	return submissions;
}

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
	/** The signal of the run ends its sleeps, and a look in progress. */
	clock: Clock;
	/** Seconds: the longest pause between two looks in the first minute. */
	pollInterval: number;
	/** A look that begins at or after this time of the clock, in milliseconds, is the last. */
	deadline: number;
	/** The deadline in words, to follow "is not complete". */
	when: string;
}

/** Milliseconds until the first look. Each later pause is longer by the factor. */
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
 * Whether each further look would fail in the same way: the key is locked out and sees no job, or
 * the answer is too large and stays so.
 */
const endsTheWait = (error: ScreeningError): boolean =>
	['unauthorized', 'forbidden'].includes(error.errorClass) || isPermanent(error);

/**
 * Looks at a job, with growing pauses, until it is complete or failed. After an error it looks
 * again, because the job exists and may be billed. Two kinds of errors end it: one that every look
 * would meet, and a 404 for a minute. Such a 404 suggests that the answer to the submit has the real
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
	 * Since when every look has met a 404; undefined after any other look. A 404 of the first look
	 * counts from the start of the wait.
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
		// Shortly after the deadline, the run ends a look that still hangs.
		throw error instanceof DeadlineError ? makeTimeUpError() : error;
	}
}

/** Makes the error of a job that is not over at the deadline, with the failure of the last look. */
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
