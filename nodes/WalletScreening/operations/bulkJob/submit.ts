import { type Paired, settle } from '../../n8n/outcomes';
import { ScreeningError } from '../../service/errors';
import { options } from '../fields';
import type { Operation } from '../operation';
import { jobJson } from '../output';
import { addressFields } from './addresses';
import { type BulkRun, eachJob, hint, inBulk } from './run';

export const submit: Operation = {
	option: {
		name: 'Submit',
		value: 'submit',
		action: 'Submit bulk job',
		description: 'Submit addresses as bulk jobs and go on without waiting for the results',
	},
	fields: [...addressFields, options('concurrency', 'maxRetries', 'requestTimeout')],
	async run(context) {
		return await inBulk(context, submitAll);
	},
};

/** One outcome per job, and one per address that is in no job, in the order of the first input item of each. */
async function submitAll(run: BulkRun): Promise<Paired[]> {
	const { context, entries, jobs, screening } = run;
	const jobOf = new Map(
		jobs.flatMap((addresses, job) => addresses.map((address) => [address, job] as const)),
	);
	const outcomes: Array<Paired['outcome'] | undefined> = [];

	await eachJob(run, async (addresses, job) => {
		const handle = await settle(context, async () => await screening.client.submitBulk(addresses));
		if (handle instanceof ScreeningError) {
			outcomes[job] = handle;
			return handle.with({ address: addresses[0] as string });
		}
		run.jobIds.push(handle.job_id);
		outcomes[job] = { json: jobJson(handle, addresses.length) };
		return undefined;
	});

	const items = new Map<number, number[]>();
	const paired: Paired[] = [];
	let failures = 0;
	for (const { address, from } of entries) {
		const job = address instanceof ScreeningError ? undefined : jobOf.get(address);
		const outcome = address instanceof ScreeningError ? address : outcomes[job as number];
		if (outcome === undefined) continue;
		if (outcome instanceof ScreeningError) {
			failures++;
			paired.push({
				outcome: address instanceof ScreeningError ? outcome : outcome.with({ address }),
				from,
			});
			continue;
		}
		const known = items.get(job as number);
		if (known) {
			if (known.at(-1) !== from) known.push(from);
		} else {
			const first = [from];
			items.set(job as number, first);
			paired.push({ outcome, from: first });
		}
	}
	hint(run, [], failures);
	return paired;
}
