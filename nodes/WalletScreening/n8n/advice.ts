import type { Additions } from '../service/dialect/names';
import { type ScreeningError } from '../service/errors';
import { rejectsContent } from '../service/faults';

/** Which operation an error happened in, as `resource.operation`, or `trigger`. */
export type Place = string;

const submits = ['bulkJob.submit', 'bulkJob.screenAndWait'];
/** Codes of network faults that may come from a wrong address of the service. */
const wrongAddress = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EPROTO', 'SSRF'];

const mayBeBilled = 'The service may bill each screening that it carried out.';
const checkBaseUrl = "Check that 'Base URL' in the credential is the address of the service.";
const jobExists = "'Bulk Job: Get' with this job ID shows what became of the job.";

/**
 * What the user can do about the error in n8n: it names only what the user sees at the place of the error. False if the error's
 * own description says everything. `stops`: it stops the workflow.
 */
function adviceOn(error: ScreeningError, place: Place, stops: boolean): string | false {
	const { errorClass, networkCode = '', httpCode, known } = error;
	const isSubmit = submits.includes(place);
	const isScreen = place === 'address.screen';
	const isTrigger = place === 'trigger';
	const isGet = place === 'bulkJob.get';
	const namesJob = known.job_id !== undefined;
	// A field of the credential is not in the panel that the user looks at.
	if (['Base URL', 'Service Names'].includes(known.parameter ?? '')) {
		return 'Open the credential of this node to correct it.';
	}
	if (known.reportItem !== undefined || networkCode === 'STOPPED') return false;
	switch (errorClass) {
		case 'invalid_input':
			return (
				known.checksum === 'invalid' &&
				(isScreen || isSubmit) &&
				"If you are sure that it is right, switch off 'Check Addresses' in the options."
			);
		case 'bad_request':
			if (httpCode === 405) return checkBaseUrl;
			if (isSubmit && namesJob) return jobExists;
			return (
				isSubmit &&
				stops &&
				rejectsContent(error) &&
				"The service may reject a whole job because of one address. With 'On Error' set to Continue in the settings, the node finds that address and submits the others."
			);
		case 'unauthorized':
			return "Check 'API Key' in the credential.";
		case 'forbidden':
			// A job exists, so the key may write.
			if (namesJob) return false;
			return (isScreen || isSubmit) && 'Screening and bulk jobs need a key with write scope.';
		case 'rate_limited':
			return "If this returns, set 'Plan' in the credential to Custom with a lower rate, or set 'Shared By' if several n8n processes use the key.";
		case 'not_found':
			if (place.startsWith('report.')) {
				return "Check 'Report'. A key of another account does not find the report.";
			}
			if (isGet) return "Check 'Job ID'. A key of another account does not find the job.";
			return isTrigger && namesJob
				? "A key of another account does not find the results. Check 'API Key' and 'Base URL' in the credential."
				: checkBaseUrl;
		case 'server': {
			// The node does not repeat a submit that may be billed.
			if (isSubmit) return namesJob && jobExists;
			const repeated =
				"By itself, the node repeats a failed request up to 'Max Retries' times, after pauses of at most 5 minutes.";
			return !isTrigger && (isScreen ? `${repeated} ${mayBeBilled}` : repeated);
		}
		case 'network': {
			const isLost = isScreen && known.sent !== undefined;
			return joined([
				isLost &&
					`By itself, the node repeats a screening with a lost response once, or up to 'Max Retries' times if you set that. ${mayBeBilled}`,
				wrongAddress.includes(networkCode) && "The address is 'Base URL' in the credential.",
				networkCode === 'TIMEOUT' &&
					!isTrigger &&
					"To wait longer, raise 'Request Timeout (Seconds)' in the options.",
			]);
		}
		case 'job_failed':
		case 'missing_result':
			if (isGet) return "Set 'Output' to Job to see the service's answer.";
			return namesJob && "'Bulk Job: Get' with this job ID shows the service's answer.";
		case 'job_timeout':
			if (isGet) return 'Run this node again later.';
			return joined([
				namesJob && "Get the results later with 'Bulk Job: Get' and this job ID.",
				place === 'bulkJob.screenAndWait' &&
					"To wait longer, raise 'Timeout (Minutes)' in the options.",
			]);
		case 'invalid_response':
			if (networkCode === 'TOO_LARGE') {
				return (
					namesJob &&
					"Or submit fewer addresses at once: lower 'Addresses per Job' in the options. The service may bill them again."
				);
			}
			return "If all requests fail like this, check that 'Base URL' in the credential is the address of the service.";
		case 'storage':
			return false;
	}
}

const joined = (sentences: Array<string | false | undefined>) =>
	sentences.filter(Boolean).join(' ');

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
	return joined([...lists(names), ...lists(words, '"words".'), set]);
}

/** The description of an error with what the user can do about it in n8n, and what the service itself said. */
export function advised(error: ScreeningError, place: Place, { stops = false } = {}): string {
	const { description, said, add } = error;
	const advice = adviceOn(error, place, stops);
	return joined([description, add && additionOf(add), advice, said && `The service says: ${said}`]);
}

/** A 404 says more when it is known what was asked for. */
export function messageOf({ message, errorClass, known }: ScreeningError, place: Place): string {
	if (errorClass !== 'not_found' || known.reportItem !== undefined) return message;
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
