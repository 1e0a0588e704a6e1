import type { AddressRequest } from '../../address/input';
import { chainKey } from '../../address/chain';
import { screeningKey } from '../../address/key';
import type { Submission } from '../../client/division';
import { createOptionsField, requestOptions } from '../../description/options';
import { noReportSettings } from '../../description/reportSettings';
import { createJobJson } from '../../execution/jobItem';
import type { Operation } from '../../execution/operation';
import {
	type AddressEntry,
	type Chunk,
	failAddresses,
	type OrderedItem,
	readAddressList,
	sortByOrder,
} from './addressList';
import { addressFields } from './addresses';
import { submitList } from './submission';

export const submitOperation: Operation = {
	name: 'Submit',
	value: 'submit',
	action: 'Submit bulk job',
	description: 'Submit many addresses as bulk jobs without waiting for the reports',
	builderHint: {
		propertyHint:
			'Save each job_id and its addresses in a data table, so that Bulk Job: Get can fetch the reports without another charge, even if the execution is lost.',
	},
	fields: [
		...addressFields,
		createOptionsField(...requestOptions, 'addressesPerJob', 'checkAddresses'),
	],
	isBilled: true,
	async execute(run) {
		const list = await readAddressList(run, () => noReportSettings);
		return await submitList(run, list, createItemsOfSubmission);
	},
};

/** Gives the item of a job, or the error of each address that is in no job. */
function createItemsOfSubmission(
	{ addresses, value: job, error }: Submission,
	chunk: Chunk,
): OrderedItem[] {
	if (error) return failAddresses(chunk, addresses, error);
	const entries = sortByOrder(addresses.flatMap(chunk.entriesOf));
	// The item stands at the place of its first address; no job is empty.
	const { order } = entries[0]!;
	const inputIndex = [...new Set(entries.map((entry) => entry.inputIndex))];
	const json = createJobJson(job, addresses.length, listDistinctRequests(entries));
	return [{ order, inputIndex, value: { json } }];
}

/**
 * Lists the requests of a job, each once: an address, or an address and the chain that was meant.
 */
function listDistinctRequests(entries: AddressEntry[]): Array<string | AddressRequest> {
	const requests = new Map<string, string | AddressRequest>();
	for (const { address, chain } of entries) {
		const key = `${chainKey(chain)} ${screeningKey(address)}`;
		if (!requests.has(key)) requests.set(key, chain === undefined ? address : { address, chain });
	}
	return [...requests.values()];
}
