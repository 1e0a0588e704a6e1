import { ofRequests, options } from '../../n8n/options';
import type { Paired } from '../../n8n/items';
import { withRun } from '../../n8n/run';
import { addressKey } from '../../address/key';
import { chainKey } from '../../service/chain';
import { ScreeningError } from '../../service/errors';
import type { Job } from '../../service/dialect/reader';
import type { Operation } from '../operation';
import { addressFields, type Asked } from './addresses';
import { hint } from './hint';
import { jobJson } from './jobItem';
import { type Bulk, createOutcomes, type Entry, inOrder, type Ordered, readBulk } from './lists';
import { submitEach, type Submitted } from './submission';

export const submit: Operation = {
	option: {
		name: 'Submit',
		value: 'submit',
		action: 'Submit bulk job',
		description: 'Submit many addresses as bulk jobs without waiting for the reports',
	},
	fields: [...addressFields, options(...ofRequests, 'checkAddresses')],
	async run(context) {
		return await withRun(context, async (run) => {
			const bulk = await readBulk(run, () => undefined);
			if (bulk.refused.length > 0 && !run.continueOnFail) return bulk.refused;
			const submitted = await submitEach(run, bulk.lists, (one) => one);
			const paired = pairedOf(bulk, submitted);
			hint(run, bulk, paired);
			return paired;
		});
	},
};

/** One outcome per job, and one per address that is in no job, in the order of the first address of each. */
function pairedOf({ entries, refused }: Bulk, submitted: Submitted[]): Paired[] {
	const submissions = createOutcomes<Submitted>();
	for (const one of submitted) {
		for (const address of one.addresses) submissions.set(one.client, address, one);
	}
	const failed: Ordered[] = [];
	const inJobs = new Map<Submitted, Entry[]>();
	for (const entry of entries) {
		const submission = submissions.of(entry);
		// The end of the run leaves the addresses of a list that was not sent without a submission.
		if (!submission) continue;
		const { outcome } = submission;
		if (outcome instanceof ScreeningError) {
			failed.push({ ...entry, outcome: outcome.with({ address: entry.address }) });
			continue;
		}
		const others = inJobs.get(submission);
		if (others) others.push(entry);
		else inJobs.set(submission, [entry]);
	}
	const jobs = [...inJobs].map(([{ addresses, outcome }, all]) => ({
		order: all[0]!.order,
		outcome: { json: jobJson(outcome as Job, addresses.length, askedIn(all)) },
		from: [...new Set(all.map(({ from }) => from))],
	}));
	return inOrder([...refused, ...failed, ...jobs]);
}

/** What was asked for, each once: an address, or, where a chain was meant, both. */
function askedIn(entries: Entry[]): Array<string | Asked> {
	const asked = new Map<string, string | Asked>();
	for (const { address, chain } of entries) {
		const key = `${chainKey(chain)} ${addressKey(address)}`;
		if (!asked.has(key)) asked.set(key, chain === undefined ? address : { address, chain });
	}
	return [...asked.values()];
}
