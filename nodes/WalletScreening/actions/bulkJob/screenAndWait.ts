import { type AddressResult, matchResults, repeatError } from '../../answers/match';
import { type Submission, waitForJob } from '../../client/bulk';
import { createAgentOutputFields } from '../../description/agentOutput';
import { createOptionsField, reportOptions, requestOptions } from '../../description/options';
import { createSettingsReader, decisionFields } from '../../description/reportSettings';
import { ResultItems } from '../../execution/resultItems';
import type { Run } from '../../execution/run';
import type { Operation } from '../../execution/operation';
import { formatCount } from '../../shared/text';
import { type Chunk, type OrderedItem, readAddressList } from './addressList';
import { addressFields } from './addresses';
import { submitList } from './submission';

export const screenAndWaitOperation: Operation = {
	name: 'Screen and Wait',
	value: 'screenAndWait',
	action: 'Screen addresses in bulk job and wait',
	description:
		'Screen many addresses in bulk jobs of up to 1,000 and return their reports. For a single address use Address: Screen.',
	builderHint: {
		propertyHint:
			'For a list: give it all items at once. It holds the execution for up to 30 minutes: for thousands of addresses use Submit and the Wallet Screening Trigger.',
	},
	fields: [
		...addressFields,
		...decisionFields,
		...createAgentOutputFields(),
		createOptionsField(
			...requestOptions,
			...reportOptions,
			'addressesPerJob',
			'checkAddresses',
			'onlyNotGreen',
			'pollInterval',
			'timeout',
		),
	],
	isBilled: true,
	isTimed: true,
	async execute(run) {
		const list = await readAddressList(run, createSettingsReader(run));
		return await submitList(run, list, waitForItems);
	},
};

/**
 * Waits for the job of a submission, and gives an item or an error for each entry of its addresses.
 */
async function waitForItems(
	submission: Submission,
	chunk: Chunk,
	run: Run,
): Promise<OrderedItem[]> {
	const results = await waitForResults(submission, chunk, run);
	const screenedAt = new Date();
	const resultItems = new ResultItems(run);
	const ordered: OrderedItem[] = [];
	for (const result of results) {
		await run.breathe();
		for (const { order, inputIndex, ...request } of chunk.entriesOf(result.address)) {
			const items = resultItems.createItems(result, { ...request, screenedAt });
			ordered.push(...items.map((item) => ({ ...item, order, inputIndex })));
		}
	}
	return ordered;
}

/**
 * Waits for what the job of a submission has for each address; what went wrong with the whole job
 * is the error of each.
 */
async function waitForResults(
	{ addresses, value: submitted, error }: Submission,
	{ client }: Chunk,
	run: Run,
): Promise<AddressResult[]> {
	if (error) return repeatError(addresses, error);
	const { clock, deadline, options } = run;
	const { pollInterval, timeout } = options;
	const when = `after ${formatCount(timeout, 'minute')}`;
	const waitOptions = { clock, deadline, pollInterval, when };
	const settled = await run.settle(async () => {
		const job = await waitForJob(client, submitted, waitOptions, addresses);
		return matchResults(addresses, job);
	});
	return settled.value ?? repeatError(addresses, settled.error);
}
