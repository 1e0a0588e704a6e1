import { addressKey } from '../address/key';
import { type ErrorClass, invalidResponse, ScreeningError, type Settled } from '../shared/errors';
import { groupBy } from '../shared/maps';
import { tryStringify } from '../shared/json';
import { excerptJson } from '../shared/text';
import type { ServiceNames } from './contract';
import type { JobAnswer } from './reader';
import { contentOfReport, type Report } from './report';
import type { Result } from './results';

/** A job as far as it is known. */
interface JobFacts {
	/** Undefined if a delivery names none. */
	job_id: string | undefined;
	body?: unknown;
	statements?: string[];
	unread?: string[];
	proposedNames?: ServiceNames | undefined;
}

/** Creates an error about a job. It quotes the statements of the answer, or those that the node could not read. */
function createJobError(
	errorClass: ErrorClass,
	{ job_id, body, statements = [], unread = [], proposedNames }: JobFacts,
	what: string,
	advice: string,
): ScreeningError {
	const job = job_id === undefined ? 'The bulk job' : `Bulk job ${job_id}`;
	const unreadText = ` The answer holds names or words that the node does not know: ${unread.join(', ')}.`;
	const statementsText =
		statements.length > 0 ? ` The answer contains ${statements.slice(0, 5).join(', ')}.` : '';
	const details = { job_id, body: body === undefined ? body : excerptJson(body) };
	const description = advice + (unread.length > 0 ? unreadText : statementsText);
	return new ScreeningError(errorClass, `${job} ${what}`, description, { details, proposedNames });
}

/** Creates the error for a job that still runs; `when` completes "is not complete". */
export const createTimeoutError = (job: JobFacts, when: string): ScreeningError =>
	createJobError(
		'job_timeout',
		job,
		`is not complete ${when}`,
		'The service keeps processing the job. Getting its results later makes no new screening request.',
	);

/** Finds why a job that is over lacks results, if the reason is something about the whole job. */
function findJobProblem(job: JobAnswer): ScreeningError | undefined {
	const { job_id, state, remainder, results, proposedNames } = job;
	if (state === 'failed') {
		const advice = 'Treat its addresses as not screened, and submit them again.';
		return createJobError('job_failed', job, 'was not completed by the service', advice);
	}
	if (remainder) {
		const advice =
			'The service does not document how to get the rest. Treat the missing addresses as not screened, and ask the vendor.';
		const what = 'has more results than the service sent';
		const error = createJobError('missing_result', { job_id, proposedNames }, what, advice);
		return error.withDetails({ entry: remainder });
	}
	if (results.length > 0) return undefined;
	const advice = 'Treat its addresses as not screened, and ask the vendor.';
	return createJobError('missing_result', job, 'is complete, but contains no results', advice);
}

/** Creates the error for a complete job that has results, but none for an address. */
function createMissingResultError(address: string, job_id: string | undefined): ScreeningError {
	const advice = 'Treat the address as not screened, and screen it again.';
	const what = `is complete, but has no result for ${address}`;
	return createJobError('missing_result', { job_id }, what, advice);
}

/** The result of a job for an address: its report, or the error that stands in its place. */
export type AddressResult = Settled<Report> & { readonly address: string };

/** Gives each address the same error. */
export const repeatError = (addresses: string[], error: ScreeningError): AddressResult[] =>
	addresses.map((address) => ({ address, error: error.withDetails({ address }) }));

/**
 * Gives each address of a job that is over its one report, or `invalid_response` for a result without a report and for results
 * that contradict each other, or why it has none. What went wrong with the whole job is the error of each address without a
 * result. All spellings of an account are one address: if `addresses` holds several, each of them gets the same.
 */
export function matchResults(addresses: string[], job: JobAnswer): AddressResult[] {
	const groups = groupByAddress(job.results);
	// Made once for a job: what it shows of the body is as long for each address.
	const problem = findJobProblem(job);
	return addresses.map((address) => {
		const own = groups.get(addressKey(address));
		if (own) return { ...selectResult(own, address, job.job_id), address };
		const missing = problem ?? createMissingResultError(address, job.job_id);
		return { address, error: missing.withDetails({ address }) };
	});
}

/**
 * Lists the results of a job whose submitted addresses are not known: one for each address, one for each entry that names none, and the
 * error of the whole job if it has one.
 */
export function listResults(job: JobAnswer): Array<Settled<Report>> {
	const results = [...groupByAddress(job.results).values()].map((group) =>
		selectResult(group, group[0]!.address, job.job_id),
	);
	const problem = findJobProblem(job);
	return problem ? [...results, { error: problem }] : results;
}

/** Groups results by the key of their address. A result that names no address is a group of its own. */
function groupByAddress(results: Result[]): Map<string | Result, Result[]> {
	return groupBy(results, (result) => (result.address ? addressKey(result.address) : result));
}

/** Drops the results of an address that repeat an earlier one. */
function dropRepetitions(results: Result[]): Result[] {
	if (results.length < 2) return results;
	const contentOf = ({ report, value }: Result) =>
		report ? contentOfReport(report) : (tryStringify([value]) ?? value);
	return [...groupBy(results, contentOf).values()].map(([first]) => first!);
}

/** No error shows more contradictory results. */
const maxShown = 10;

/** Selects the one report of an address among its results, of which several may be the same, or creates the error in its place. */
function selectResult(
	results: Result[],
	address: string | undefined,
	job_id: string | undefined,
): Settled<Report> {
	const all = dropRepetitions(results);
	const { report, value, flaw, proposedNames } = all[0]!;
	if (report && all.length === 1) return { value: report };
	const entry = all.length === 1 ? value : all.slice(0, maxShown).map((one) => one.value);
	const what = all.some((one) => one.report) ? 'contradictory results' : 'no final report';
	const whose = address === undefined ? 'in a result without an address' : `for ${address}`;
	const why = flaw === undefined ? '' : `: ${flaw}`;
	const details = { address, job_id, entry };
	return { error: invalidResponse(`${what} ${whose}${why}`, { details, proposedNames }) };
}
