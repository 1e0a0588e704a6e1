import { mayBeCarriedOut } from '../pace/retry';
import type { Additions } from '../service/dialect/names';
import { type ErrorClass, type ScreeningError } from '../service/errors';
import { rejectsContent } from '../service/faults';

/** Which operation an error happened in, as `resource.operation`, or `trigger`. */
export type Place = string;

/** What else is known of an error. */
interface Circumstances {
	/** Whether it stops the workflow. */
	stops: boolean;
	/** Whether it names a bulk job. */
	namesJob: boolean;
	/** Whether the checksum of an address is invalid. */
	isTypo: boolean;
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
	invalid_input: (place, { isTypo }) =>
		isTypo && posts.includes(place)
			? "If you are sure that it is right, switch off 'Check Addresses' in the options."
			: undefined,
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
		if (place === 'trigger') return undefined;
		const repeated =
			"By itself, the node repeats a failed request up to 'Max Retries' times, after pauses of at most 5 minutes.";
		return place === 'address.screen' ? `${repeated} ${mayBeBilled}` : repeated;
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

const mayBeBilled = 'The service may bill each screening that it carried out.';
const lostOnce =
	"By itself, the node repeats a screening with a lost response once, or up to 'Max Retries' times if you set that.";
const jobExists = "'Bulk Job: Get' with this job ID shows what became of the job.";
const reportNotFound = "Check 'Report'. A key of another account does not find the report.";
const jobNotFound = "Check 'Job ID'. A key of another account does not find the job.";
const deliveredNotFound =
	"A key of another account does not find the results. Check 'API Key' and 'Base URL' in the credential.";

/** What the user can do about the error in n8n; undefined if its own description says everything. */
function adviceOn(
	error: ScreeningError,
	place: Place,
	circumstances: Circumstances,
): string | undefined {
	const { errorClass, networkCode, known } = error;
	// A field of the credential is not in the panel that the user looks at.
	if (['Base URL', 'Service Names'].includes(known.parameter ?? ''))
		return 'Open the credential of this node to correct it.';
	if (known.report !== undefined) return undefined;
	const advice = networkCode === undefined ? classAdvice[errorClass] : networkAdvice[networkCode];
	const text = typeof advice === 'function' ? advice(place, circumstances) : advice;
	const isLost = errorClass === 'network' && place === 'address.screen' && mayBeCarriedOut(error);
	return isLost ? [lostOnce, mayBeBilled, text].filter(Boolean).join(' ') : text;
}

/** What a name or a word has to mean to be added to a list. */
const meanings: Record<string, string> = {
	state: 'says how far the job is',
	results: 'holds the results',
	jobId: 'is the ID of the job',
	wrappers: 'holds the report',
	complete: 'means complete',
	final: 'means final',
};

/** What the user may add to the names of the service. */
function additionOf({ words = {}, categories, ...names }: Additions): string {
	const where = "in 'Service Names' of the credential.";
	const lists = (of: object, path = '') =>
		Object.entries(of as Record<string, string[]>).flatMap(([key, [name]]) => {
			const text = JSON.stringify(name);
			return name === undefined
				? []
				: `If ${text} ${meanings[key]}, add it to ${path}"${key}" ${where}`;
		});
	const set =
		categories &&
		`If reports have no other categories, set "categories" to ${JSON.stringify(categories)} ${where}`;
	return [...lists(names), ...lists(words, '"words".'), set].filter(Boolean).join(' ');
}

/** The description of an error with what the user can do about it in n8n, and what the service itself said. */
export function advised(error: ScreeningError, place: Place, { stops = false } = {}): string {
	const { description, said, httpCode, known, add } = error;
	const namesJob = known.job_id !== undefined;
	const circumstances = { stops, namesJob, isTypo: known.checksum === 'invalid', httpCode };
	const advice = adviceOn(error, place, circumstances);
	return [description, add && additionOf(add), advice, said && `The service says: ${said}`]
		.filter(Boolean)
		.join(' ');
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
