import type { DecisionSettings } from '../../description/decision';
import { inParallel } from '../../execution/eachItem';
import type { Read } from '../../description/parameters';
import { type Run, toResult } from '../../execution/run';
import { divide, isDivisible, type Submission } from '../../client/bulk';
import { ScreeningError } from '../../shared/errors';
import { counted, printable } from '../../shared/text';
import { type Chunk, inInputOrder, type Ordered, readBulk } from './chunks';
import { mostPerJob } from '../../client/ids';

/** How many jobs are in progress at once if the user does not say: as many as the burst of Pro (section 8). */
const defaultJobsAtOnce = 50;

/** How many addresses of a further chunk are rejected one by one before it is taken for hopeless, if the service took no job. */
const rejectionsOfFurtherChunk = 16;

/** What was submitted of a chunk. */
export type Submitted = Submission & Pick<Chunk, 'client' | 'entriesOf'>;

/**
 * Submits what the input items ask for as bulk jobs. `outcomesOf` gives the outcomes of each submission as soon as it is made.
 * The hint will say how many addresses were sent.
 */
export async function screenInBulk(
	run: Run,
	readDeciding: (read: Read, itemIndex: number) => DecisionSettings,
	outcomesOf: (submitted: Submitted) => Promise<Ordered[]>,
): Promise<Ordered[]> {
	const { entries, refused, chunks } = await readBulk(run, readDeciding);
	const outcomes = await inParallel(run, chunks, defaultJobsAtOnce, async (chunk) => {
		const submissions = await submissionsOf(run, chunk);
		const all = submissions.map(async (one) => await outcomesOf({ ...chunk, ...one }));
		return (await Promise.all(all)).flat();
	});
	const sent = chunks.reduce((sum, { addresses }) => sum + addresses.length, 0);
	const again = entries.length - sent;
	const jobs = counted(run.created.job_ids.length, 'bulk job');
	run.notes.push(`${counted(sent, 'address', 'addresses')} in ${jobs}`);
	if (again > 0) run.notes.push(`${counted(again, 'duplicate')} not sent again`);
	return inInputOrder([...refused, ...outcomes]);
}

/**
 * The chunk as one job; if the service rejects it and the user chose to continue, its good addresses in several. A service that
 * accepts nothing may have another reason than an address. So until it accepts a job, the division ends when as many single
 * addresses as a job holds were rejected, and that of each further chunk a little later.
 */
async function submissionsOf(run: Run, chunk: Chunk): Promise<Submission[]> {
	const { addresses, tally } = chunk;
	const whole = await submitJob(run, chunk, addresses);
	if (!isDivisible(whole)) return [whole];
	if (!run.continueOnFail) return [withAdviceToContinue(whole)];
	const most = Math.max(mostPerJob, tally.rejectedAlone + rejectionsOfFurtherChunk);
	return await divide(whole, async (part) => {
		const isHopeless = tally.jobs === 0 && tally.rejectedAlone >= most;
		return isHopeless ? { ...whole, addresses: part } : await submitJob(run, chunk, part);
	});
}

function withAdviceToContinue({ addresses, jobOrError }: Submission): Submission {
	if (!(jobOrError instanceof ScreeningError)) return { addresses, jobOrError };
	const description = `${jobOrError.description} The service may reject a whole job because of one address. With 'On Error' set to Continue in the settings, the node finds that address and submits the others.`;
	return { addresses, jobOrError: jobOrError.withText({ description }) };
}

async function submitJob(
	{ context, created, signal }: Run,
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
		return job;
	}, signal);
	if (jobOrError instanceof ScreeningError) {
		if (jobOrError.details.sent !== undefined) created.unsureJobs.push(addresses.length);
		if (addresses.length === 1 && jobOrError.errorClass === 'bad_request') tally.rejectedAlone++;
	}
	return { addresses, jobOrError };
}
