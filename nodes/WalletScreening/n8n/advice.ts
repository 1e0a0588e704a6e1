import { type ErrorClass, rejectsContent, type ScreeningError } from '../service/errors';

/** Which operation an error happened in, as `resource.operation`, or `trigger`. */
export type Place = string;

/** What else is known of an error. */
interface Circumstances {
	/** Whether it stops the workflow. */
	stops: boolean;
	/** Whether it names a bulk job. */
	namesJob: boolean;
	httpCode: number | undefined;
}

type Advice = string | ((place: Place, circumstances: Circumstances) => string | undefined);

const submits = ['bulkJob.submit', 'bulkJob.screenAndWait'];
const posts = ['address.screen', ...submits];

const baseUrl = "The address is 'Base URL' in the credential.";
const checkBaseUrl = "Check that 'Base URL' in the credential is the address of the service.";

/** By the code of a network fault. */
const networkAdvice: Record<string, Advice> = {
	ECONNREFUSED: baseUrl,
	ENOTFOUND: baseUrl,
	EAI_AGAIN: baseUrl,
	EPROTO: baseUrl,
	SSRF: baseUrl,
	TIMEOUT: (place) =>
		place === 'trigger'
			? undefined
			: "To wait longer, raise 'Request Timeout (Seconds)' in the options.",
};

/** By class. Each names only what the user sees at the place of the error. */
const classAdvice: Partial<Record<ErrorClass, Advice>> = {
	bad_request: (place, { stops, namesJob, httpCode }) => {
		if (httpCode === 405) return checkBaseUrl;
		if (!submits.includes(place)) return undefined;
		if (namesJob) return jobExists;
		return stops && rejectsContent({ httpCode })
			? "The service may reject a whole job because of one address. With 'On Error' set to Continue in the settings, the node finds that address and submits the others."
			: undefined;
	},
	unauthorized: "Check 'API Key' in the credential.",
	forbidden: (place, { namesJob }) =>
		// A job exists, so the key may write.
		posts.includes(place) && !namesJob
			? 'Screening and bulk jobs need a key with write scope.'
			: undefined,
	rate_limited:
		"If this returns, set 'Plan' in the credential to Custom with a lower rate, or set 'Shared By' if several n8n processes use the key.",
	not_found: (place, { namesJob }) => {
		if (place.startsWith('report.')) return reportNotFound;
		if (place === 'bulkJob.get') return jobNotFound;
		return place === 'trigger' && namesJob ? deliveredNotFound : checkBaseUrl;
	},
	server: (place, { namesJob }) => {
		// The node does not repeat a submit that may be billed.
		if (submits.includes(place)) return namesJob ? jobExists : undefined;
		return place === 'trigger'
			? undefined
			: "By itself, the node repeats a failed request up to 'Max Retries' times, after pauses of at most 5 minutes.";
	},
	job_failed: (place, { namesJob }) => {
		if (place === 'bulkJob.get') return "Set 'Output' to Job to see the service's answer.";
		return namesJob ? "'Bulk Job: Get' with this job ID shows the service's answer." : undefined;
	},
	job_timeout: (place, { namesJob }) => {
		if (place === 'bulkJob.get') return 'Run this node again later.';
		const later = namesJob && "Get the results later with 'Bulk Job: Get' and this job ID.";
		const longer =
			place === 'bulkJob.screenAndWait' &&
			"To wait longer, raise 'Timeout (Minutes)' in the options.";
		return [later, longer].filter(Boolean).join(' ');
	},
	missing_result: (place, { namesJob }) => {
		if (place === 'bulkJob.get') return "Set 'Output' to Job to see the service's answer.";
		return namesJob ? "'Bulk Job: Get' with the output Job shows the service's answer." : undefined;
	},
	invalid_response:
		"If all requests fail like this, check that 'Base URL' in the credential is the address of the service.",
};

const jobExists = "'Bulk Job: Get' with this job ID shows what became of the job.";
const reportNotFound = "Check 'Report ID'. A key of another account does not find the report.";
const jobNotFound = "Check 'Job ID'. A key of another account does not find the job.";
const deliveredNotFound =
	"A key of another account does not find the results. Check 'API Key' and 'Base URL' in the credential.";

/** What the user can do about the error in n8n; undefined if its own description says everything. */
function adviceOn(
	{ errorClass, networkCode, known }: ScreeningError,
	place: Place,
	circumstances: Circumstances,
): string | undefined {
	// A field of the credential is not in the panel that the user looks at.
	if (known.parameter === 'Base URL') return 'Open the credential of this node to correct it.';
	if (known.report !== undefined) return undefined;
	const advice = networkCode === undefined ? classAdvice[errorClass] : networkAdvice[networkCode];
	return typeof advice === 'function' ? advice(place, circumstances) : advice;
}

/** The description of an error with what the user can do about it in n8n, and what the service itself said. */
export function advised(error: ScreeningError, place: Place, { stops = false } = {}): string {
	const { description, said, httpCode, known } = error;
	const circumstances = { stops, namesJob: known.job_id !== undefined, httpCode };
	const advice = adviceOn(error, place, circumstances);
	return [description, advice, said && `The service says: ${said}`].filter(Boolean).join(' ');
}

/** A 404 says more when it is known what was asked for. */
export function messageOf({ message, errorClass, known }: ScreeningError, place: Place): string {
	if (errorClass !== 'not_found' || known.report !== undefined) return message;
	const isOfTrigger = place === 'trigger';
	if (place.startsWith('report.') || (isOfTrigger && known.report_id !== undefined)) {
		return 'No report with this ID was found';
	}
	return place === 'bulkJob.get' || (isOfTrigger && known.job_id !== undefined)
		? 'No bulk job with this ID was found'
		: message;
}

/** What a failure means for the wallet. A model reads it first, because it could take the rest for an all-clear. */
export function meaningOf(place: Place): string {
	return place === 'address.screen' || place === 'bulkJob.screenAndWait'
		? 'Not screened'
		: 'No result';
}
