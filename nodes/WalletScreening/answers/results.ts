import { addressKey } from '../address/key';
import type { Result } from './result';
import type { JobReading } from './reader';
import { grouped } from '../service/grouped';
import { contentOfReport, isId, type Report } from './report';
import { type ErrorClass, invalidResponse, ScreeningError } from '../service/errors';
import { contentOf, excerpt, type Fields, isFields } from '../service/json';

/** What a report was asked for by. */
export interface Subject {
	address?: string;
	report_id?: string;
}

/**
 * The one report of a subject among what an answer has.
 * @throws ScreeningError `invalid_response`. It has the ID of the report, which may be paid for.
 */
export function selectReport(
	results: Result[],
	{ address, report_id }: Subject,
	{ body, status }: { body: unknown; status: number },
): Report {
	const own = results.filter(({ address: found, value }) => {
		const isOther = address !== undefined && addressKey(found ?? address) !== addressKey(address);
		return !isOther && (report_id === undefined || (value as Fields).report_id === report_id);
	});
	const first = own.find(({ report }) => !report) ?? own[0] ?? results[0];
	const { report_id: id } = (first?.value ?? (isFields(body) ? body : {})) as Fields;
	const details = { ...(isId(id) && { report_id: String(id) }), body: excerpt(body) };
	const refuse = (what: string) => invalidResponse(what, status, details, first?.add);
	const name = address ?? first?.address;
	const whose = name === undefined ? '' : ` for ${name}`;

	if (!first) throw refuse(`no report${whose}`);
	if (!first.report) throw refuse(`no final report${whose}: ${first.flaw}`);
	if (own.length === 0)
		throw refuse(address ? `the report of another address${whose}` : 'a report of another ID');
	const contents = new Set(own.map(({ report }) => contentOfReport(report!)));
	if (contents.size > 1) throw refuse(`several reports that differ${whose}`);
	return first.report;
}

/** What is known of a job. Its ID is undefined for one of a delivery that names none. */
type JobFacts = Partial<JobReading> & { job_id: string | undefined; body?: unknown };
/** A job that is complete or failed. */
type EndedJob = JobReading & JobFacts;

/** An error about a job. It quotes what the answer says, or what the node could not read of it. */
function jobError(
	errorClass: ErrorClass,
	{ job_id, body, statements = [], unread = [], add }: JobFacts,
	what: string,
	advice: string,
): ScreeningError {
	const job = job_id === undefined ? 'The bulk job' : `Bulk job ${job_id}`;
	const unknown = ` The answer holds names or words that the node does not know: ${unread.join(', ')}.`;
	const known =
		statements.length > 0 ? ` The answer says ${statements.slice(0, 5).join(', ')}.` : '';
	const details = { job_id, body: body === undefined ? body : excerpt(body) };
	const description = advice + (unread.length > 0 ? unknown : known);
	return new ScreeningError(errorClass, `${job} ${what}`, description, { details, add });
}

/** The job still runs; `when` completes "is not complete". */
export const jobTimeout = (job: JobFacts, when: string): ScreeningError =>
	jobError(
		'job_timeout',
		job,
		`is not complete ${when}`,
		'The service keeps processing the job. Getting its results later makes no new screening request.',
	);

/** Why a job that is over has no result for an address. */
export function missingResult(job: EndedJob): ScreeningError {
	const { job_id, state, remainder, results } = job;
	if (state === 'failed') {
		const advice = 'Treat its addresses as not screened, and submit them again.';
		return jobError('job_failed', job, 'ended without completing', advice);
	}
	if (remainder) {
		const advice =
			'The service does not document how to get the rest. Treat the missing addresses as not screened, and ask the vendor.';
		const what = 'has more results than the service sent';
		return jobError('missing_result', { job_id }, what, advice).withDetails({ entry: remainder });
	}
	if (results.length === 0) {
		const advice = 'Treat its addresses as not screened, and ask the vendor.';
		return jobError('missing_result', job, 'is complete, but contains no results', advice);
	}
	const advice = 'Treat the address as not screened, and screen it again.';
	const what = 'is complete, but has no result for this address';
	return jobError('missing_result', { job_id }, what, advice);
}

/** What became of each address of a job. */
export type Outcomes = Map<string, Report | ScreeningError>;

/**
 * Gives each address of a job that is over its one report, or `invalid_response` for a result without a report and for results
 * that contradict each other, or why it has none. What went wrong with the whole job is the error of each. `addresses` holds one
 * spelling of each, as `inJobs` gives them; if their format has no case, addresses are matched without regard to it.
 */
export function match(addresses: string[], job: EndedJob | ScreeningError): Outcomes {
	const isError = job instanceof ScreeningError;
	// Made once for a job: what it shows of the body is as long for each address.
	const missing = isError ? job : missingResult(job);
	const groups = byAddress(isError ? [] : job.results);
	return new Map(
		addresses.map((address) => {
			const own = groups.get(addressKey(address)) ?? [];
			return [address, outcomeOf(own, address, missing)];
		}),
	);
}

/** For those who do not know what was sent: one outcome for each address, each nameless result, and all that did not come. */
export function outcomesOf(job: EndedJob): Array<Report | ScreeningError> {
	const missing = missingResult(job);
	const outcomes = [...byAddress(job.results).values()].map((group) =>
		outcomeOf(group, group[0]!.address, missing),
	);
	return job.remainder || outcomes.length === 0 ? [...outcomes, missing] : outcomes;
}

/** The results of each address, by its key. One that names no address is a group of its own. */
const byAddress = (results: Result[]) =>
	grouped<unknown, Result>(results, (one) => (one.address ? addressKey(one.address) : one));

/** The results of an address, without repetitions. */
function distinct(results: Result[]): Result[] {
	if (results.length < 2) return results;
	const contentIn = ({ report, value }: Result) =>
		report ? contentOfReport(report) : contentOf([value]);
	return [...grouped(results, contentIn).values()].map(([first]) => first!);
}

/** No error shows more contradictory results. */
const mostShown = 10;

/** The one result of an address as the report that it is, or the error of its address; `missing` is that of one without a result. */
function outcomeOf(
	results: Result[],
	address: string | undefined,
	missing: ScreeningError,
): Report | ScreeningError {
	const [first, ...others] = distinct(results);
	if (!first) return missing.withDetails({ address });
	const { report, value, flaw, add } = first;
	if (report && others.length === 0) return report;
	const { job_id } = missing.details;
	const all = [first, ...others];
	const entry = others.length === 0 ? value : all.slice(0, mostShown).map((one) => one.value);
	const what = all.some((one) => one.report) ? 'contradictory results' : 'no final report';
	const why = flaw === undefined ? '' : `: ${flaw}`;
	const whose = address === undefined ? 'in a result that names no address' : `for ${address}`;
	const details = { address, job_id, entry };
	return invalidResponse(`${what} ${whose}${why}`, undefined, details, add);
}
