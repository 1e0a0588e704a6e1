import { addressKey } from './address';
import { invalidResponse, ScreeningError } from './errors';
import { contentOf, excerpt } from './json';
import type { Entry, Job, Report } from './shapes';

/** The service gave the job up. */
export function jobFailed({ job_id, body }: Job): ScreeningError {
	return new ScreeningError(
		'job_failed',
		`The service gave up the bulk job ${job_id}`,
		'Those of its addresses that have no report were not screened: submit them again.',
		{ known: { job_id, body: excerpt(body) } },
	);
}

/** The job still runs. `when` completes "is not complete". */
export function jobTimeout({ job_id, body }: Job, when: string): ScreeningError {
	return new ScreeningError(
		'job_timeout',
		`The bulk job ${job_id} is not complete ${when}`,
		'The job goes on at the service, and its results can be had later without paying again.',
		{ known: { job_id, body: excerpt(body) } },
	);
}

/** The job is complete, and its results are not there. */
export function noResults(job_id: string): ScreeningError {
	return new ScreeningError(
		'missing_result',
		`The bulk job ${job_id} is complete, but holds no results`,
		'The service says nothing of the reports. Ask the vendor.',
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
		'It has more than those in its answer, and how to get them is not documented. Ask the vendor.',
		{ known: { ...known, job_id } },
	);
}
