import { options } from '../../n8n/fields';
import type { Paired } from '../../n8n/items';
import { type BulkRun, hint, inBulk, outcomeMap, submitAll } from './run';
import type { Submission } from '../../service/bulk';
import { ScreeningError } from '../../service/errors';
import type { Operation } from '../operation';
import { addressFields } from './addresses';
import { jobJson } from './jobItem';

export const submit: Operation = {
	option: {
		name: 'Submit',
		value: 'submit',
		action: 'Submit bulk job',
		description: 'Submit many addresses as bulk jobs without waiting for the reports',
	},
	fields: [...addressFields, options('concurrency', 'maxRetries', 'requestTimeout')],
	async run(context) {
		return await inBulk(context, () => undefined, submitEntries);
	},
};

/** One outcome per job, and one per address that is in no job, in the order of the first input item of each. */
async function submitEntries(run: BulkRun<undefined>): Promise<Paired[]> {
	const submissions = outcomeMap<Submission>();
	await submitAll(run, (submission) => {
		for (const address of submission.addresses) submissions.set(address, submission);
		return !(submission.outcome instanceof ScreeningError);
	});

	const items = new Map<Submission, number[]>();
	const paired: Paired[] = [];
	for (const { address, from } of run.entries) {
		const submission = address instanceof ScreeningError ? undefined : submissions.get(address);
		const outcome = address instanceof ScreeningError ? address : submission?.outcome;
		if (outcome instanceof ScreeningError) {
			const named = typeof address === 'string' ? outcome.with({ address }) : outcome;
			paired.push({ outcome: named, from });
			continue;
		}
		// A list that was never sent, because an earlier one ended the node, leaves its addresses without an outcome.
		if (!submission || !outcome) continue;
		const known = items.get(submission);
		if (known) {
			if (known.at(-1) !== from) known.push(from);
			continue;
		}
		const first = [from];
		items.set(submission, first);
		const { length } = submission.addresses;
		paired.push({ outcome: { json: jobJson(outcome, length) }, from: first });
	}
	hint(run, paired);
	return paired;
}
