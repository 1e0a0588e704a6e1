import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { type Paired, settle, toItems } from '../../items/outcomes';
import { inTurn } from '../../items/perItem';
import { prepare, type Screening } from '../../items/screening';
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
		const entries = readAddresses(context);
		if (!context.continueOnFail()) {
			const refused = entries.filter(({ address }) => address instanceof ScreeningError);
			if (refused.length > 0)
				return refused.map(({ address, from }) => ({ outcome: address as ScreeningError, from }));
		}
		const valid = entries.flatMap(({ address }) =>
			address instanceof ScreeningError ? [] : [address],
		);
		return await work({ context, screening, entries, jobs: inJobs(valid) });
	});
	if (outcomes instanceof ScreeningError) {
		return toItems(
			context,
			context.getInputData().map((_, from) => ({ outcome: outcomes, from })),
		);
	}
	return toItems(context, outcomes);
}

/**
 * Does `work` for each job, a few at a time. Once one went wrong, which `work` tells by giving false, no further job is
 * begun unless the user chose to continue.
 */
export async function eachJob(
	{ context, screening, jobs }: BulkRun,
	work: (addresses: string[], job: number) => Promise<boolean>,
) {
	const goesOn = context.continueOnFail();
	await inTurn(jobs.length, screening.options.concurrency ?? chosenAtOnce, async (job) => {
		const well = await work(jobs[job] as string[], job);
		return well || goesOn;
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
