import type { AddressRequest } from '../../address/input';
import { chainKey } from '../../address/chain';
import { screeningKey } from '../../address/key';
import type { Submission } from '../../client/bulk';
import { createOptionsField, requestOptions } from '../../description/options';
import { noReportSettings } from '../../description/reportSettings';
import { createJobJson } from '../../execution/jobItem';
import type { Operation } from '../../execution/runOperation';
import { addressFields } from './addresses';
import {
	type AddressEntry,
	type Chunk,
	defaultJobsAtOnce,
	noteDuplicates,
	type OrderedItem,
	readAddressList,
	sortByOrder,
	submitChunk,
} from './submission';

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
		const settled = await run.inParallel(list.chunks, defaultJobsAtOnce, async (chunk) => {
			const submissions = await submitChunk(run, chunk);
			return submissions.flatMap((submission) => settleSubmission(chunk, submission));
		});
		noteDuplicates(run, list);
		return sortByOrder([...list.refused, ...settled]);
	},
};

/** Gives the item of a job, or the error of each address that is in no job. */
function settleSubmission(chunk: Chunk, submission: Submission): OrderedItem[] {
	const { addresses, value: job, error } = submission;
	const entries = sortByOrder(addresses.flatMap(chunk.entriesOf));
	if (error) {
		return entries.map(({ order, inputIndex, address }) => ({
			order,
			inputIndex,
			error: error.withDetails({ address }),
		}));
	}
	// The item stands at the place of its first address; no job is empty.
	const [{ order }] = entries as [AddressEntry];
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
