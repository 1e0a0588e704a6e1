import { addressKey } from './address';
import type { Client } from './client';
import type { Clock } from './clock';
import { about, invalidResponse, own, ScreeningError } from './errors';
import { type Entry, excerpt, type Job } from './jobs';
import type { Report } from './schemas';

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
	{ clock, pollInterval, timeout }: WaitOptions,
): Promise<Job> {
	const deadline = clock.now() + timeout * minute;
	let pause = pollInterval * 1000;
	for (;;) {
		await clock.sleep(Math.max(0, Math.min(pause, deadline - clock.now())));
		const job = await client.getBulk(jobId);
		if (job.state === 'complete') return job;
		if (job.state === 'failed') throw jobFailed(job);
		if (clock.now() >= deadline) throw jobTimeout(job, `after ${timeout} minutes`);
		pause = Math.max(pause, Math.min(longestPause, pause * growth));
	}
}

/** The service gave the job up. */
export function jobFailed({ job_id, body }: Job): ScreeningError {
	return new ScreeningError(
		'job_failed',
		`The service gave up the bulk job ${job_id}`,
		"Look at the job with 'Bulk Job: Get' and this ID for what the service says about it. Its addresses were not screened: submit them again.",
		{ known: { job_id, body: excerpt(body) } },
	);
}

/** The job still runs. `when` completes "is not complete". */
export function jobTimeout({ job_id, body }: Job, when: string): ScreeningError {
	return new ScreeningError(
		'job_timeout',
		`The bulk job ${job_id} is not complete ${when}`,
		"The job goes on at the service: get its results later with 'Bulk Job: Get' and this ID, without paying again. To wait longer, raise 'Timeout' in the options.",
		{ known: { job_id, body: excerpt(body) } },
	);
}

/** The job is complete, and its results are not there. */
export function noResults(job_id: string): ScreeningError {
	return new ScreeningError(
		'missing_result',
		`The bulk job ${job_id} is complete, but holds no results`,
		"Look at it with the output 'Job' for what the service says about it.",
		{ known: { job_id } },
	);
}

/** What became of the addresses of one job, and what came back beside that. */
export interface Matched {
	outcomes: Map<string, Report | ScreeningError>;
	/** Results for addresses that were not sent. */
	unknown: number;
	/** Results for an address that has one already; the first counts. */
	doubled: number;
}

/**
 * Gives each address of a complete job its report, or `invalid_response` for an entry that is none, or `missing_result`.
 * Addresses are matched exactly, then without regard to case where their format has none.
 */
export function match(addresses: string[], { job_id, entries = [] }: Job): Matched {
	const exact = new Map<string, Entry>();
	const caseless = new Map<string, Entry>();
	for (const entry of entries) {
		if (entry.address === undefined) continue;
		const key = addressKey(entry.address);
		if (!exact.has(entry.address)) exact.set(entry.address, entry);
		if (!caseless.has(key)) caseless.set(key, entry);
	}

	const used = new Set<Entry>();
	const outcomes = new Map<string, Report | ScreeningError>();
	for (const address of addresses) {
		const entry = exact.get(address) ?? caseless.get(addressKey(address));
		if (entry) used.add(entry);
		outcomes.set(
			address,
			entry ? outcomeOf(entry, address, job_id) : missingResult(address, job_id),
		);
	}

	const sent = new Set(addresses.map(addressKey));
	const unknown = entries.filter(
		({ address }) => address === undefined || !sent.has(addressKey(address)),
	).length;
	return { outcomes, unknown, doubled: entries.length - unknown - used.size };
}

/** An entry as the report that it is, or as the error of its address. */
export function outcomeOf(
	{ report, value }: Entry,
	address: string | undefined,
	job_id: string,
): Report | ScreeningError {
	return (
		report ??
		invalidResponse('something that is not a report for this address', undefined, {
			...(address !== undefined && { address }),
			job_id,
			entry: value,
		})
	);
}

function missingResult(address: string, job_id: string): ScreeningError {
	return new ScreeningError(
		'missing_result',
		`The bulk job ${job_id} is complete, but has no result for this address`,
		'The address was not screened. Screen it again, alone or in another job.',
		{ known: { address, job_id } },
	);
}

/**
 * Screens the addresses of one job and gives each its outcome: whatever goes wrong is the outcome of all its addresses.
 * `onJob` is told of the job as soon as it exists. Rejects only when the user stops the execution.
 */
export async function screenJob(
	client: Client,
	addresses: string[],
	{ onJob, ...wait }: WaitOptions & { onJob: (jobId: string) => void },
): Promise<Matched> {
	try {
		const { job_id } = await client.submitBulk(addresses);
		onJob(job_id);
		return match(
			addresses,
			await about({ job_id }, async () => await waitForJob(client, job_id, wait)),
		);
	} catch (error) {
		const failure = own(error);
		const outcomes = new Map(addresses.map((address) => [address, failure.with({ address })]));
		return { outcomes, unknown: 0, doubled: 0 };
	}
}
