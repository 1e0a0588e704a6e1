import type { ErrorClass, ScreeningError } from '../service/errors';

/** Which operation an error happened in, as `resource.operation`, or `trigger`. */
export type Place = string;

type Advice = string | ((place: Place) => string | undefined);

const baseUrl = "The address is 'Base URL' in the credential.";

/** By the code of a network fault. */
const networkAdvice: Record<string, Advice> = {
	ECONNREFUSED: baseUrl,
	ENOTFOUND: baseUrl,
	EAI_AGAIN: baseUrl,
	SSRF: baseUrl,
	TIMEOUT: (place) =>
		place === 'trigger' ? undefined : "You can raise 'Request Timeout (Seconds)' in the options.",
};

/** By class. Each names only what the user sees at the place of the error. */
const classAdvice: Partial<Record<ErrorClass, Advice>> = {
	unauthorized: "Check 'API Key' in the credential.",
	rate_limited:
		"If this returns, set 'Plan' in the credential to Custom with a lower rate, or set 'Shared By' if several n8n processes use the key.",
	not_found: (place) => {
		if (place.startsWith('report.')) return reportNotFound;
		return place === 'bulkJob.get' ? jobNotFound : baseUrl;
	},
	job_failed: (place) =>
		place === 'bulkJob.get'
			? "Set 'Output' to Job to see the service's answer."
			: "'Bulk Job: Get' with this job ID shows the service's answer.",
	job_timeout: (place) => {
		if (place === 'bulkJob.get') return 'Run this node again later.';
		const later = "Get the results later with 'Bulk Job: Get' and this job ID.";
		return place === 'bulkJob.screenAndWait'
			? `${later} To wait longer, raise 'Timeout (Minutes)' in the options.`
			: later;
	},
	missing_result: (place) =>
		place === 'bulkJob.get'
			? "Set 'Output' to Job to see the service's answer."
			: "'Bulk Job: Get' with the output Job shows the service's answer.",
	invalid_response: "Check that 'Base URL' in the credential is the address of the service.",
};

const reportNotFound = "Check 'Report ID'. A key of another account does not find the report.";
const jobNotFound = "Check 'Job ID'. A key of another account does not find the job.";

/** The description of an error with what the user can do about it in n8n. */
export function advised({ description, errorClass, networkCode }: ScreeningError, place: Place) {
	const advice = networkCode === undefined ? classAdvice[errorClass] : networkAdvice[networkCode];
	const text = typeof advice === 'function' ? advice(place) : advice;
	return text === undefined ? description : `${description} ${text}`;
}

/** A 404 says more when it is known what was asked for. */
export function messageOf({ message, errorClass }: ScreeningError, place: Place): string {
	if (errorClass !== 'not_found') return message;
	if (place.startsWith('report.')) return 'No report with this ID was found';
	return place === 'bulkJob.get' ? 'No bulk job with this ID was found' : message;
}

/** What a failure means for the wallet. A model reads it first, because it could take the rest for an all-clear. */
export function meaningOf(place: Place): string {
	return place === 'address.screen' || place === 'bulkJob.screenAndWait'
		? 'Not screened'
		: 'No result';
}
