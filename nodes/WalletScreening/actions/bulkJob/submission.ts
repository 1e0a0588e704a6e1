import type { Job } from '../../answers/jobAnswer';
import { divide, isDivisible, type Submission } from '../../client/division';
import type { Run } from '../../execution/run';
import type { Settled } from '../../shared/errors';
import { formatCount, toLogText } from '../../shared/text';
import {
	type AddressList,
	type Chunk,
	failAddresses,
	type OrderedItem,
	sortByOrder,
} from './addressList';

/**
 * How many jobs are in progress at once, unless the user chose a number: the burst of Pro (section 8).
 */
const defaultJobsAtOnce = 50;

/**
 * Submits the chunks of a list, a few at once, and gives what came of each address, in the order in
 * which they were asked for.
 *
 * @param createItems gives what came of the addresses of one submission. What it throws is the error of
 * all addresses of the chunk.
 */
export async function submitList(
	run: Run,
	list: AddressList,
	createItems: (submission: Submission, chunk: Chunk) => OrderedItem[] | Promise<OrderedItem[]>,
): Promise<OrderedItem[]> {
	const settled = await run.inParallel(
		list.chunks,
		defaultJobsAtOnce,
		async (chunk) => {
			const submissions = await submitChunk(run, chunk);
			const items = submissions.map(async (one) => await createItems(one, chunk));
			return (await Promise.all(items)).flat();
		},
		(error, chunk) => failAddresses(chunk, chunk.addresses, error),
	);
	noteDuplicates(run, list);
	return sortByOrder([...list.refused, ...settled]);
}

/**
 * Submits the chunk as one job; if the service rejects it and the user chose to continue, its good
 * addresses in several.
 * @throws only the reason of the signal of the run
 */
async function submitChunk(run: Run, chunk: Chunk): Promise<Submission[]> {
	const whole = await submitJob(run, chunk, chunk.addresses);
	if (!isDivisible(whole)) return [whole];
	if (!run.continueOnFail) return [adviseToContinue(whole)];
	const { rejectionLimit } = chunk;
	const maxRejections = rejectionLimit.maxRejectionsOfDivision();
	return await divide(whole, async (part) => {
		// A part that is not sent gets the error of the whole chunk.
		if (rejectionLimit.isReached(maxRejections)) return { ...whole, addresses: part };
		return await submitJob(run, chunk, part);
	});
}

/** Adds to the error of a rejected chunk how the node would submit its good addresses. */
function adviseToContinue(rejected: Submission): Submission {
	const { addresses, error } = rejected;
	if (!error) return rejected;
	const description = `${error.description} The service may reject a whole job because of one address. With 'On Error' set to Continue in the settings, the node finds that address and submits the others.`;
	return { addresses, error: error.withText({ description }) };
}

/** Submits addresses as one job. Notes in the run that the job exists, or that it may exist. */
async function submitJob(run: Run, chunk: Chunk, addresses: string[]): Promise<Submission> {
	const submitted = await run.settle(async () => await chunk.client.submitBulk(addresses));
	const { value: job, error } = submitted;
	if (job) return { ...(await noteJob(run, chunk, addresses.length, job)), addresses };
	if (error?.details.sent !== undefined) run.ledger.noteUnsureJob(addresses.length);
	if (error?.errorClass === 'bad_request' && addresses.length === 1) {
		chunk.rejectionLimit.noteRejectedAddress();
	}
	return { ...submitted, addresses };
}

/** Notes a job of so many addresses that the service accepted. The error of a fault names the job. */
async function noteJob(
	run: Run,
	{ rejectionLimit }: Chunk,
	addressCount: number,
	job: Job,
): Promise<Settled<Job>> {
	const { ledger, context } = run;
	const { job_id } = job;
	const noted = await run.settle(() => {
		rejectionLimit.noteJob();
		ledger.noteJob(job_id, addressCount);
		// n8n's log keeps the ID also if n8n is killed before the node ends.
		const accepted = `the service accepted bulk job ${toLogText(job_id)}`;
		context.logger.info(`Execution ${context.getExecutionId()}: ${accepted}`);
		return job;
	});
	return noted.error ? { error: noted.error.withDetails({ job_id }) } : noted;
}

/** Notes for the hint how many entries repeat an address, which is sent once. */
function noteDuplicates({ ledger }: Run, { entries, chunks }: AddressList): void {
	// Without chunks nothing is sent, whether it repeats or not.
	if (chunks.length === 0) return;
	const distinct = chunks.reduce((sum, { addresses }) => sum + addresses.length, 0);
	const duplicates = entries.length - distinct;
	if (duplicates > 0) ledger.noteFact(`${formatCount(duplicates, 'duplicate')} not sent again`);
}
