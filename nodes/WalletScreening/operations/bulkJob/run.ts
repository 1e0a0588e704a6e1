import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { type Paired, settle, toItems } from '../../n8n/outcomes';
import { inTurn } from '../../n8n/perItem';
import { prepare, type Screening } from '../../n8n/screening';
import { inJobs } from '../../service/bulk';
import { ScreeningError } from '../../service/errors';
import { type Entry, readAddresses } from './addresses';

/** How many jobs are under way at once where the user does not say. */
const chosenAtOnce = 5;

/** A run over many addresses, cut into jobs. */
export interface BulkRun {
	context: IExecuteFunctions;
	screening: Screening;
	entries: Entry[];
	/** The addresses of each job. */
	jobs: string[][];
	/** The jobs that the service accepted: nothing that was paid for is lost. */
	jobIds: string[];
	/** Aborted, with the error as its reason, by the first job that goes wrong where the user did not choose to continue. */
	ending: AbortController;
}

/**
 * Reads the addresses and hands them to `work`, which gives the outcomes in order. Where the user did not choose to
 * continue, an address that cannot be right ends the node before anything is sent or billed.
 */
export async function inBulk(
	context: IExecuteFunctions,
	work: (run: BulkRun) => Promise<Paired[]>,
): Promise<INodeExecutionData[]> {
	const outcomes = await settle(context, async () => {
		const screening = await prepare(context);
		const entries = readAddresses(context).map((entry) => {
			const refusal = screening.refused.get(entry.from);
			return refusal ? { ...entry, address: refusal } : entry;
		});
		const refused = entries.flatMap(({ address, from }) =>
			address instanceof ScreeningError ? [{ outcome: address, from }] : [],
		);
		if (refused.length > 0 && !context.continueOnFail()) return refused;
		const valid = entries.flatMap(({ address }) =>
			address instanceof ScreeningError ? [] : [address],
		);
		const ending = new AbortController();
		const run = { context, screening, entries, jobs: inJobs(valid), jobIds: [], ending };
		const paired = await work(run);
		return (ending.signal.aborted ? endedBy(run) : paired).map((one) => withJobIds(one, run));
	});
	if (outcomes instanceof ScreeningError) {
		const all = context.getInputData().map((_, from) => ({ outcome: outcomes, from }));
		return toItems(context, all);
	}
	return toItems(context, outcomes);
}

function endedBy({ ending, entries }: BulkRun): Paired[] {
	const outcome = ending.signal.reason as ScreeningError;
	const from = entries.find(({ address }) => address === outcome.known.address)?.from ?? 0;
	return [{ outcome, from }];
}

/** A thrown error names every accepted job; an item that knows its own names that alone, for there may be many items. */
function withJobIds({ outcome, from }: Paired, { context, jobIds }: BulkRun): Paired {
	if (!(outcome instanceof ScreeningError) || outcome.errorClass === 'invalid_input') {
		return { outcome, from };
	}
	const own = context.continueOnFail() && outcome.known.job_id;
	if (jobIds.length === 0) return { outcome, from };
	return { outcome: outcome.with({ job_ids: own ? [own] : jobIds }), from };
}

/**
 * Does `work` for each job, a few at a time. It gives the first failure of the job, if there is one: no further job is
 * begun then, unless the user chose to continue.
 */
export async function eachJob(
	{ context, screening, jobs, ending }: BulkRun,
	work: (addresses: string[], job: number) => Promise<ScreeningError | undefined>,
) {
	const goesOn = context.continueOnFail();
	await inTurn(jobs.length, screening.options.concurrency ?? chosenAtOnce, async (job) => {
		const failure = await work(jobs[job] as string[], job);
		if (failure && !goesOn) ending.abort(failure);
		return !ending.signal.aborted;
	});
}

/** What the user is told of a run when it is done. */
export function hint({ context, entries, jobs }: BulkRun, lines: string[], failures: number) {
	const sent = jobs.reduce((sum, { length }) => sum + length, 0);
	const refused = entries.filter(({ address }) => address instanceof ScreeningError).length;
	const duplicates = entries.length - refused - sent;
	const message = [
		`${count(sent, 'address', 'addresses')} in ${count(jobs.length, 'bulk job', 'bulk jobs')}`,
		...(duplicates > 0 ? [`${count(duplicates, 'duplicate', 'duplicates')} sent once`] : []),
		...(failures > 0 ? [`${count(failures, 'address', 'addresses')} without a report`] : []),
		...lines,
	].join(', ');
	context.addExecutionHints({
		message: `${message}.`,
		location: 'outputPane',
		type: failures > 0 || lines.length > 0 ? 'warning' : 'info',
	});
}

export function count(number: number, one: string, many: string): string {
	return `${number} ${number === 1 ? one : many}`;
}
