import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { printable } from '../../n8n/context';
import { type decidingReader, undecided } from '../../n8n/decision';
import { inParallel } from '../../n8n/eachItem';
import { attempt, type Run, withRun } from '../../n8n/run';
import { divide, isDivisible, type Submission } from '../../service/bulk';
import { ScreeningError } from '../../service/errors';
import { mostPerJob } from '../../service/input';
import { type Bulk, inOrder, type List, type Ordered, readBulk } from './lists';

/** How many jobs are in progress at once if the user does not say: as many as the burst of Pro (section 8). */
const usualAtOnce = 50;

/** How many addresses of a further list are rejected one by one before it is taken for hopeless, if the service took no job. */
const enough = 16;

/** What was submitted of a list. */
export type Submitted = Submission & Pick<List, 'client' | 'entriesOf'>;

/** The outcomes of the addresses, and what to tell the user beside their number. */
interface Told {
	outcomes: Ordered[];
	leftOut?: string[];
	oddities?: string[];
}

/**
 * Submits all addresses in bulk jobs. `work` is done with each submission as soon as it is made. `tell` makes the outcomes of
 * what came of them, except of those that the end of the run called off.
 */
export async function runBulk<T>(
	context: IExecuteFunctions,
	{
		work,
		tell,
		readDeciding = () => undecided,
		isTimed = false,
	}: {
		work: (run: Run, submitted: Submitted) => Promise<T>;
		tell: (run: Run, worked: T[]) => Told;
		readDeciding?: ReturnType<typeof decidingReader>;
		isTimed?: boolean;
	},
): Promise<INodeExecutionData[]> {
	const submitAll = async (run: Run) => {
		const bulk = await readBulk(run, readDeciding);
		if (bulk.refused.length > 0 && !run.continueOnFail) return bulk.refused;
		const worked = await inParallel(run, bulk.lists, usualAtOnce, async (list) => {
			const submissions = await submissionsOf(run, list);
			return await Promise.all(
				submissions.map(async (one) => await work(run, { ...list, ...one })),
			);
		});
		const told = tell(
			run,
			worked.flatMap((all) => all ?? []),
		);
		const outcomes = inOrder([...bulk.refused, ...told.outcomes]);
		hint(run, bulk, { ...told, outcomes });
		return outcomes;
	};
	return await withRun(context, submitAll, { isTimed });
}

/**
 * The list as one job; if the service rejects it and the user chose to continue, its good addresses in several. A service that
 * accepts nothing may have another reason than an address. So until it accepts a job, the division ends when as many single
 * addresses as a job holds were rejected, and that of each further list a little later.
 */
async function submissionsOf(run: Run, list: List): Promise<Submission[]> {
	const { addresses, tally } = list;
	const whole = await submit(run, list, addresses);
	if (!run.continueOnFail || !isDivisible(whole)) return [whole];
	const most = Math.max(mostPerJob, tally.rejectedAlone + enough);
	return await divide(whole, async (part) => {
		const isHopeless = tally.jobs === 0 && tally.rejectedAlone >= most;
		return isHopeless ? { ...whole, addresses: part } : await submit(run, list, part);
	});
}

async function submit(
	{ context, account, signal, fail }: Run,
	{ client, tally }: List,
	addresses: string[],
): Promise<Submission> {
	const outcome = await attempt(async () => {
		const job = await client.submitBulk(addresses);
		const { job_id } = job;
		tally.jobs++;
		account.job_ids.push(job_id);
		// n8n's log keeps the ID also if n8n is killed before the node ends.
		context.logger.info(`The service accepted bulk job ${printable(job_id)}`);
		const size = count(addresses.length, 'address', 'addresses');
		context.sendMessageToUI(`Bulk job ${job_id}: ${size}`);
		return job;
	}, signal);
	if (outcome instanceof ScreeningError) {
		if (addresses.length === 1 && outcome.errorClass === 'bad_request') tally.rejectedAlone++;
		fail();
	}
	return { addresses, outcome };
}

/**
 * Shows the user, when the run is done, how many addresses were sent and have no report, and which results were left out.
 * A failure or an oddity makes it a warning.
 */
function hint(
	{ context, account }: Run,
	{ entries, lists }: Bulk,
	{ outcomes, leftOut = [], oddities = [] }: Told,
): void {
	const sent = lists.reduce((sum, { addresses }) => sum + addresses.length, 0);
	const failures = outcomes.filter(({ outcome }) => outcome instanceof ScreeningError).length;
	const message = [
		`${count(sent, 'address', 'addresses')} in ${count(account.job_ids.length, 'bulk job', 'bulk jobs')}`,
		...ifAny(entries.length - sent, 'duplicate', 'duplicates', 'not sent again'),
		...ifAny(failures, 'address', 'addresses', 'without a report'),
		...leftOut,
		...oddities,
	].join(', ');
	context.addExecutionHints({
		message: `${message}.`,
		location: 'outputPane',
		type: failures + oddities.length > 0 ? 'warning' : 'info',
	});
}

/** What to say of so many things; nothing of none. */
export function ifAny(number: number, one: string, many: string, what: string): string[] {
	return number > 0 ? [`${count(number, one, many)} ${what}`] : [];
}

function count(number: number, one: string, many: string): string {
	return `${number} ${number === 1 ? one : many}`;
}
