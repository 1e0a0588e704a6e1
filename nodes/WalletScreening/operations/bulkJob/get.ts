import { type Deciding, decidingReader, decisionFields } from '../../n8n/decision';
import { options } from '../../n8n/fields';
import type { Outcome } from '../../n8n/items';
import { originOf, reportOutcome } from '../../n8n/reportItem';
import { eachItem, type Run } from '../../n8n/run';
import { invalidInput, ScreeningError } from '../../service/errors';
import { cleanId } from '../../service/input';
import { jobFailed, jobTimeout, noResults, outcomesOf } from '../../service/results';
import type { Job } from '../../service/shapes';
import type { Operation } from '../operation';
import { jobJson } from './jobItem';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get bulk job',
		description: 'Get the status of a bulk job, or its reports once it is complete',
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
		const readDeciding = decidingReader(context);
		return await eachItem(context, {
			read(read) {
				const output = read('output', 'job');
				if (output !== 'job' && output !== 'reports') {
					throw invalidInput('Output', "'Output' has an unknown value", 'Choose Job or Reports.');
				}
				return {
					jobId: cleanId(read('jobId'), 'Job ID'),
					deciding: output === 'reports' ? readDeciding(read) : undefined,
				};
			},
			async handle({ jobId, deciding }, run) {
				const job = await run.client.getBulk(jobId);
				return deciding ? reportsOf(job, run, deciding) : { json: jobJson(job, job.addressCount) };
			},
		});
	},
};

/** The reports of the job, and the errors of its other results. */
function reportsOf(job: Job, { options, context }: Run, deciding: Deciding): Outcome[] {
	const origin = originOf(context);
	const retrievedAt = new Date();
	return [
		...failureOf(job),
		...outcomesOf(job.entries ?? [], job.job_id).flatMap(({ outcome: report }) =>
			report instanceof ScreeningError
				? report
				: (reportOutcome({ report, retrievedAt }, deciding, options, origin) ?? []),
		),
	];
}

function failureOf(job: Job): ScreeningError[] {
	if (job.state === 'failed') return [jobFailed(job)];
	if (job.state === 'running') return [jobTimeout(job, 'yet')];
	return job.entries?.length ? [] : [noResults(job.job_id)];
}
