import type { Client } from './client';
import type { Clock } from '../pace/clock';
import { about, own, ScreeningError } from './errors';
import { isSettled, jobFailed, jobTimeout, match, type Matched } from './results';
import type { Job } from './shapes';

/** Section 8: addresses per POST /v1/bulk. */
const mostPerJob = 1000;

/** The addresses of each job: every address once, in the order given, at most 1,000 a job. */
export function inJobs(addresses: string[]): string[][] {
	const distinct = [...new Set(addresses)];
	return Array.from({ length: Math.ceil(distinct.length / mostPerJob) }, (_, job) =>
		distinct.slice(job * mostPerJob, (job + 1) * mostPerJob),
	);
}

export interface WaitOptions {
	clock: Clock;
	/** Seconds before the first look; later pauses grow. */
	pollInterval: number;
	/** Minutes from now after which the job is given up. */
	timeout: number;
	/** Whether a job that was looked at needs no further look, where its state does not say so. */
	isEnough?: (job: Job) => boolean;
}

const growth = 1.5;
const longestPause = 30_000;
const minute = 60_000;

/**
 * Looks after the job with growing pauses until it is complete, the last time when the time is up. Throws `job_failed`,
 * `job_timeout` with the last body, or what the requests throw; each names the job.
 */
export async function waitForJob(
	client: Client,
	jobId: string,
	{ clock, pollInterval, timeout, isEnough = () => false }: WaitOptions,
): Promise<Job> {
	const deadline = clock.now() + timeout * minute;
	let pause = pollInterval * 1000;
	for (;;) {
		await clock.sleep(Math.max(0, Math.min(pause, deadline - clock.now())));
		const job = await client.getBulk(jobId);
		if (isEnough(job) || job.state === 'complete') return job;
		if (job.state === 'failed') throw jobFailed(job);
		if (clock.now() >= deadline) throw jobTimeout(job, `after ${timeout} minutes`);
		pause = Math.max(pause, Math.min(longestPause, pause * growth));
	}
}

/**
 * Screens the addresses of one job and gives each its outcome: whatever goes wrong is the outcome of all its addresses that
 * have no report by then. `onJob` is told of the job as soon as it exists. Rejects only when the user stops the execution.
 */
export async function screenJob(
	client: Client,
	addresses: string[],
	{ onJob, ...wait }: WaitOptions & { onJob: (jobId: string) => void },
): Promise<Matched> {
	let seen: Matched | undefined;
	const isEnough = (job: Job) => {
		// What a job that was given up has by then is final; what a job that runs has is not.
		if (job.state === 'failed') seen = match(addresses, job);
		return isSettled(addresses, job);
	};
	try {
		const { job_id } = await client.submitBulk(addresses);
		onJob(job_id);
		const job = await about(
			{ job_id },
			async () => await waitForJob(client, job_id, { ...wait, isEnough }),
		);
		return match(addresses, job);
	} catch (error) {
		const failure = own(error);
		const outcomes = addresses.map((address) => {
			const outcome = seen?.outcomes.get(address);
			const has = outcome !== undefined && !(outcome instanceof ScreeningError);
			return [address, has ? outcome : failure.with({ address })] as const;
		});
		return { outcomes: new Map(outcomes), unknown: 0, doubled: 0 };
	}
}
