import { type AddressRequest, cleanId } from '../../address/input';
import type { Job } from '../../answers/jobAnswer';
import { listResults, matchResults } from '../../answers/match';
import { requireOver } from '../../client/waitForJob';
import type { Client } from '../../client/client';
import {
	agentOutputs,
	createAgentOutputFields,
	readReportForm,
} from '../../description/reportForm';
import { addressPlaceholder, choice, field, select, shownIf } from '../../description/fields';
import {
	createOptionsField,
	readOptions,
	reportOptions,
	requestOptions,
} from '../../description/options';
import type { ParameterReader } from '../../description/parameters';
import {
	decisionFields,
	createSettingsReader,
	type ItemSettings,
} from '../../description/reportSettings';
import { createJobJson } from '../../execution/jobItem';
import { ResultItems, type ResultOptions } from '../../execution/resultItems';
import type { OutputItem, Run } from '../../execution/run';
import type { Operation } from '../../execution/operation';
import type { ScreeningError, Settled } from '../../shared/errors';
import { hasValue } from '../../shared/json';
import { requireChoice } from '../../shared/userInput';
import { readList } from './addresses';

const outputJob = choice('Job', 'job', 'One item with the status of the job');
/** The values of Output with which reports leave: in a workflow, or in a tool. */
const outputsWithReports = ['reports', ...agentOutputs];

/**
 * Reads whether the status of the job leaves, or its reports. The parameter exists twice, and n8n
 * shows one: in a workflow it offers `job` and `reports`; in a tool `job`, and instead of `reports`
 * how much of each report the agent gets.
 * @throws {ScreeningError} `invalid_input`
 */
function readOutput(read: ParameterReader): 'job' | 'reports' {
	const output = requireChoice(read('output', 'job'), 'Output', ['job', ...outputsWithReports]);
	return output === 'job' ? 'job' : 'reports';
}

export const getJobOperation: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get bulk job',
	description: 'Retrieve the status of a bulk job, or its reports once it is complete',
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
		...createAgentOutputFields('job', [outputJob]),
		...shownIf({ output: ['job'] }, [createOptionsField(...requestOptions, 'includeInputFields')]),
		...shownIf({ output: outputsWithReports }, [
			field('Addresses', 'addresses', {
				typeOptions: { rows: 5 },
				placeholder: addressPlaceholder,
				description:
					"Return one item for each of these addresses: its report, or the reason why the service has none. Take the 'addresses' that Submit returned by an expression, or enter one per line. Leave empty to get all results of the job.",
			}),
			...decisionFields,
			createOptionsField(...requestOptions, ...reportOptions, 'onlyNotGreen'),
		]),
	],
	async execute(run) {
		const { onlyNotGreen } = readOptions(run.readFirst, ['onlyNotGreen']);
		const resultOptions = { form: readReportForm(run.context, ['job']), onlyNotGreen };
		const readSettings = createSettingsReader(run);
		const requests = await run.readItems((read, itemIndex): JobRequest => {
			const output = readOutput(read);
			const jobId = cleanId(read('jobId'), 'Job ID');
			if (output === 'job') return { output, jobId };
			const addresses = read('addresses', '');
			return {
				output,
				jobId,
				settings: readSettings(read, itemIndex),
				resultOptions,
				// They were checked before they were sent.
				addresses: hasValue(addresses) ? readList(addresses, false) : undefined,
			};
		});
		return await run.flatMapRequests(requests, getJobOrReports);
	},
};

interface StatusRequest {
	output: 'job';
	jobId: string;
}

interface ReportsRequest {
	output: 'reports';
	jobId: string;
	settings: ItemSettings;
	resultOptions: ResultOptions;
	/** The addresses that were submitted, if the user gave them. */
	addresses: Array<Settled<AddressRequest>> | undefined;
}

type JobRequest = StatusRequest | ReportsRequest;

/** Asks for the job (section 4.4), and gives its status or its reports. */
async function getJobOrReports(
	run: Run,
	client: Client,
	request: JobRequest,
): Promise<Array<Settled<OutputItem>>> {
	const { jobId } = request;
	if (request.output === 'reports') {
		const results = await getReports(run, client, request);
		return results.map((one) => (one.error ? { error: nameJob(one.error, jobId) } : one));
	}
	const job = await client.getBulk(jobId);
	return [{ value: { json: createJobJson(job, countAddresses(job)) } }];
}

/** Names the job in an error, by which its item keeps the fields of that job from the input. */
function nameJob(error: ScreeningError, job_id: string): ScreeningError {
	return error.withDetails({ job_id });
}

/**
 * Counts the addresses of a job by its results. It is undefined if the answer may lack a result, as of
 * a job that is in progress.
 */
function countAddresses(job: Job): number | undefined {
	const isWhole = !job.missingResults && !job.unnamedLack && job.results.length > 0;
	return isWhole ? listResults(job).length : undefined;
}

/**
 * Asks for a job that is over: one item or error for each address that was asked for, else for each
 * that the job has.
 */
async function getReports(
	run: Run,
	client: Client,
	{ jobId, settings, resultOptions, addresses }: ReportsRequest,
): Promise<Array<Settled<OutputItem>>> {
	const items = new ResultItems(run, resultOptions);
	if (!addresses) {
		const job = requireOver(await client.getBulk(jobId));
		const received = { client, settings, retrievedAt: new Date() };
		return listResults(job).flatMap((result) => items.createItems(result, received));
	}
	const validAddresses = addresses.flatMap(({ value }) => value?.address ?? []);
	const job = requireOver(await client.getBulk(jobId, validAddresses));
	const received = { client, settings, retrievedAt: new Date() };
	const results = new Map(
		matchResults(validAddresses, job).map((result) => [result.address, result]),
	);
	// `matchResults` gives a result for each valid address.
	return addresses.flatMap(({ value, error }): Array<Settled<OutputItem>> =>
		error ? [{ error }] : items.createItems(results.get(value.address)!, { ...value, ...received }),
	);
}
