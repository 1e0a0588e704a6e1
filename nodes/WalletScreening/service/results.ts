import { addressKey } from '../address/key';
import type { Entry } from './dialect/entries';
import type { Told } from './dialect/job';
import type { Job } from './dialect/reader';
import { grouped } from './grouped';
import { contentOfReport, type Report, riskTwice } from './report';
import { type ErrorClass, invalidResponse, ScreeningError } from './errors';
import { contentOf, excerpt, type Fields } from './json';

/** The ID of a job; undefined for one of a delivery that names none. */
type JobId = string | undefined;

/** What an error about a job tells of it. */
type JobFacts = { job_id: JobId; body?: unknown } & Partial<Pick<Told, 'unread' | 'add'>>;

/** An error about a job, which quotes what the node could not read of it. */
function jobError(
	errorClass: ErrorClass,
	what: string,
	advice: string,
	{ job_id, body, unread = [], add }: JobFacts,
): ScreeningError {
	const job = job_id === undefined ? 'The bulk job' : `Bulk job ${job_id}`;
	const unknown = `The answer holds names or words that the node does not know: ${unread.join(', ')}.`;
	const description = unread.length > 0 ? `${advice} ${unknown}` : advice;
	const known = {
		...factsOf(undefined, job_id),
		...(body !== undefined && { body: excerpt(body) }),
	};
	return new ScreeningError(errorClass, `${job} ${what}`, description, { known, add });
}

/** The job ended without completing. */
export const jobFailed = (job: JobFacts) =>
	jobError(
		'job_failed',
		'ended without completing',
		'Treat its addresses as not screened, and submit them again.',
		job,
	);

/** The job still runs. `when` completes "is not complete". */
export const jobTimeout = (job: JobFacts, when: string) =>
	jobError(
		'job_timeout',
		`is not complete ${when}`,
		'The service keeps processing the job. Getting its results later makes no new screening request.',
		job,
	);

/** The job is complete, and its results are not there. */
export const noResults = (job: JobFacts) =>
	jobError(
		'missing_result',
		'is complete, but contains no results',
		'Treat its addresses as not screened, and ask the vendor.',
		job,
	);

/** The service has more results than it sent. */
const notAll = (job: JobFacts) =>
	jobError(
		'missing_result',
		'has more results than the service sent',
		'The service does not document how to get the rest. Treat the missing addresses as not screened, and ask the vendor.',
		job,
	);

/** What became of the addresses of one job. */
export interface Matched {
	outcomes: Map<string, Report | ScreeningError>;
	/** Results for addresses that were not sent. */
	unknown: number;
	/** Results that say again what another one says. */
	doubled: number;
}

/**
 * Gives each address of a complete job its one report, or `invalid_response` for an entry without a report and for entries
 * that contradict each other, or `missing_result`. `addresses` holds one spelling of each, as `inJobs` gives them; if their
 * format has no case, addresses are matched without regard to it.
 */
export function match(addresses: string[], job: Job): Matched {
	const entries = (job.entries ?? []).filter(({ rest }) => !rest);
	const entriesOf = byAddress(entries);
	const outcomes = new Map<string, Report | ScreeningError>();
	// Made once for a job: what it shows of the body is as long for each address.
	const missing = missingResult(job);
	let known = 0;
	let used = 0;
	for (const address of addresses) {
		const own = entriesOf.get(addressKey(address)) ?? [];
		const found = distinct(own);
		known += own.length;
		used += found.length;
		outcomes.set(
			address,
			found.length === 0 ? missing.with({ address }) : outcomeOf(found, address, job.job_id),
		);
	}
	return { outcomes, unknown: entries.length - known, doubled: known - used };
}

/** What became of an address, for those who do not know which were sent. */
export interface AddressOutcome {
	address: string | undefined;
	outcome: Report | ScreeningError;
	/** The ID of the report, if the service sent only that. */
	reportId?: string;
}

/**
 * One outcome for each address, and one for each result without an address or for all that were not sent, in the order in
 * which they came.
 */
export function outcomesOf(entries: Entry[], job_id: JobId): AddressOutcome[] {
	return [...byAddress(entries).values()].map((group) => {
		const found = distinct(group);
		const [{ address, reportId }] = found as [Entry];
		return {
			address,
			outcome: outcomeOf(found, address, job_id),
			...(found.length === 1 && reportId !== undefined && { reportId }),
		};
	});
}

/** The entries of each address, by its key. One that names no address is a group of its own. */
const byAddress = (entries: Entry[]) =>
	grouped<unknown, Entry>(entries, (entry) =>
		entry.address === undefined ? entry : addressKey(entry.address),
	);

/** The entries of an address without repetitions, and without what only mentions the address beside others. */
function distinct(entries: Entry[]): Entry[] {
	if (entries.length < 2) return entries;
	const whole = entries.find(({ report }) => report)?.report;
	const told = entries
		.filter(({ report, flaw, reportId }) => report ?? flaw ?? reportId)
		.filter((entry) => !whole || !isOf(whole, entry));
	const once = new Map<unknown, Entry>();
	for (const entry of told.length > 0 ? told : entries) {
		const { report, value } = entry;
		const content = report ? contentOfReport(report) : contentOf([value]);
		if (!once.has(content)) once.set(content, entry);
	}
	return [...once.values()];
}

/** Whether an entry without a report names this one, or says a part of it. */
const isOf = (report: Report, { reportId, isPart, value }: Entry) =>
	reportId === report.report_id || (isPart && riskTwice(report, value as Fields) === undefined);

/** No error shows more contradictory results. */
const mostShown = 10;

/** The one entry of an address as the report that it is, or the error of its address. */
function outcomeOf(
	entries: Entry[],
	address: string | undefined,
	job_id: JobId,
): Report | ScreeningError {
	const [{ report, rest, value, flaw }, ...others] = entries as [Entry, ...Entry[]];
	const isOne = others.length === 0;
	const entry = isOne ? value : entries.slice(0, mostShown).map((one) => one.value);
	const known = { ...factsOf(address, job_id), entry };
	if (!isOne) return invalidResponse('contradictory results for this address', undefined, known);
	if (rest) return notAll({ job_id }).with(known);
	const why = flaw === undefined ? '' : `: ${flaw}`;
	return report ?? invalidResponse(`no final report for this address${why}`, undefined, known);
}

const factsOf = (address: string | undefined, job_id: JobId) => ({
	...(address !== undefined && { address }),
	...(job_id !== undefined && { job_id }),
});

function missingResult(job: Job): ScreeningError {
	if (job.entries?.some(({ rest }) => rest)) return notAll({ job_id: job.job_id });
	if (!job.entries?.length) return noResults(job);
	const advice = 'Treat the address as not screened, and screen it again.';
	const { job_id } = job;
	return jobError('missing_result', 'is complete, but has no result for this address', advice, {
		job_id,
	});
}
