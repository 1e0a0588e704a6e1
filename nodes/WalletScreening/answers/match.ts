import { screeningKey } from '../address/key';
import { invalidResponse, type ScreeningError, type Settled } from '../shared/errors';
import { tryStringify } from '../shared/json';
import { groupBy } from '../shared/maps';
import type { JobAnswer } from './jobAnswer';
import { createMissingResultError, findJobProblem } from './jobErrors';
import { contentOfReport, type Report } from './report';
import type { Result } from './results';
import { createResultFinder, groupByAddress } from './resultsByAddress';

/** The result of a job for an address: its report, or the error that stands in its place. */
export type AddressResult = Settled<Report> & { readonly address: string };

/**
 * Gives each address of a job that is over its report, or the error in its place:
 *
 *     its results in the job              what it gets
 *     a report, once or repeated          the report
 *     a result that is no final report    `invalid_response`, with the flaw
 *     results that contradict             `invalid_response`
 *     none, and the whole job failed      `job_failed`
 *     none, and more was promised         `missing_result`, with what promises it
 *     none                                `missing_result`
 *
 * If each address has a report, and the job states that something is missing all the same, any of
 * the reports may be the one that lacks a source. Then each address gets `invalid_response`.
 *
 * All spellings of an account on one chain are one address: if `addresses` holds several, each of
 * them gets the same.
 *
 * @example matchResults([A, B], job) // of a complete job with a report for A only
 * // [
 * //   { address: A, value: report },
 * //   { address: B, error: 'Bulk job j is complete, but has no result for B' },
 * // ]
 */
export function matchResults(addresses: string[], job: JobAnswer): AddressResult[] {
	const resultsOf = createResultFinder(addresses, job.results);
	// Made once for a job: its excerpt of the body would be the same for every address.
	const problem = findJobProblem(job);
	const matched = addresses.map((address): AddressResult => {
		const own = resultsOf(address);
		if (own.length > 0) return { ...selectResult(own, address, job.job_id), address };
		const missing = problem ?? createMissingResultError(address, job.job_id);
		return { address, error: missing.withDetails({ address }) };
	});
	const isUnexplained = job.unnamedLack && matched.every(({ value }) => value);
	return isUnexplained ? repeatError(addresses, createLackError(job)) : matched;
}

/** Makes the error of a job that has reports, and states that something is missing. */
function createLackError({ job_id, unnamedLack }: JobAnswer): ScreeningError {
	const what = 'reports, but also with a statement that something is missing';
	return invalidResponse(what, { details: { job_id, entry: unnamedLack?.entry } });
}

/**
 * Lists the results of a job whose submitted addresses are not known: one for each address, one for
 * each entry that names none, and the error of the whole job if it has one. If a lack stands for no
 * address, each report may be the one that lacks a source, and becomes an error: unlike in
 * `matchResults`, no missing address can explain it.
 */
export function listResults(job: JobAnswer): Array<Settled<Report>> {
	const groups = groupByAddress(job.results, screeningKey).values();
	const results = [...groups].map((group): Settled<Report> => {
		const { address } = group[0]!;
		const result = selectResult(group, address, job.job_id);
		const isDoubtful = job.unnamedLack && !job.unnamedLack.isResult && result.value;
		return isDoubtful ? { error: createLackError(job).withDetails({ address }) } : result;
	});
	const problem = findJobProblem(job);
	return problem ? [...results, { error: problem }] : results;
}

/** Gives each address the same error. */
export const repeatError = (addresses: string[], error: ScreeningError): AddressResult[] =>
	addresses.map((address) => ({ address, error: error.withDetails({ address }) }));

/** The most contradictory results that an error shows. */
const maxShown = 10;

/**
 * Selects the one report of an address among its results, of which several may be the same, or
 * makes the error in its place.
 */
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
	// A word on a result may be that of a failure. A user who pastes it into Service Names as a word
	// of completion would clear all addresses with it.
	const teachable = proposedNames?.complete ? undefined : proposedNames;
	return {
		error: invalidResponse(`${what} ${whose}${why}`, { details, proposedNames: teachable }),
	};
}

/** Drops the results of an address that repeat an earlier one. */
function dropRepetitions(results: Result[]): Result[] {
	if (results.length < 2) return results;
	const contentOf = ({ report, value }: Result) =>
		report ? contentOfReport(report) : (tryStringify([value]) ?? value);
	return [...groupBy(results, contentOf).values()].map(([first]) => first!);
}
