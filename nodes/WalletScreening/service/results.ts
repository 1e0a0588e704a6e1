import { addressKey } from '../address/key';
import type { Result } from './reader/answer';
import type { JobReading } from './reader/reader';
import { grouped } from './grouped';
import { contentOfReport, type Report } from './report';
import { type ErrorClass, invalidResponse, ScreeningError } from './errors';
import { contentOf, excerpt } from './json';

/** What is known of a job. Its ID is undefined for one of a delivery that names none. */
type JobFacts = Partial<JobReading> & { job_id: string | undefined; body?: unknown };
type CompleteJob = JobReading & JobFacts;

/** Makes errors about a job, which quote what its answer says, or what the node could not read of it. */
const jobError =
	(errorClass: ErrorClass, what: string, advice: string) =>
	({ job_id, body, says = [], unread = [], add }: JobFacts, when = ''): ScreeningError => {
		const job = job_id === undefined ? 'The bulk job' : `Bulk job ${job_id}`;
		const unknown = ` The answer holds names or words that the node does not know: ${unread.join(', ')}.`;
		const said = says.length > 0 ? ` The answer says ${says.slice(0, 5).join(', ')}.` : '';
		const details = { ...factsOf({ job_id }), ...(body !== undefined && { body: excerpt(body) }) };
		const description = advice + (unread.length > 0 ? unknown : said);
		return new ScreeningError(errorClass, `${job} ${what}${when}`, description, { details, add });
	};

/** The job ended without completing. */
export const jobFailed = jobError(
	'job_failed',
	'ended without completing',
	'Treat its addresses as not screened, and submit them again.',
);
/** The job still runs; its second argument completes "is not complete". */
export const jobTimeout = jobError(
	'job_timeout',
	'is not complete ',
	'The service keeps processing the job. Getting its results later makes no new screening request.',
);
/** The job is complete, and its results are not there. */
export const noResults = jobError(
	'missing_result',
	'is complete, but contains no results',
	'Treat its addresses as not screened, and ask the vendor.',
);
const notAll = jobError(
	'missing_result',
	'has more results than the service sent',
	'The service does not document how to get the rest. Treat the missing addresses as not screened, and ask the vendor.',
);
const noResult = jobError(
	'missing_result',
	'is complete, but has no result for this address',
	'Treat the address as not screened, and screen it again.',
);

/** What the error of a missing address says of a job. */
function missingIn(job: CompleteJob): ScreeningError {
	const { job_id, remainder, results } = job;
	if (remainder) return notAll({ job_id }).withDetails({ entry: remainder });
	return results.length > 0 ? noResult({ job_id }) : noResults(job);
}

/** What became of each address of a job. */
export type Outcomes = Map<string, Report | ScreeningError>;

/**
 * Gives each address of a complete job its one report, or `invalid_response` for a result without a report and for results
 * that contradict each other, or `missing_result`. `addresses` holds one spelling of each, as `inJobs` gives them; if their
 * format has no case, addresses are matched without regard to it.
 */
export function match(addresses: string[], job: CompleteJob): Outcomes {
	const { job_id } = job;
	const groups = byAddress(job.results);
	// Made once for a job: what it shows of the body is as long for each address.
	const missing = missingIn(job);
	const outcomes = addresses.map((address) => {
		const own = distinct(groups.get(addressKey(address)) ?? []);
		return [address, outcomeOf(own, { address, job_id }, missing)] as const;
	});
	return new Map(outcomes);
}

/**
 * For those who do not know which addresses were sent: one outcome of a complete job for each that it names, one for each
 * result without an address, and one for all that were not sent.
 */
export function outcomesOf(job: CompleteJob): Array<Report | ScreeningError> {
	const { job_id, results, remainder } = job;
	const missing = missingIn(job);
	const outcomes = [...byAddress(results).values()].map((group) =>
		outcomeOf(distinct(group), { address: group[0]!.address, job_id }, missing),
	);
	return remainder ? [...outcomes, missing] : outcomes;
}

/** The results of each address, by its key. One that names no address is a group of its own. */
const byAddress = (results: Result[]) =>
	grouped<unknown, Result>(results, (one) => (one.address ? addressKey(one.address) : one));

/** The surest results of an address, without repetitions. */
function distinct(results: Result[]): Result[] {
	if (results.length < 2) return results;
	const surest = [
		results.filter(({ by, report, flaw }) => by === 'place' && (report ?? flaw)),
		results.filter(({ flaw }) => flaw),
		results.filter(({ by }) => by === 'place'),
		results,
	].find(({ length }) => length > 0)!;
	const contentIn = ({ report, value }: Result) =>
		report ? contentOfReport(report) : contentOf([value]);
	return [...grouped(surest, contentIn).values()].map(([first]) => first!);
}

/** No error shows more contradictory results. */
const mostShown = 10;

/** The one result of an address as the report that it is, or the error of its address. */
function outcomeOf(
	[first, ...others]: Result[],
	facts: Facts,
	missing: ScreeningError,
): Report | ScreeningError {
	if (!first) return missing.withDetails(factsOf(facts));
	const { by, report, value, flaw, add } = first;
	if (by === 'mention') return missing.withDetails({ ...factsOf(facts), entry: value });
	if (report && others.length === 0) return report;
	const all = [first, ...others];
	const entry = others.length === 0 ? value : all.slice(0, mostShown).map((one) => one.value);
	const what = all.some((one) => one.report) ? 'contradictory results' : 'no final report';
	const why = flaw === undefined ? '' : `: ${flaw}`;
	const details = { ...factsOf(facts), entry };
	const whose =
		facts.address === undefined ? 'in a result that names no address' : 'for this address';
	return invalidResponse(`${what} ${whose}${why}`, undefined, details, add);
}

type Facts = { address?: string | undefined; job_id: string | undefined };
const factsOf = ({ address, job_id }: Facts) => ({
	...(address !== undefined && { address }),
	...(job_id !== undefined && { job_id }),
});
