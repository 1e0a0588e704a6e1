import { undecided } from '../../n8n/decision';
import { ofRequests, options } from '../../n8n/options';
import { addressKey } from '../../address/key';
import { chainKey } from '../../service/chain';
import { ScreeningError } from '../../service/errors';
import type { Operation } from '../operation';
import { addressFields, type Asked } from './addresses';
import { jobJson } from './jobItem';
import { inOrder, type Ordered, readBulk, type Wanted } from './chunks';
import { submitChunks, type Submitted, summarized } from './submission';

export const submit: Operation = {
	name: 'Submit',
	value: 'submit',
	action: 'Submit bulk job',
	description: 'Submit many addresses as bulk jobs without waiting for the reports',
	fields: [...addressFields, options(...ofRequests, 'addressesPerJob', 'checkAddresses')],
	async run(run) {
		const bulk = await readBulk(run, () => undecided);
		const submitted = await submitChunks(run, bulk.chunks, async (one) => one);
		return summarized(run, bulk, submitted.flatMap(outcomesOf));
	},
};

/** The outcome of a job, or one per address that is in no job. */
function outcomesOf({ addresses, outcome, entriesOf }: Submitted): Ordered[] {
	const entries = inOrder(addresses.flatMap(entriesOf));
	if (outcome instanceof ScreeningError) {
		return entries.map(({ order, from, address }) => ({
			...{ order, from },
			outcome: outcome.with({ address }),
		}));
	}
	const [{ order }] = entries as [Wanted];
	const from = [...new Set(entries.map((entry) => entry.from))];
	return [{ order, from, outcome: { json: jobJson(outcome, addresses.length, askedIn(entries)) } }];
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
