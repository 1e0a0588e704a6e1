import type { ErrorClass, ScreeningError } from '../service/errors';
import type { ServiceNames } from '../service/reader/names';
import { rejectsContent } from '../service/faults';

/** Which operation an error happened in, as `resource.operation`, or `trigger`. */
export type Place = string;

const screening = ['address.screen'];
const wait = ['bulkJob.screenAndWait'];
const gettingJob = ['bulkJob.get'];
const reports = ['report.get', 'report.downloadPdf'];
const trigger = ['trigger'];
const submits = ['bulkJob.submit', ...wait];
const posts = [...screening, ...submits];
const operations = [...posts, ...gettingJob, ...reports];
const everywhere = [...operations, ...trigger];

type When = (error: ScreeningError, stops: boolean) => boolean;
const withJob: When = ({ details }) => details.job_id !== undefined;
const withoutJob: When = ({ details }) => details.job_id === undefined;
const code =
	(...codes: unknown[]): When =>
	({ httpCode, networkCode }) =>
		codes.some((one) => one === httpCode || one === networkCode);

const mayBeBilled = 'The service may bill each screening that it carried out.';
const checkBaseUrl = "Check that 'Base URL' in the credential is the address of the service.";
const jobExists = "'Bulk Job: Get' with this job ID shows what became of the job.";
const jobAnswer = "'Bulk Job: Get' with this job ID shows the service's answer.";
const showJob = "Set 'Output' to Job to see the service's answer.";

const isTooLarge = code('TOO_LARGE');

/** Where something is said of an error of a class, and when: every row that fits is. */
type AdviceRow = [places: string[], says: string, when?: When];

/** What the user can do in n8n. It names only what the user sees at that place. */
const adviceTable: Record<ErrorClass, AdviceRow[]> = {
	invalid_input: [
		[
			posts,
			"If you are sure that it is right, add the option 'Check Addresses' and switch it off.",
			({ details }) => details.checksum !== undefined,
		],
	],
	bad_request: [
		[submits, jobExists, withJob],
		[
			submits,
			"The service may reject a whole job because of one address. With 'On Error' set to Continue in the settings, the node finds that address and submits the others.",
			(error, stops) => stops && rejectsContent(error) && withoutJob(error, stops),
		],
	],
	unauthorized: [[everywhere, "Check 'API Key' in the credential."]],
	// A key that made a job may write.
	forbidden: [[posts, 'Screening and bulk jobs need a key with write scope.', withoutJob]],
	rate_limited: [
		[
			everywhere,
			"If this returns, set 'Plan' in the credential to Custom with a lower rate, or set 'Shared By' if several n8n processes use the key.",
		],
	],
	not_found: [
		[reports, "Check 'Report'. A key of another account does not find the report."],
		[gettingJob, "Check 'Job ID'. A key of another account does not find the job."],
		[
			trigger,
			"A key of another account does not find the results. Check 'API Key' and 'Base URL' in the credential.",
			withJob,
		],
		[trigger, checkBaseUrl, withoutJob],
		[posts, checkBaseUrl],
	],
	server: [
		// The node does not repeat a submit that may be billed.
		[submits, jobExists, withJob],
		[
			[...screening, ...gettingJob, ...reports],
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
			everywhere,
			"The address is 'Base URL' in the credential.",
			code('ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EPROTO', 'SSRF'),
		],
		[
			operations,
			"To wait longer, raise 'Request Timeout (Seconds)' in the options.",
			code('TIMEOUT'),
		],
	],
	job_failed: [
		[gettingJob, showJob],
		[[...submits, ...trigger], jobAnswer, withJob],
	],
	missing_result: [
		[gettingJob, showJob],
		[[...submits, ...trigger], jobAnswer, withJob],
	],
	job_timeout: [
		[gettingJob, 'Run this node again later.'],
		[
			[...submits, ...trigger],
			"Get the results later with 'Bulk Job: Get' and this job ID.",
			withJob,
		],
		[wait, "To wait longer, raise 'Timeout (Minutes)' in the options."],
	],
	invalid_response: [
		[
			everywhere,
			"Or submit fewer addresses at once: lower 'Addresses per Job' in the options. The service may bill them again.",
			(error, stops) => isTooLarge(error, stops) && withJob(error, stops),
		],
		[
			everywhere,
			"If all requests fail like this, check that 'Base URL' in the credential is the address of the service.",
			(error, stops) => !isTooLarge(error, stops),
		],
	],
	storage: [],
};

/** `stops`: the error stops the workflow. Empty if the error's own description says everything. */
function adviceOn(error: ScreeningError, place: Place, stops: boolean): string {
	const { errorClass, networkCode, details } = error;
	// A field of the credential is not in the panel that the user looks at.
	if (['Base URL', 'Service Names'].includes(details.parameter ?? '')) {
		return 'Open the credential of this node to correct it.';
	}
	if (details.reportItem !== undefined || networkCode === 'STOPPED') return '';
	const rows = adviceTable[errorClass].filter(
		([places, , when]) => places.includes(place) && (when?.(error, stops) ?? true),
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
	failures: 'holds addresses without a report',
	complete: 'means that all is done',
	failed: 'means that it failed',
	running: 'means that it is still being done',
	categories: 'are all categories of a report',
};

/** What the user may add to the names of the service. */
function additionOf(add: ServiceNames): string {
	const [[key, names] = [], ...others] = Object.entries(add) as Array<
		[keyof ServiceNames, string[]]
	>;
	if (key === undefined || names === undefined || others.length > 0) return '';
	const named = names.map((name) => JSON.stringify(name)).join(', ');
	const other =
		key === 'complete'
			? ` If it ${nameMeanings.failed}, add ${JSON.stringify({ failed: names })}.`
			: '';
	return `If ${named} ${nameMeanings[key]}, add ${JSON.stringify(add)} to 'Service Names' of the credential.${other}`;
}

/** The description of an error with what the user can do about it in n8n, and what the service itself said. */
export function advised(error: ScreeningError, place: Place, { stops = false } = {}): string {
	const { description, serviceMessage, add } = error;
	const advice = adviceOn(error, place, stops);
	return joined([
		description,
		add && additionOf(add),
		advice,
		serviceMessage && `The service says: ${serviceMessage}`,
	]);
}

/** A 404 says more when it is known what was asked for. */
export function messageOf({ message, errorClass, details }: ScreeningError, place: Place): string {
	if (errorClass !== 'not_found' || details.reportItem !== undefined) return message;
	const isOfTrigger = place === 'trigger';
	if (place.startsWith('report.') || (isOfTrigger && details.report_id !== undefined)) {
		return 'No report with this ID was found';
	}
	return place === 'bulkJob.get' || (isOfTrigger && details.job_id !== undefined)
		? 'No bulk job with this ID was found'
		: message;
}

/** What a failure means for the wallet. A model reads it first, because it could take the rest for an all-clear. */
export function failureMeaning(place: Place): string {
	return place === 'address.screen' || place === 'bulkJob.screenAndWait'
		? 'Not screened'
		: 'No result';
}
