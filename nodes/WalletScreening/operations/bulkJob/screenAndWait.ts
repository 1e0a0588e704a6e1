import { decisionSettingsReader } from '../../n8n/decision';
import { decisionFields } from '../../n8n/decisionFields';
import { reportOptions, requestOptions, options } from '../../n8n/options';
import { createReportItems } from '../../n8n/reportItem';
import { type Run, toResult } from '../../n8n/run';
import { waitForJob } from '../../service/bulk';
import { ScreeningError } from '../../service/errors';
import { match, type Outcomes } from '../../service/results';
import type { Operation } from '../operation';
import { addressFields } from './addresses';
import { type Ordered, readBulk } from './chunks';
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
		const leftOut = screened.reduce((sum, one) => sum + one.leftOut, 0);
		return summarized(
			run,
			bulk,
			screened.flatMap(({ outcomes }) => outcomes),
			leftOut,
		);
	},
};

/**
 * Waits for the job of a submission, and gives an outcome for each address that was asked for. Unless the user chose to
 * continue, a failure in it is that of the node.
 */
async function screenChunk(run: Run, submitted: Submitted) {
	const { client, addresses, jobOrError } = submitted;
	const { clock, deadline, options, signal } = run;
	const { pollInterval, timeout } = options;
	const waiting = { clock, deadline, pollInterval, when: `after ${timeout} minutes` };
	const isInNone = jobOrError instanceof ScreeningError;
	const matched = await toResult(async () => {
		const job = isInNone ? jobOrError : await waitForJob(client, jobOrError, waiting, addresses);
		return match(addresses, job);
	}, signal);
	const job_id = isInNone ? undefined : jobOrError.job_id;
	const outcomes =
		matched instanceof ScreeningError ? match(addresses, matched.withDetails({ job_id })) : matched;
	if ([...outcomes.values()].some((outcome) => outcome instanceof ScreeningError)) run.fail();
	return collectResults(run, submitted, outcomes);
}

/** Made at once for each job: a long list would not fit into memory with the reports that are left out. */
function collectResults(run: Run, { entriesOf }: Submitted, found: Outcomes) {
	const itemOf = createReportItems(run);
	const screenedAt = new Date();
	const outcomes: Ordered[] = [];
	let leftOut = 0;
	for (const [address, outcome] of found) {
		for (const { order, inputIndex, ...asked } of entriesOf(address)) {
			const result = itemOf(outcome, { ...asked, screenedAt });
			if (result) outcomes.push({ order, inputIndex, result });
			else leftOut++;
		}
	}
	return { outcomes, leftOut };
}
