import { decisionFields, rulesReader } from '../../n8n/decision';
import { options } from '../../n8n/fields';
import type { Outcome } from '../../n8n/items';
import { reportOutcome } from '../../n8n/reportItem';
import { eachItem, type Run } from '../../n8n/run';
import type { Rule } from '../../risk/decision';
import { invalidInput, ScreeningError } from '../../service/errors';
import { cleanId } from '../../service/input';
import { jobFailed, jobTimeout, noResults, outcomeOf } from '../../service/results';
import type { Job } from '../../service/shapes';
import type { Operation } from '../operation';
import { jobJson } from './jobItem';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get bulk job',
		description: 'Get the status of a bulk job, and its reports once it is complete',
	},
	fields: [
		{
			displayName: 'Job ID',
			name: 'jobId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. job_8f14e45f',
			description: "The 'job_id' that Submit returned",
		},
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			default: 'job',
			description: 'What to return',
			options: [
				{ name: 'Job', value: 'job', description: 'One item with the status of the job' },
				{
					name: 'Reports',
					value: 'reports',
					description: 'One item per report of the complete job',
				},
			],
		},
		...decisionFields({ output: ['reports'] }),
		{
			...options('concurrency', 'includeInputFields', 'maxRetries', 'requestTimeout'),
			displayOptions: { show: { output: ['job'] } },
		},
		{
			...options(
				'alertText',
				'concurrency',
				'includeInputFields',
				'maxRetries',
				'onlyNotGreen',
				'requestTimeout',
				'simplify',
			),
			displayOptions: { show: { output: ['reports'] } },
		},
	],
	async run(context) {
		const readRules = rulesReader(context);
		return await eachItem(context, {
			read(read) {
				const output = read('output', 'job');
				if (output !== 'job' && output !== 'reports') {
					throw invalidInput('Output', "'Output' has an unknown value", 'Choose Job or Reports.');
				}
				return {
					jobId: cleanId(read('jobId'), 'Job ID'),
					wantsReports: output === 'reports',
					rules: output === 'reports' ? readRules(read) : undefined,
				};
			},
			async handle({ jobId, wantsReports, rules }, run) {
				const job = await run.client.getBulk(jobId);
				return wantsReports ? reportsOf(job, run, rules) : { json: jobJson(job, undefined) };
			},
		});
	},
};

/** What the job has, and what keeps it from having more. What a running job holds is not final. */
function reportsOf(job: Job, { options: wanted }: Run, rules: Rule[] | undefined): Outcome[] {
	if (job.state === 'running') return [jobTimeout(job, 'yet')];
	const outcomes = (job.entries ?? []).map((entry) => outcomeOf(entry, entry.address, job.job_id));
	return [
		...failureOf(job),
		...outcomes.flatMap((outcome) =>
			outcome instanceof ScreeningError ? outcome : (reportOutcome(outcome, wanted, rules) ?? []),
		),
	];
}

function failureOf(job: Job): ScreeningError[] {
	if (job.state === 'failed') return [jobFailed(job)];
	return job.entries?.length ? [] : [noResults(job.job_id)];
}
