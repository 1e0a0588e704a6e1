import { type AddressResult, matchResults, repeatError } from '../../answers/match';
import type { Submission } from '../../client/division';
import { waitForJob } from '../../client/waitForJob';
import { createAgentOutputFields, readReportForm } from '../../description/reportForm';
import {
	createOptionsField,
	readOptions,
	reportOptions,
	requestOptions,
} from '../../description/options';
import { createSettingsReader, decisionFields } from '../../description/reportSettings';
import { ResultItems, type ResultOptions } from '../../execution/resultItems';
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
		const options = {
			...readOptions(run.readFirst, ['onlyNotGreen', 'pollInterval', 'timeout']),
			form: readReportForm(run.context),
		};
		const list = await readAddressList(run, createSettingsReader(run));
		return await submitList(run, list, async (submission, chunk) => {
			return await waitForItems(run, chunk, submission, options);
		});
	},
};

/** How to wait for a job, and what the user chose for its results. */
interface ScreenAndWaitOptions extends ResultOptions {
	/** Seconds. */
	pollInterval: number;
	/** Minutes. The run has the deadline that they lead to. */
	timeout: number;
}

/**
 * Waits for the job of a submission, and gives an item or an error for each entry of its addresses.
 */
async function waitForItems(
	run: Run,
	chunk: Chunk,
	submission: Submission,
	options: ScreenAndWaitOptions,
): Promise<OrderedItem[]> {
	const results = await waitForResults(run, chunk, submission, options);
	const screenedAt = new Date();
	const resultItems = new ResultItems(run, options);
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
	run: Run,
	{ client }: Chunk,
	{ addresses, value: submitted, error }: Submission,
	{ pollInterval, timeout }: ScreenAndWaitOptions,
): Promise<AddressResult[]> {
	if (error) return repeatError(addresses, error);
	const { clock, deadline } = run;
	const when = `after ${formatCount(timeout, 'minute')}`;
	const limits = { clock, deadline, pollInterval, when };
	const settled = await run.settle(async () => {
		const job = await waitForJob(client, submitted, limits, addresses);
		return matchResults(addresses, job);
	});
	if (settled.value) return settled.value;
	// A fault of this package names no job by itself.
	return repeatError(addresses, settled.error.withDetails({ job_id: submitted.job_id }));
}
