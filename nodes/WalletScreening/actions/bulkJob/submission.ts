import { divide, isDivisible, type Submission } from '../../client/bulk';
import { maxPerJob } from '../../client/ids';
import type { Run } from '../../execution/run';
import { counted, printable } from '../../shared/text';
import type { AddressList, Chunk } from './chunks';

/** How many jobs are in progress at once if the user does not say: as many as the burst of Pro (section 8). */
export const defaultJobsAtOnce = 50;

/** How many addresses of a further chunk are rejected one by one before it is taken for hopeless, if the service took no job. */
const rejectionsOfFurtherChunk = 16;

/**
 * Submits the chunk as one job; if the service rejects it and the user chose to continue, its good addresses in several. A service
 * that accepts nothing may have another reason than an address. So until it accepts a job, the division ends when as many single
 * addresses as a job holds were rejected, and that of each further chunk a little later.
 */
export async function submitChunk(run: Run, chunk: Chunk): Promise<Submission[]> {
	const { addresses, tally } = chunk;
	const whole = await submitJob(run, chunk, addresses);
	if (!isDivisible(whole)) return [whole];
	if (!run.continueOnFail) return [withAdviceToContinue(whole)];
	const maxRejections = Math.max(maxPerJob, tally.rejectedAlone + rejectionsOfFurtherChunk);
	return await divide(whole, async (part) => {
		const isHopeless = tally.jobs === 0 && tally.rejectedAlone >= maxRejections;
		return isHopeless ? { ...whole, addresses: part } : await submitJob(run, chunk, part);
	});
}

function withAdviceToContinue(submission: Submission): Submission {
	const { addresses, error } = submission;
	if (!error) return submission;
	const description = `${error.description} The service may reject a whole job because of one address. With 'On Error' set to Continue in the settings, the node finds that address and submits the others.`;
	return { addresses, error: error.withText({ description }) };
}

async function submitJob(run: Run, chunk: Chunk, addresses: string[]): Promise<Submission> {
	const { context, created } = run;
	const { client, tally } = chunk;
	const submitted = await run.settle(async () => {
		const job = await client.submitBulk(addresses);
		const { job_id } = job;
		tally.jobs++;
		created.job_ids.push(job_id);
		// n8n's log keeps the ID also if n8n is killed before the node ends.
		context.logger.info(`The service accepted bulk job ${printable(job_id)}`);
		return job;
	});
	const { error } = submitted;
	if (error?.details.sent !== undefined) created.unsureJobs.push(addresses.length);
	if (addresses.length === 1 && error?.errorClass === 'bad_request') tally.rejectedAlone++;
	return { ...submitted, addresses };
}

/** Notes for the hint how many addresses were sent. */
export function noteWhatWasSent({ created, notes }: Run, { entries, chunks }: AddressList): void {
	const sent = chunks.reduce((sum, { addresses }) => sum + addresses.length, 0);
	const duplicates = entries.length - sent;
	const jobs = counted(created.job_ids.length, 'bulk job');
	notes.push(`${counted(sent, 'address', 'addresses')} in ${jobs}`);
	if (duplicates > 0) notes.push(`${counted(duplicates, 'duplicate')} not sent again`);
}
