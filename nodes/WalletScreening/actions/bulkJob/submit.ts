import { noDecision } from '../../description/decision';
import { requestOptions, options } from '../../description/options';
import { addressKey } from '../../address/key';
import { chainKey } from '../../address/chain';
import { ScreeningError } from '../../shared/errors';
import type { Operation } from '../../execution/run';
import { addressFields, type Asked } from './addresses';
import { jobJson } from './jobItem';
import { inInputOrder, type Ordered, type Wanted } from './chunks';
import { screenInBulk, type Submitted } from './submission';

export const submitOperation: Operation = {
	name: 'Submit',
	value: 'submit',
	action: 'Submit bulk job',
	description: 'Submit many addresses as bulk jobs without waiting for the reports',
	builderHint: {
		propertyHint:
			'Keep each job_id and its addresses in a data table, so that Bulk Job: Get can fetch the reports without a new bill, whatever happens to the execution.',
	},
	fields: [...addressFields, options(...requestOptions, 'addressesPerJob', 'checkAddresses')],
	isBilled: true,
	async run(run) {
		return await screenInBulk(run, () => noDecision, submittedOutcomes);
	},
};

/** The outcome of a job, or one per address that is in no job. */
async function submittedOutcomes({
	addresses,
	jobOrError,
	entriesOf,
}: Submitted): Promise<Ordered[]> {
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
	const json = jobJson(jobOrError, addresses.length, askedIn(entries));
	return [{ order, inputIndex, result: { json } }];
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
