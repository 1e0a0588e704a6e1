import { decisionSettingsReader } from '../../description/decision';
import { decisionFields } from '../../description/decisionFields';
import { reportOptions, requestOptions, options } from '../../description/options';
import { createReportItems, withoutAllClear } from '../../execution/reportItem';
import { type Operation, type Run, toResult } from '../../execution/run';
import { toolOutput } from '../../description/toolOutput';
import { waitForJob } from '../../client/bulk';
import { ScreeningError } from '../../shared/errors';
import { match, type Outcomes } from '../../answers/results';
import { counted } from '../../shared/text';
import { addressFields } from './addresses';
import { screenInBulk, type Submitted } from './submission';

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
		...toolOutput(),
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
	isBilled: true,
	isTimed: true,
	async run(run) {
		const readDeciding = decisionSettingsReader(run.context);
		return await screenInBulk(run, readDeciding, async (submitted) => {
			const found = await foundFor(run, submitted);
			const screenedAt = new Date();
			const itemOf = createReportItems(run);
			const outcomes = [...found].flatMap(([address, one]) =>
				submitted.entriesOf(address).map(({ order, inputIndex, ...asked }) => ({
					order,
					inputIndex,
					result: itemOf(one, { ...asked, screenedAt }),
				})),
			);
			// At once: a long list would not fit into memory with the reports that are left out.
			return withoutAllClear(run, outcomes);
		});
	},
};

/** Waits for the job of a submission. */
async function foundFor(run: Run, { client, addresses, jobOrError }: Submitted): Promise<Outcomes> {
	const { clock, deadline, options, signal } = run;
	const { pollInterval, timeout } = options;
	const waiting = { clock, deadline, pollInterval, when: `after ${counted(timeout, 'minute')}` };
	const isInNone = jobOrError instanceof ScreeningError;
	const found = await toResult(async () => {
		const job = isInNone ? jobOrError : await waitForJob(client, jobOrError, waiting, addresses);
		return match(addresses, job);
	}, signal);
	return found instanceof ScreeningError ? match(addresses, found) : found;
}
