import type { Clock } from '../pace/clock';
import { addressKey } from './address';
import type { Client } from './client';
import { own, rejectsContent, ScreeningError } from './errors';
import { mostPerJob } from './input';
import { isSettled, jobFailed, jobTimeout, match, type Matched } from './results';
import type { Job } from './shapes';

/**
 * The addresses of each job, in the order given, at most 1,000 a job. Spellings of one address go once, as the first of
 * them is spelled.
 */
export function inJobs(addresses: string[]): string[][] {
	const spellings = new Map<string, string>();
	for (const address of addresses) {
		const key = addressKey(address);
		if (!spellings.has(key)) spellings.set(key, address);
	}
	const distinct = [...spellings.values()];
	return Array.from({ length: Math.ceil(distinct.length / mostPerJob) }, (_, job) =>
		distinct.slice(job * mostPerJob, (job + 1) * mostPerJob),
	);
}

/** Addresses that were submitted together, and the job that they are in, or why they are in none. */
export interface Submission {
	addresses: string[];
	outcome: Job | ScreeningError;
}

/**
 * Submits the addresses as one job, and hands what became of them to `onSubmission` at once. Throws only the reason of a
 * signal that is not a `ScreeningError`.
 */
export async function submit(
	client: Client,
	addresses: string[],
	onSubmission: (submission: Submission) => void,
): Promise<Submission> {
	const outcome = await client.submitBulk(addresses).catch(own);
	const submission = { addresses, outcome };
	onSubmission(submission);
	return submission;
}

/** Whether the service rejected several addresses, perhaps for one of them, and made no job of the others. */
export function isDivisible({ addresses, outcome }: Submission): boolean {
	if (addresses.length < 2 || !(outcome instanceof ScreeningError)) return false;
	// A refusal that names a job may be billed all the same.
	return rejectsContent(outcome) && outcome.known.job_id === undefined;
}

/**
 * Submits halves of a rejected list until each bad address is in a list of its own: with the list itself at most
 * 2·log2(n) + 2 submits for each, and no list twice. Asks `mayGoOn` before each; if not, the outcome of the rest is that of
 * the list. Throws as `submit`.
 */
export async function divide(
	client: Client,
	{ addresses: all, outcome }: Submission,
	onSubmission: (submission: Submission) => void,
	mayGoOn: () => boolean,
): Promise<Submission[]> {
	async function whole(addresses: string[]): Promise<Submission[]> {
		if (!mayGoOn()) return [{ addresses, outcome }];
		const submission = await submit(client, addresses, onSubmission);
		return isDivisible(submission) ? await inHalves(addresses) : [submission];
	}

	/** The second half goes first: bad addresses that follow each other from one list into the next are in the first. */
	async function inHalves(addresses: string[]): Promise<Submission[]> {
		const middle = Math.ceil(addresses.length / 2);
		const first = addresses.slice(0, middle);
		const second = await whole(addresses.slice(middle));
		// If the service took all of the second half, the first one is as bad as both together.
		const isBad = second.every(({ outcome }) => !(outcome instanceof ScreeningError));
		return [...(isBad && middle > 1 ? await inHalves(first) : await whole(first)), ...second];
	}

	return await inHalves(all);
}

export interface Waiting {
	/** Its sleeps end with the run. A reason of class `job_timeout` is the deadline, which is due even if a look hangs. */
	clock: Clock;
	/** Seconds: the longest pause between two looks in the first minute. */
	pollInterval: number;
	/** Milliseconds of the clock after which no look begins. */
	deadline: number;
	/** When that is, to complete "is not complete". */
	when: string;
}

const firstPause = 200;
const growth = 1.5;
const minute = 60_000;
/** The longest pause after the first minute, unless the user chose a longer one. */
const latePause = 30_000;

/** A key that is locked out sees no job. */
const lockedOut = ['unauthorized', 'forbidden'];

/**
 * Looks at a job with growing pauses until it is settled (`service/results.ts`) or failed. The job exists and may be
 * billed, so after any error but `unauthorized` and `forbidden` it looks again. Throws these, and `job_timeout`.
 */
export async function waitForJob(
	client: Client,
	{ addresses, job: submitted }: { addresses: string[]; job: Job },
	{ clock, pollInterval, deadline, when }: Waiting,
): Promise<Job> {
	const began = clock.now();
	let last = submitted;
	let trouble: ScreeningError | undefined;
	for (let pause = firstPause; ; pause *= growth) {
		const most = clock.now() - began < minute ? 0 : latePause;
		const longest = Math.max(most, 1000 * pollInterval);
		try {
			await clock.sleep(Math.max(0, Math.min(pause, longest, deadline - clock.now())));
			last = await client.getBulk(submitted.job_id);
			if (last.state === 'failed' || isSettled(addresses, last)) return last;
			trouble = undefined;
		} catch (error) {
			const failure = own(error);
			if (failure.errorClass === 'job_timeout') throw timedOut(last, when, trouble);
			trouble = failure;
			if (lockedOut.includes(trouble.errorClass)) throw trouble;
		}
		if (clock.now() >= deadline) throw timedOut(last, when, trouble);
	}
}

function timedOut(job: Job, when: string, trouble: ScreeningError | undefined): ScreeningError {
	const error = jobTimeout(job, when);
	if (!trouble) return error;
	const { message, said } = trouble;
	const reason = said === undefined ? message : `${message}: ${said}`;
	return error.saying({
		description: `${error.description} The last status request failed: ${reason}.`,
	});
}

/**
 * Waits for the job and gives each address its outcome: what goes wrong is the outcome of all addresses that have no
 * report; if all have one, it is the doubt about the job. Throws only the reason of a signal that is not a
 * `ScreeningError`.
 */
export async function awaitOutcomes(
	client: Client,
	{ addresses, job }: { addresses: string[]; job: Job },
	waiting: Waiting,
): Promise<Matched> {
	try {
		const ended = await waitForJob(client, { addresses, job }, waiting);
		const matched = match(addresses, ended);
		if (ended.state !== 'failed') return matched;
		const failure = jobFailed(ended);
		const { doubt, ...others } = matched;
		let isSaid = false;
		for (const [address, outcome] of matched.outcomes) {
			if (outcome instanceof ScreeningError) {
				matched.outcomes.set(address, failure.with({ address }));
				isSaid = true;
			}
		}
		return isSaid ? others : { ...others, doubt: failure };
	} catch (error) {
		const failure = own(error).with({ job_id: job.job_id });
		const outcomes = addresses.map((address) => [address, failure.with({ address })] as const);
		return { outcomes: new Map(outcomes), unknown: 0, doubled: 0 };
	}
}
