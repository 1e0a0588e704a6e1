import type { IExecuteFunctions } from 'n8n-workflow';
import type { ErrorClass, ScreeningError } from '../shared/errors';
import type { ServiceNames } from '../answers/contract';

const screening = ['address.screen'] as const;
const submit = ['bulkJob.submit'] as const;
const wait = ['bulkJob.screenAndWait'] as const;
const job = ['bulkJob.get'] as const;
const reports = ['report.get', 'report.downloadPdf'] as const;
const trigger = ['trigger'] as const;
const submits = [...submit, ...wait] as const;
const posts = [...screening, ...submits] as const;
const operations = [...posts, ...job, ...reports] as const;

/** Where the service is asked: the operations that ask it, as `resource.operation`, and the trigger. */
export const places = [...operations, ...trigger] as const;
export type Place = (typeof places)[number];

/** The operation that the node runs, as `resource.operation`. */
export function currentOperation(context: IExecuteFunctions): string {
	const read = (name: string) => String(context.getNodeParameter(name, 0, ''));
	return `${read('resource')}.${read('operation')}`;
}

type When = (error: ScreeningError) => boolean;
const withJob: When = ({ details }) => details.job_id !== undefined;
const withoutJob: When = (error) => !withJob(error);
const code =
	(...codes: string[]): When =>
	({ networkCode }) =>
		codes.some((one) => one === networkCode);

const mayBeBilled = 'The service may bill each screening that it carried out.';
const checkBaseUrl = "Check that 'Base URL' in the credential is the address of the service.";

const isTooLarge = code('TOO_LARGE');

/** Where something is said of an error of a class, and when: every row that fits is. */
type AdviceRow = [where: readonly Place[], says: string, when?: When];

const showsJob: AdviceRow[] = [
	[job, "Set 'Output' to Job to see the service's answer."],
	[
		[...submits, ...trigger],
		"'Bulk Job: Get' with this job ID shows the service's answer.",
		withJob,
	],
];

/** What the user can do in n8n. It names only what the user sees at that place. */
const adviceTable: Record<ErrorClass, AdviceRow[]> = {
	invalid_input: [
		[
			posts,
			"If you are sure that it is right, add the option 'Check Addresses' and switch it off.",
			({ details }) => details.checksum !== undefined,
		],
	],
	bad_request: [],
	unauthorized: [[places, "Check 'API Key' in the credential."]],
	// A key that made a job may write.
	forbidden: [[posts, 'Screening and bulk jobs need a key with write scope.', withoutJob]],
	rate_limited: [
		[
			places,
			"If this returns, set 'Plan' in the credential to Custom with a lower rate, or set 'Shared By' if several n8n processes use the key.",
		],
	],
	not_found: [
		[reports, "Check 'Report'. A key of another account does not find the report."],
		[job, "Check 'Job ID'. A key of another account does not find the job."],
		[
			trigger,
			"A key of another account does not find the results. Check 'API Key' and 'Base URL' in the credential.",
		],
		[posts, checkBaseUrl, withoutJob],
		[
			wait,
			"The service may have given the ID of the job in another field. Name that field under 'jobId' in 'Service Names' in the credential.",
			withJob,
		],
	],
	server: [
		// The node does not repeat a submit that may be billed.
		[
			[...screening, ...job, ...reports],
			"By itself, the node repeats a failed request up to 'Max Retries' times, after pauses of at most 5 minutes.",
		],
		[screening, mayBeBilled],
	],
	network: [
		[
			screening,
			`By itself, the node repeats a screening with a lost response once, or up to 'Max Retries' times if you set that. ${mayBeBilled}`,
			({ details }) => details.sent !== undefined,
		],
		[
			places,
			"The address is 'Base URL' in the credential.",
			code('ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EPROTO', 'SSRF'),
		],
		[
			operations,
			"To wait longer, raise 'Request Timeout (Seconds)' in the options.",
			code('TIMEOUT'),
		],
	],
	job_failed: showsJob,
	missing_result: showsJob,
	job_timeout: [
		[job, 'Run this node again later.'],
		[[...wait, ...trigger], "Get the results later with 'Bulk Job: Get' and this job ID.", withJob],
		[wait, "To wait longer, raise 'Timeout (Minutes)' in the options."],
	],
	invalid_response: [
		[
			submits,
			"Or submit fewer addresses at once: lower 'Addresses per Job' in the options. The service may bill them again.",
			(error) => isTooLarge(error) && withJob(error),
		],
		[
			places,
			"If all requests fail like this, check that 'Base URL' in the credential is the address of the service.",
			(error) => !isTooLarge(error),
		],
	],
	storage: [],
};

/** Empty if the error's own description says everything. */
function adviceOn(error: ScreeningError, operation: string): string {
	const { errorClass, networkCode, details } = error;
	// A field of the credential is not in the panel that the user looks at.
	if (['Base URL', 'Service Names'].includes(details.parameter ?? '')) {
		return 'Open the credential of this node to correct it.';
	}
	if (details.reportItem !== undefined || networkCode === 'STOPPED') return '';
	const rows = adviceTable[errorClass].filter(
		([where, , when]) => where.some((place) => place === operation) && (when?.(error) ?? true),
	);
	return joined(rows.map(([, says]) => says));
}

const joined = (sentences: Array<string | false | undefined>) =>
	sentences.filter(Boolean).join(' ');

/** What a name or a word has to mean to be added under a key. */
const nameMeanings: Record<keyof ServiceNames, string> = {
	jobId: 'is the ID of the job',
	state: 'says how far the job is',
	reports: 'are all lists of the results of a job',
	complete: 'means that all is done',
	failed: 'means that it failed',
	running: 'means that it is still being done',
	categories: 'are all categories of a report',
};

/** What the user may add to the names of the service. */
function additionOf(add: ServiceNames): string {
	const entries = Object.entries(add) as Array<[keyof ServiceNames, string[]]>;
	const [first] = entries;
	if (!first || entries.length > 1) return '';
	const [key, names] = first;
	const named = names.map((name) => JSON.stringify(name)).join(', ');
	const failed = `If it ${nameMeanings.failed}, add ${JSON.stringify({ failed: names })}.`;
	return joined([
		`If ${named} ${nameMeanings[key]}, add ${JSON.stringify(add)} to 'Service Names' of the credential.`,
		key === 'complete' && failed,
	]);
}

/**
 * The description of an error with what the user can do about it in n8n, and what the service itself said. `place` is the
 * operation that the node runs, or `trigger`.
 */
export function advised(error: ScreeningError, place: string): string {
	const { description, serviceMessage, add } = error;
	return joined([
		description,
		add && additionOf(add),
		adviceOn(error, place),
		serviceMessage && `The service says: ${serviceMessage}`,
	]);
}
