import { noDecision } from '../../n8n/decision';
import { requestOptions, options } from '../../n8n/options';
import { addressKey } from '../../address/key';
import { chainKey } from '../../service/chain';
import { ScreeningError } from '../../service/errors';
import type { Operation } from '../operation';
import { addressFields, type Asked } from './addresses';
import { jobJson } from './jobItem';
import { inInputOrder, type Ordered, readBulk, type Wanted } from './chunks';
import { submitChunks, type Submitted, summarized } from './submission';

export const submitOperation: Operation = {
	name: 'Submit',
	value: 'submit',
	action: 'Submit bulk job',
	description: 'Submit many addresses as bulk jobs without waiting for the reports',
	fields: [...addressFields, options(...requestOptions, 'addressesPerJob', 'checkAddresses')],
	async run(run) {
		const bulk = await readBulk(run, () => noDecision);
		const submitted = await submitChunks(run, bulk.chunks, async (one) => one);
		return summarized(run, bulk, submitted.flatMap(submittedResults));
	},
};

/** The outcome of a job, or one per address that is in no job. */
function submittedResults({ addresses, jobOrError, entriesOf }: Submitted): Ordered[] {
	const entries = inInputOrder(addresses.flatMap(entriesOf));
	if (jobOrError instanceof ScreeningError) {
		return entries.map(({ order, inputIndex, address }) => ({
			order,
			inputIndex,
			result: jobOrError.withDetails({ address }),
		}));
	}
	const [{ order }] = entries as [Wanted];
	const inputIndex = [...new Set(entries.map((entry) => entry.inputIndex))];
	return [
		{
			order,
			inputIndex,
			result: { json: jobJson(jobOrError, addresses.length, askedIn(entries)) },
		},
	];
}

/** What was asked for, each once: an address, or, where a chain was meant, both. */
function askedIn(entries: Wanted[]): Array<string | Asked> {
	const asked = new Map<string, string | Asked>();
	for (const { address, chain } of entries) {
		const key = `${chainKey(chain)} ${addressKey(address)}`;
		if (!asked.has(key)) asked.set(key, chain === undefined ? address : { address, chain });
	}
	return [...asked.values()];
}
