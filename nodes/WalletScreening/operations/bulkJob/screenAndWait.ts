import { decisionSettingsReader } from '../../n8n/decision';
import { decisionFields } from '../../n8n/decisionFields';
import { reportOptions, requestOptions, options } from '../../n8n/options';
import { createReportItems } from '../../n8n/reportItem';
import { type Run, toResult } from '../../n8n/run';
import { allFailed, awaitOutcomes } from '../../service/bulk';
import { ScreeningError } from '../../service/errors';
import type { Outcomes } from '../../service/results';
import type { Operation } from '../operation';
import { addressFields } from './addresses';
import { type Bulk, type Ordered, readBulk } from './chunks';
import { submitChunks, type Submitted, summarized } from './submission';

export const screenAndWaitOperation: Operation = {
	name: 'Screen and Wait',
	value: 'screenAndWait',
	action: 'Screen many addresses and wait',
	description:
		'Screen many addresses in bulk jobs of up to 1,000 and return their reports. For a single address use Address: Screen.',
	fields: [
		...addressFields,
		...decisionFields,
		options(
			...requestOptions,
			...reportOptions,
			'addressesPerJob',
			'checkAddresses',
			'onlyNotGreen',
			'pollInterval',
			'timeout',
		),
	],
	isTimed: true,
	async run(run) {
		const bulk = await readBulk(run, decisionSettingsReader(run.context));
		const screened = await submitChunks(
			run,
			bulk.chunks,
			async (one) => await screenChunk(run, one),
		);
		return collectResults(run, bulk, screened);
	},
};

/** What became of the addresses of one submission. */
type Screened = Pick<Submitted, 'entriesOf'> & { outcomes: Outcomes; screenedAt: Date };

/** Waits for the job of a submission. Unless the user chose to continue, a failure in it is that of the node. */
async function screenChunk(run: Run, submitted: Submitted): Promise<Screened> {
	const { client, addresses, entriesOf, jobOrError } = submitted;
	const { clock, deadline, options, signal } = run;
	const { pollInterval, timeout } = options;
	const waiting = { clock, deadline, pollInterval, when: `after ${timeout} minutes` };
	const matched = await toResult(
		async () => await awaitOutcomes(client, submitted, waiting),
		signal,
	);
	const job_id = jobOrError instanceof ScreeningError ? undefined : jobOrError.job_id;
	const outcomes =
		matched instanceof ScreeningError
			? allFailed(addresses, matched.withDetails(job_id === undefined ? {} : { job_id }))
			: matched;
	if ([...outcomes.values()].some((outcome) => outcome instanceof ScreeningError)) run.fail();
	return { outcomes, entriesOf, screenedAt: new Date() };
}

/** An outcome for each address that was asked for. */
function collectResults(run: Run, bulk: Bulk, screened: Screened[]): Ordered[] {
	const itemOf = createReportItems(run);
	const outcomes: Ordered[] = [];
	let leftOut = 0;
	for (const { entriesOf, outcomes: matched, screenedAt } of screened) {
		for (const [address, found] of matched) {
			for (const { order, inputIndex, ...asked } of entriesOf(address)) {
				const result = itemOf(found, { ...asked, screenedAt });
				if (result) outcomes.push({ order, inputIndex, result });
				else leftOut++;
			}
		}
	}
	return summarized(run, bulk, outcomes, leftOut);
}
