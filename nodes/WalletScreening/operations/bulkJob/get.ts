import type { Outcome } from '../../n8n/outcomes';
import { perItem } from '../../n8n/perItem';
import type { Screening } from '../../n8n/screening';
import { jobFailed, jobTimeout, noResults, outcomeOf } from '../../service/results';
import type { Job } from '../../service/shapes';
import { ScreeningError } from '../../service/errors';
import { cleanId } from '../../service/input';
import { decisionFields } from '../decisionFields';
import { options } from '../fields';
import type { Operation } from '../operation';
import { jobJson, reportJson } from '../output';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get bulk job',
		description: 'Retrieve the status of a bulk job, and its results once it is complete',
	},
	fields: [
		{
			displayName: 'Job ID',
			name: 'jobId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. {{ $json.job_id }}',
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
		options('alertText', 'concurrency', 'maxRetries', 'requestTimeout', 'simplify'),
	],
	async run(context) {
		return await perItem(context, async (itemIndex, screening) => {
			const jobId = cleanId(context.getNodeParameter('jobId', itemIndex), 'Job ID');
			const job = await screening.client.getBulk(jobId);
			return context.getNodeParameter('output', itemIndex) === 'reports'
				? reportsOf(job, screening, itemIndex)
				: { json: jobJson(job, job.entries?.length) };
		});
	},
};

/** What the job has, and what keeps it from having more. */
function reportsOf(job: Job, { options: wanted, rules }: Screening, itemIndex: number): Outcome[] {
	const { entries = [], job_id } = job;
	const reports = entries.map((entry) => {
		const outcome = outcomeOf(entry, entry.address, job_id);
		return outcome instanceof ScreeningError
			? outcome
			: { json: reportJson(outcome, wanted, rules.get(itemIndex)) };
	});
	return [...failureOf(job), ...reports];
}

function failureOf(job: Job): ScreeningError[] {
	if (job.state === 'failed') return [jobFailed(job)];
	if (job.state === 'running') return [jobTimeout(job, 'yet')];
	return job.entries?.length ? [] : [noResults(job.job_id)];
}
