import { addressKey } from './address';
import { chainKey } from './chain';
import { invalidResponse, ScreeningError } from './errors';
import type { Entry } from './entries';
import { contentOf, excerpt } from './json';
import type { Report } from './report';
import type { Job } from './shapes';

/** The ID of a job; undefined for one of a delivery that names none. */
type JobId = string | undefined;

const jobName = (job_id: JobId) => (job_id === undefined ? 'The bulk job' : `Bulk job ${job_id}`);

/** The job ended without completing. */
export function jobFailed({ job_id, body }: { job_id: JobId; body: unknown }): ScreeningError {
	return new ScreeningError(
		'job_failed',
		`${jobName(job_id)} ended without completing`,
		'Treat its addresses without a report as not screened, and submit them again.',
		{ known: { ...subjectOf(undefined, job_id), body: excerpt(body) } },
	);
}

/** The job still runs. `when` completes "is not complete". */
export function jobTimeout(
	{ job_id, body }: Pick<Job, 'job_id' | 'body'>,
	when: string,
): ScreeningError {
	return new ScreeningError(
		'job_timeout',
		`Bulk job ${job_id} is not complete ${when}`,
		'The service keeps processing the job. Getting its results later makes no new screening request.',
		{ known: { job_id, body: excerpt(body) } },
	);
}

/** The job is complete, and its results are not there. */
export function noResults(job_id: JobId): ScreeningError {
	return new ScreeningError(
		'missing_result',
		`${jobName(job_id)} is complete, but contains no results`,
		'Treat its addresses as not screened, and ask the vendor.',
		{ known: subjectOf(undefined, job_id) },
	);
}

/** What became of the addresses of one job, and what came back beside that. */
export interface Matched {
	outcomes: Map<string, Report | ScreeningError>;
	/** Results for addresses that were not sent. */
	unknown: number;
	/** Results that say again what another one says, or that a worse one of another chain stands for. */
	doubled: number;
	/** The fault of the job, if no address has it as its outcome. */
	doubt?: ScreeningError;
}

/**
 * Gives each address of a job its report, or `invalid_response` for an entry without a report and for entries that contradict
 * each other, or `missing_result`. `addresses` holds one spelling of each, as `inJobs` gives them; if their format has no
 * case, addresses are matched without regard to it. Of reports on several chains the one that is at least as bad in
 * everything stands for all; if no report does, that is a contradiction.
 */
export function match(addresses: string[], job: Job): Matched {
	const entries = (job.entries ?? []).filter(({ rest }) => !rest);
	const entriesOf = byAddress(entries);
	const outcomes = new Map<string, Report | ScreeningError>();
	const missing = missingResult(job);
	let known = 0;
	let used = 0;
	for (const address of addresses) {
		const own = entriesOf.get(addressKey(address)) ?? [];
		const found = settled(own);
		known += own.length;
		used += found.length;
		outcomes.set(
			address,
			found.length === 0 ? missing.with({ address }) : outcomeFor(found, address, job.job_id),
		);
	}
	const isMissing = [...outcomes.values()].some(
		(outcome) => outcome instanceof ScreeningError && outcome.errorClass === 'missing_result',
	);
	const rest = isMissing ? undefined : job.entries?.find((entry) => entry.rest === true);
	return {
		outcomes,
		unknown: entries.length - known,
		doubled: known - used,
		...(rest && { doubt: notAll(job.job_id, true, { entry: rest.value }) }),
	};
}

/**
 * Whether a job is complete: it says so, or it does not say how far it is, has a report for every address, and names no
 * more.
 */
export function isSettled(addresses: string[], { state, isStated, entries }: Job): boolean {
	if (isStated) return state === 'complete';
	if (!entries || entries.some(({ report, rest }) => !report && rest !== 'possible')) return false;
	const has = new Set(entries.map(({ address }) => address && addressKey(address)));
	return addresses.every((address) => has.has(addressKey(address)));
}

/** What became of an address, for those who do not know which were sent. */
export interface Outcome {
	address: string | undefined;
	outcome: Report | ScreeningError;
	/** The ID of the report, if the service sent only that. */
	reportId?: string;
}

/**
 * One outcome for each address, chain by chain, and one for each result without an address or for all that were not sent, in
 * the order in which they came.
 */
export function outcomesOf(entries: Entry[], job_id: JobId): Outcome[] {
	return [...byAddress(entries).values()].flatMap((group) =>
		byChain(group).map((same) => {
			const found = distinct(same);
			const [{ address, reportId }] = same as [Entry];
			return {
				address,
				outcome: outcomeFor(found, address, job_id),
				...(found.length === 1 && reportId !== undefined && { reportId }),
			};
		}),
	);
}

/** The entries of each key, in the order in which they came. */
function groupedBy(entries: Entry[], keyOf: (entry: Entry) => unknown): Map<unknown, Entry[]> {
	const groups = new Map<unknown, Entry[]>();
	for (const entry of entries) {
		const key = keyOf(entry);
		const group = groups.get(key);
		if (group) group.push(entry);
		else groups.set(key, [entry]);
	}
	return groups;
}

/** The entries of each address, by its key. One that names no address is a group of its own. */
const byAddress = (entries: Entry[]) =>
	groupedBy(entries, (entry) => (entry.address === undefined ? entry : addressKey(entry.address)));

/** The entry that decides, or all that contradict each other. */
function settled(entries: Entry[]): Entry[] {
	const different = distinct(entries);
	const chains = new Set(different.map(({ report }) => chainKey(report?.chain)));
	if (chains.size < different.length) return different;
	const worst = different.find((one) => different.every((other) => isAtLeastAsBad(one, other)));
	return worst ? [worst] : different;
}

/** The groups of entries that speak of the same chain; one group where any is no report, which may speak of each. */
function byChain(entries: Entry[]): Entry[][] {
	if (entries.some(({ report }) => !report)) return [entries];
	return [...groupedBy(entries, ({ report }) => chainKey(report?.chain)).values()];
}

/** The first of those that say the same: of reports, the same chain and risk. */
function distinct(entries: Entry[]): Entry[] {
	if (entries.length < 2) return entries;
	const groups = groupedBy(entries, ({ report, value }) =>
		contentOf(report ? [chainKey(report.chain), report.risk] : [value]),
	);
	return [...groups.values()].map(([first]) => first as Entry);
}

/**
 * Whether no rule that asks for more of a risk lets the first pass and stops the other: its level is the same or the other's
 * is green, and no score or category is lower. `clean_exchange` is good, so it is not higher.
 */
function isAtLeastAsBad({ report: one }: Entry, { report: other }: Entry): boolean {
	if (!one || !other) return false;
	const level = ({ risk }: Report) => risk.level.trim().toLowerCase();
	if (level(one) !== level(other) && level(other) !== 'green') return false;
	const { clean_exchange: clean = 0, ...scores } = scoresOf(one);
	const { clean_exchange: otherClean = 0, ...otherScores } = scoresOf(other);
	return (
		clean <= otherClean &&
		one.risk.score >= other.risk.score &&
		Object.entries(otherScores).every(([name, score]) => (scores[name] ?? 0) >= score)
	);
}

/** Section 2.3; a category that is not a number compares with nothing. */
function scoresOf({ risk }: Report): Record<string, number> {
	const categories = Object.entries((risk.categories ?? {}) as Record<string, unknown>);
	return Object.fromEntries(
		categories.map(([name, value]) => [name, typeof value === 'number' ? value : NaN]),
	);
}

function outcomeFor(
	[entry, ...others]: Entry[],
	address: string | undefined,
	job_id: JobId,
): Report | ScreeningError {
	if (others.length === 0) return outcomeOf(entry!, address, job_id);
	const all = [entry!, ...others];
	const chains = new Set(all.map(({ report }) => report && chainKey(report.chain)));
	const onSeveral = chains.size === all.length && !chains.has(undefined);
	return invalidResponse(
		onSeveral
			? 'several results for this address on several chains, and none is the worst in everything'
			: 'contradictory results for this address',
		undefined,
		{ ...subjectOf(address, job_id), entry: all.map(({ value }) => value) },
	);
}

/** An entry as the report that it is, or as the error of its address. */
export function outcomeOf(
	entry: Entry,
	address: string | undefined,
	job_id: JobId,
): Report | ScreeningError {
	if (entry.rest) return notAll(job_id, entry.rest, { entry: entry.value });
	return (
		entry.report ??
		invalidResponse('an invalid risk report for this address', undefined, {
			...subjectOf(address, job_id),
			entry: entry.value,
		})
	);
}

const subjectOf = (address: string | undefined, job_id: JobId) => ({
	...(address !== undefined && { address }),
	...(job_id !== undefined && { job_id }),
});

/** Made once for a job: what it shows of the body is as long for each address. */
function missingResult({ job_id, entries, body }: Job): ScreeningError {
	const rest = entries?.find((entry) => entry.rest)?.rest;
	if (rest) return notAll(job_id, rest);
	if (entries === undefined) return noResults(job_id).with({ body: excerpt(body) });
	return new ScreeningError(
		'missing_result',
		`Bulk job ${job_id} is complete, but has no result for this address`,
		'Treat the address as not screened, and screen it again.',
		{ known: { job_id } },
	);
}

/** The service has more results than it sent, or may have. */
function notAll(
	job_id: JobId,
	rest: NonNullable<Entry['rest']>,
	known: { entry?: unknown } = {},
): ScreeningError {
	const [failure, reason] =
		rest === true
			? [
					'did not send',
					'The answer says that there are more results, or that something is amiss with them.',
				]
			: [
					'may not have sent',
					'The answer is one full page, and does not say whether there are more.',
				];
	return new ScreeningError(
		'missing_result',
		`The service ${failure} all results of ${job_id === undefined ? 'the bulk job' : `bulk job ${job_id}`}`,
		`${reason} The service does not document how to get the rest. Treat the missing addresses as not screened, and ask the vendor.`,
		{ known: { ...known, ...subjectOf(undefined, job_id) } },
	);
}
