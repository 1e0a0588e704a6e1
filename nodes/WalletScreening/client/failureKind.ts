import type { ScreeningError, Settled } from '../shared/errors';
import type { FaultCode } from '../shared/faultCode';
import type { Answer } from '../shared/http';

/*
 * What a failure shows: whether the service may have carried out the request, and whether another
 * attempt may end differently.
 *
 *     failure                                     kind            another attempt
 *     429                                         notCarriedOut   may end differently
 *     504, 520 to 524                             lost            may end differently
 *     any other 5xx                               unsure          may end differently
 *     301, 302, 303, 408, 409                     unsure          would end in the same way
 *     any other status outside 2xx                notCarriedOut   would end in the same way
 *     ECONNREFUSED and the like                   notCarriedOut   may end differently
 *     SSRF                                        notCarriedOut   would end in the same way
 *     STOPPED, TOO_LARGE                          lost            would end in the same way
 *     any other fault code, e.g. ECONNRESET       lost            may end differently
 *     an error without a fault code               notCarriedOut   would end in the same way
 *
 * An error has no fault code if the limiter turned the request away, another host refused it, or the
 * answer cannot be used.
 */

/**
 * What became of a request that failed: it was certainly not carried out; its status leaves that
 * open (`unsure`); or the answer of the service did not come (`lost`).
 */
export type FailureKind = 'notCarriedOut' | 'unsure' | 'lost';

/** Finds what became of a request that failed, from its answer or its error. */
export function failureKind({ value: answer, error }: Settled<Answer>): FailureKind {
	if (error) {
		const { faultCode } = error;
		return faultCode === undefined || neverArrived.test(faultCode) ? 'notCarriedOut' : 'lost';
	}
	const { status } = answer;
	if (isOfLostAnswer(status)) return 'lost';
	// A gateway may answer with any 5xx after the service has read the request. `Retry-After` does not
	// change that: section 7 has it for 429 only, and proxies add it to a 503.
	return status >= 500 || unsureStatuses.includes(status) ? 'unsure' : 'notCarriedOut';
}

/**
 * Fault codes with which the service read no byte of the request: n8n did not send it, the host is
 * not there, no connection was made, or TLS failed. `findFaultCode` leaves ETIMEDOUT, EHOSTUNREACH and
 * ENETUNREACH only to a failed connect.
 */
const neverArrived =
	/^(SSRF|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/**
 * Gateway Timeout (RFC 9110, section 15.6.5), and what Cloudflare answers in place of a service that
 * gave no answer.
 */
const statusesOfLostAnswers = [504, 520, 521, 522, 523, 524];

/** Whether a gateway tells by this status that the answer of the service did not come. */
export function isOfLostAnswer(status: number | undefined): boolean {
	return statusesOfLostAnswers.some((one) => one === status);
}

/**
 * After one of these statuses a POST may have been carried out: a redirect to what it made (RFC
 * 9110, 15.4.2 to 15.4.4), the service's own time-out, a conflict with what exists.
 */
const unsureStatuses = [301, 302, 303, 408, 409];

/** Whether another attempt may end differently. */
export function isRetryable({ value: answer, error }: Settled<Answer>): boolean {
	if (error) return error.faultCode !== undefined && !isPermanent(error);
	return answer.status === 429 || answer.status >= 500;
}

/** This n8n forbids the request, the user stopped the execution, or the answer is too large. */
const permanentCodes: FaultCode[] = ['SSRF', 'STOPPED', 'TOO_LARGE'];

/** Whether each further attempt would end with the same fault. */
export function isPermanent({ faultCode }: ScreeningError): boolean {
	return permanentCodes.some((code) => code === faultCode);
}
