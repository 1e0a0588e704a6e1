import { printable } from '../../n8n/context';
import { inParallel } from '../../n8n/eachItem';
import { type Run, toResult } from '../../n8n/run';
import { divide, isDivisible, type Submission } from '../../service/bulk';
import { ScreeningError } from '../../service/errors';
import { mostPerJob } from '../../service/input';
import { type Bulk, inInputOrder, type Chunk, type Ordered } from './chunks';

/** How many jobs are in progress at once if the user does not say: as many as the burst of Pro (section 8). */
const defaultJobsAtOnce = 50;

/** How many addresses of a further chunk are rejected one by one before it is taken for hopeless, if the service took no job. */
const rejectionsOfFurtherChunk = 16;

/** What was submitted of a chunk. */
export type Submitted = Submission & Pick<Chunk, 'client' | 'entriesOf'>;

/**
 * Submits the chunks as bulk jobs, and gives what `work` makes of each submission, which it is given as soon as it is made:
 * nothing of those that the end of the run called off.
 */
export async function submitChunks<T>(
	run: Run,
	chunks: Chunk[],
	work: (submitted: Submitted) => Promise<T>,
): Promise<T[]> {
	const all = await inParallel(run, chunks, defaultJobsAtOnce, async (chunk) => {
		const submissions = await submissionsOf(run, chunk);
		return await Promise.all(submissions.map(async (one) => await work({ ...chunk, ...one })));
	});
	return all.flatMap((worked) => worked ?? []);
}

/**
 * The chunk as one job; if the service rejects it and the user chose to continue, its good addresses in several. A service that
 * accepts nothing may have another reason than an address. So until it accepts a job, the division ends when as many single
 * addresses as a job holds were rejected, and that of each further chunk a little later.
 */
async function submissionsOf(run: Run, chunk: Chunk): Promise<Submission[]> {
	const { addresses, tally } = chunk;
	const whole = await submitJob(run, chunk, addresses);
	if (!run.continueOnFail || !isDivisible(whole)) return [whole];
	const most = Math.max(mostPerJob, tally.rejectedAlone + rejectionsOfFurtherChunk);
	return await divide(whole, async (part) => {
		const isHopeless = tally.jobs === 0 && tally.rejectedAlone >= most;
		return isHopeless ? { ...whole, addresses: part } : await submitJob(run, chunk, part);
	});
}

async function submitJob(
	{ context, created, signal, fail }: Run,
	{ client, tally }: Chunk,
	addresses: string[],
): Promise<Submission> {
	const jobOrError = await toResult(async () => {
		const job = await client.submitBulk(addresses);
		const { job_id } = job;
		tally.jobs++;
		created.job_ids.push(job_id);
		// n8n's log keeps the ID also if n8n is killed before the node ends.
		context.logger.info(`The service accepted bulk job ${printable(job_id)}`);
		const size = count(addresses.length, 'address', 'addresses');
		context.sendMessageToUI(`Bulk job ${job_id}: ${size}`);
		return job;
	}, signal);
	if (jobOrError instanceof ScreeningError) {
		if (jobOrError.details.sent !== undefined) created.unsureJobs.push(addresses.length);
		if (addresses.length === 1 && jobOrError.errorClass === 'bad_request') tally.rejectedAlone++;
		fail();
	}
	return { addresses, jobOrError };
}

/** The outcomes of all addresses, in order. The hint will say how many were sent, and which results were left out. */
export function summarized(
	{ created, notes }: Run,
	{ entries, refused, chunks }: Bulk,
	told: Ordered[],
	{ leftOut = [] as string[], oddities = [] as string[] } = {},
): Ordered[] {
	const sent = chunks.reduce((sum, { addresses }) => sum + addresses.length, 0);
	const jobs = count(created.job_ids.length, 'bulk job', 'bulk jobs');
	notes.texts.push(
		`${count(sent, 'address', 'addresses')} in ${jobs}`,
		...ifAny(entries.length - sent, 'duplicate', 'duplicates', 'not sent again'),
		...leftOut,
		...oddities,
	);
	if (oddities.length > 0) notes.areOdd = true;
	return inInputOrder([...refused, ...told]);
}

/** What to say of so many things; nothing of none. */
export function ifAny(number: number, one: string, many: string, what: string): string[] {
	return number > 0 ? [`${count(number, one, many)} ${what}`] : [];
}

function count(number: number, one: string, many: string): string {
	return `${number} ${number === 1 ? one : many}`;
}
