import { isOfLostAnswer } from '../client/failureKind';
import type { ErrorClass, ScreeningError } from '../shared/errors';
import type { FaultCode } from '../shared/faultCode';
import {
	atAnyOperation,
	atAnyPost,
	atAnySubmit,
	atGetJob,
	atReport,
	atScreen,
	atScreenAndWait,
	atTrigger,
	type ErrorSite,
	errorSites,
} from './errorSites';
import { describeProposedNames } from './proposedNames';

/**
 * Describes an error with what the user can do about it in n8n, and the service's own message.
 * `site` is undefined for an operation that sends no request.
 *
 * @example describeWithAdvice(statusError(404, 'No such report'), 'report.get')
 * // The service answered with status 404. Check 'Report'. A key of another account does not find
 * // the report. The service's message: No such report
 */
export function describeWithAdvice(error: ScreeningError, site: ErrorSite | undefined): string {
	const { description, serviceMessage, proposedNames } = error;
	return joinSentences([
		description,
		proposedNames && describeProposedNames(proposedNames),
		findAdvice(error, site),
		serviceMessage && `The service's message: ${serviceMessage}`,
	]);
}

const joinSentences = (sentences: Array<string | false | undefined>) =>
	sentences.filter(Boolean).join(' ');

/** Finds the advice on an error; empty if its own description is enough. */
function findAdvice(error: ScreeningError, site: ErrorSite | undefined): string {
	const { errorClass, faultCode, details } = error;
	// The fields of the credential are not in the panel that the user looks at.
	if (['Base URL', 'Service Names'].includes(details.parameter ?? '')) {
		return 'Open the credential of this node to correct it.';
	}
	// If only the PDF failed, or the run was stopped, the description already has the advice.
	if (details.reportItem !== undefined || faultCode === 'STOPPED') return '';
	const rows = adviceTable[errorClass].filter(
		({ at, when }) => at.some((one) => one === site) && (when?.(error) ?? true),
	);
	return joinSentences(rows.map(({ advice }) => advice));
}

/** A row of the table of advice. Each row that fits an error adds its sentence. */
interface AdviceRow {
	/** Where the error has to happen. */
	at: readonly ErrorSite[];
	advice: string;
	/** What has to hold for the error, too. */
	when?: ErrorCondition;
}

type ErrorCondition = (error: ScreeningError) => boolean;
const hasJob: ErrorCondition = ({ details }) => details.job_id !== undefined;
const hasNoJob: ErrorCondition = (error) => !hasJob(error);
const hasLostAnswer: ErrorCondition = ({ httpCode }) => isOfLostAnswer(httpCode);
const hasCode =
	(...codes: FaultCode[]): ErrorCondition =>
	({ faultCode }) =>
		codes.some((code) => code === faultCode);
const isTooLarge = hasCode('TOO_LARGE');

const repeatsFailed =
	"The node itself repeats a failed request up to 'Max Retries' times, after pauses of at most 5 minutes.";
const repeatsLost =
	"The node itself repeats a screening with a lost response once, or up to 'Max Retries' times if you set that.";
const mayBeCharged = 'The service may charge for each screening that it carried out.';
const checkBaseUrl = "Check that 'Base URL' in the credential is the address of the service.";

const lookAtJob: AdviceRow[] = [
	{ at: atGetJob, advice: "Set 'Output' to Job to see the service's answer." },
	{
		at: [...atAnySubmit, ...atTrigger],
		advice: "'Bulk Job: Get' with this job ID shows the service's answer.",
		when: hasJob,
	},
];

/** What the user can do in n8n, by the class of the error. A row names what the user sees there. */
const adviceTable: Record<ErrorClass, AdviceRow[]> = {
	invalid_input: [
		{
			at: atAnyPost,
			advice:
				"If you are sure that it is correct, add the option 'Check Addresses' and turn it off.",
			when: ({ details }) => details.checksum !== undefined,
		},
	],
	bad_request: [],
	unauthorized: [{ at: errorSites, advice: "Check 'API Key' in the credential." }],
	// A key that has made a job has write scope.
	forbidden: [
		{
			at: atAnyPost,
			advice: 'Screening and bulk jobs need a key with write scope.',
			when: hasNoJob,
		},
	],
	rate_limited: [
		{
			at: errorSites,
			advice:
				"If this returns, set 'Plan' in the credential to Custom with a lower rate, or set 'Shared By' if several n8n processes use the key.",
		},
	],
	not_found: [
		{
			at: atReport,
			advice: "Check 'Report'. A key of another account does not find the report.",
		},
		{ at: atGetJob, advice: "Check 'Job ID'. A key of another account does not find the job." },
		{
			at: atTrigger,
			advice:
				"A key of another account does not find the results. Check 'API Key' and 'Base URL' in the credential.",
		},
		{ at: atAnyPost, advice: checkBaseUrl, when: hasNoJob },
		{
			at: atScreenAndWait,
			advice:
				"The service may have given the ID of the job in another field. Name that field under 'jobId' in 'Service Names' in the credential.",
			when: hasJob,
		},
	],
	server: [
		// The node does not repeat a submit that the service may bill.
		{ at: [...atGetJob, ...atReport], advice: repeatsFailed },
		{ at: atScreen, advice: repeatsFailed, when: (error) => !hasLostAnswer(error) },
		{ at: atScreen, advice: repeatsLost, when: hasLostAnswer },
		{ at: atScreen, advice: mayBeCharged },
	],
	network: [
		{
			at: atScreen,
			advice: `${repeatsLost} ${mayBeCharged}`,
			when: ({ details }) => details.sent !== undefined,
		},
		{
			at: errorSites,
			advice: "The address is 'Base URL' in the credential.",
			when: hasCode('ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EPROTO', 'SSRF'),
		},
		{
			at: atAnyOperation,
			advice: "To wait longer, raise 'Request Timeout (Seconds)' in the options.",
			when: hasCode('TIMEOUT'),
		},
	],
	job_failed: lookAtJob,
	missing_result: lookAtJob,
	job_timeout: [
		{ at: atGetJob, advice: 'Run this node again later.' },
		{
			at: [...atScreenAndWait, ...atTrigger],
			advice: "Get the results later with 'Bulk Job: Get' and this job ID.",
			when: hasJob,
		},
		{ at: atScreenAndWait, advice: "To wait longer, raise 'Timeout (Minutes)' in the options." },
	],
	invalid_response: [
		{
			at: atAnySubmit,
			advice:
				"Or submit fewer addresses at once: lower 'Addresses per Job' in the options. The service may charge for them again.",
			when: (error) => isTooLarge(error) && hasJob(error),
		},
		{
			at: errorSites,
			advice:
				"If all requests fail like this, check that 'Base URL' in the credential is the address of the service.",
			when: (error) => !isTooLarge(error),
		},
	],
	storage: [],
};
