import { addressKey } from './address';
import type { Client } from './client';
import type { Clock } from '../pace/clock';
import { about, invalidResponse, own, ScreeningError } from './errors';
import { contentOf, type Entry, excerpt, type Job } from './jobs';
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

/** The service gave the job up. */
export function jobFailed({ job_id, body }: Job): ScreeningError {
	return new ScreeningError(
		'job_failed',
		`The service gave up the bulk job ${job_id}`,
		"Look at the job with 'Bulk Job: Get' and this ID for what the service says about it. Those of its addresses that have no report were not screened: submit them again.",
		{ known: { job_id, body: excerpt(body) } },
	);
}

/** The job still runs. `when` completes "is not complete". */
export function jobTimeout({ job_id, body, entries }: Job, when: string): ScreeningError {
	const advice =
		"The job goes on at the service: get its results later with 'Bulk Job: Get' and this ID, without paying again. To wait longer, raise 'Timeout' in the options.";
	return new ScreeningError(
		'job_timeout',
		`The bulk job ${job_id} is not complete ${when}`,
		entries?.length
			? `${advice} It holds results already: the output 'Reports' gives them.`
			: advice,
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
	/** Results that say again what another one says. */
	doubled: number;
}

/**
 * Gives each address of a job its report, or `invalid_response` for an entry that is none or for entries that contradict
 * each other, or `missing_result`. Where their format has no case, addresses are matched without regard to it; a spelling
 * that was sent itself goes to that one.
 */
export function match(addresses: string[], job: Job): Matched {
	const entries = (job.entries ?? []).filter(({ rest }) => !rest);
	const byKey = grouped(entries);
	const sent = new Set(addresses);

	const used = new Set<Entry>();
	const outcomes = new Map<string, Report | ScreeningError>();
	for (const address of addresses) {
		const all = byKey.get(addressKey(address)) ?? [];
		const own = all.filter((entry) => entry.address === address || !sent.has(entry.address!));
		const contradicting = byContent(own.length > 0 ? own : all);
		for (const entry of contradicting) used.add(entry);
		outcomes.set(address, outcomeFor(address, job, contradicting));
	}

	const keys = new Set(addresses.map(addressKey));
	const unknown = entries.filter(
		({ address }) => address === undefined || !keys.has(addressKey(address)),
	).length;
	return { outcomes, unknown, doubled: entries.length - unknown - used.size };
}

function grouped(entries: Entry[]): Map<string, Entry[]> {
	const groups = new Map<string, Entry[]>();
	for (const entry of entries) {
		if (entry.address === undefined) continue;
		const key = addressKey(entry.address);
		const group = groups.get(key);
		if (group) group.push(entry);
		else groups.set(key, [entry]);
	}
	return groups;
}

/** The first of those that say the same: of reports, the same chain and risk. */
function byContent(entries: Entry[]): Entry[] {
	if (entries.length < 2) return entries;
	const contents = new Map<unknown, Entry>();
	for (const entry of entries) {
		const { report, value } = entry;
		const content = contentOf(report ? [report.chain, report.risk] : [value]);
		if (!contents.has(content)) contents.set(content, entry);
	}
	return [...contents.values()];
}

function outcomeFor(
	address: string,
	job: Job,
	[entry, ...others]: Entry[],
): Report | ScreeningError {
	if (!entry) return missingResult(address, job);
	if (others.length === 0) return outcomeOf(entry, address, job.job_id);
	return invalidResponse(
		'several results for this address, which contradict each other',
		undefined,
		{
			address,
			job_id: job.job_id,
			entry: [entry, ...others].map(({ value }) => value),
		},
	);
}

/** An entry as the report that it is, or as the error of its address. */
export function outcomeOf(
	{ report, value, rest }: Entry,
	address: string | undefined,
	job_id: string,
): Report | ScreeningError {
	if (rest) return notAll(job_id, { entry: value });
	return (
		report ??
		invalidResponse('something that is not a report for this address', undefined, {
			...(address !== undefined && { address }),
			job_id,
			entry: value,
		})
	);
}

function missingResult(address: string, { job_id, entries, body }: Job): ScreeningError {
	if (entries?.some(({ rest }) => rest)) return notAll(job_id, { address });
	if (entries === undefined) return noResults(job_id).with({ address, body: excerpt(body) });
	return new ScreeningError(
		'missing_result',
		`The bulk job ${job_id} is complete, but has no result for this address`,
		'The address was not screened. Screen it again, alone or in another job.',
		{ known: { address, job_id } },
	);
}

/** The service has more results than it sent. */
function notAll(job_id: string, known: { address?: string; entry?: unknown }): ScreeningError {
	return new ScreeningError(
		'missing_result',
		`The service did not send all results of the bulk job ${job_id}`,
		"It has more than those in its answer, and how to get them is not documented. Look at the job with 'Bulk Job: Get' and the output 'Job', and ask the vendor.",
		{ known: { ...known, job_id } },
	);
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
		seen = match(addresses, job);
		return [...seen.outcomes.values()].every((outcome) => !(outcome instanceof ScreeningError));
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
