import { decisionSettingsReader } from '../../description/decision';
import { decisionFields } from '../../description/decisionFields';
import { eachItem } from '../../execution/eachItem';
import { choice, exampleAddress, field, select, shownIf } from '../../description/fields';
import { reportOptions, requestOptions, options } from '../../description/options';
import { createReportItems, withoutAllClear } from '../../execution/reportItem';
import { reportOutputs, toolOutput } from '../../description/toolOutput';
import { ScreeningError } from '../../shared/errors';
import type { Report } from '../../answers/report';
import { jobTimeout, match, outcomesOf } from '../../answers/results';
import type { Job } from '../../answers/reader';
import type { Operation } from '../../execution/run';
import { type Asked, listed } from './addresses';
import { jobJson } from './jobItem';
import { choiceIn } from '../../shared/userInput';
import { cleanId } from '../../client/ids';
import { isGiven } from '../../shared/json';

const outputJob = choice('Job', 'job', 'One item with the status of the job');
const outputsWithReports = ['reports', ...reportOutputs];

export const getJobOperation: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get bulk job',
	description: 'Get the status of a bulk job, or its reports once it is complete',
	builderHint: {
		propertyHint:
			'Set output to reports, and addresses to those that Submit gave: each address then has a report or an error. A job that is not complete is an error, for a later try.',
	},
	fields: [
		field('Job ID', 'jobId', {
			required: true,
			placeholder: 'e.g. job_8f14e45f',
			description: "The 'job_id' that Submit returned",
		}),
		select(
			'Output',
			'output',
			'job',
			[outputJob, choice('Reports', 'reports', 'One item per report of the complete job')],
			{ displayOptions: { hide: { '@tool': [true] } } },
		),
		...toolOutput('job', [outputJob]),
		...shownIf({ output: ['job'] }, [options(...requestOptions, 'includeInputFields')]),
		...shownIf({ output: outputsWithReports }, [
			field('Addresses', 'addresses', {
				typeOptions: { rows: 5 },
				placeholder: exampleAddress,
				description:
					"Return one item for each of these addresses: its report, or the reason why the service has none. Take the 'addresses' that Submit returned by an expression, or enter one per line. Leave empty to get all results of the job.",
			}),
			...decisionFields,
			options(...requestOptions, ...reportOptions, 'onlyNotGreen'),
		]),
	],
	async run(run) {
		const readDeciding = decisionSettingsReader(run.context);
		const outcomes = await eachItem(
			run,
			(read, itemIndex) => {
				const output = choiceIn(read('output', 'job'), 'Output', ['job', ...outputsWithReports]);
				const jobId = cleanId(read('jobId'), 'Job ID');
				if (output === 'job') return { jobId };
				const addresses = read('addresses', '');
				// They were checked before they were sent.
				const asked = isGiven(addresses) ? listed(addresses, false) : undefined;
				return { jobId, deciding: readDeciding(read, itemIndex), asked };
			},
			async ({ jobId, deciding, asked }, itemRun) => {
				const { client } = itemRun;
				const job = await client.getBulk(jobId, asked && addressesOf(asked));
				if (!deciding) return { json: jobJson(job, addressCountOf(job)) };
				if (job.state === 'running') return jobTimeout(job, 'yet');
				const itemOf = createReportItems(itemRun);
				const inquiry = { client, deciding, retrievedAt: new Date() };
				const found = asked ? outcomesFor(asked, job) : outcomesOf(job).map((one): Found => [one]);
				return found.map(([outcome, one]) => itemOf(outcome, { ...one, ...inquiry }));
			},
		);
		return withoutAllClear(run, outcomes);
	},
};

const addressesOf = (asked: Array<Asked | ScreeningError>) =>
	asked.flatMap((one) => (one instanceof ScreeningError ? [] : one.address));

/** How many addresses the job has, if all of them are there. */
function addressCountOf(job: Job): number | undefined {
	return job.remainder || job.results.length === 0 ? undefined : outcomesOf(job).length;
}

/** What a job that is over has, and for which address somebody asked. */
type Found = [outcome: Report | ScreeningError, asked?: Asked];

/** One outcome for each address that was asked for, in any spelling. */
function outcomesFor(asked: Array<Asked | ScreeningError>, job: Job): Found[] {
	const outcomes = match(addressesOf(asked), job);
	return asked.map((one) =>
		one instanceof ScreeningError ? [one] : [outcomes.get(one.address)!, one],
	);
}
