import type { Clock } from './clock';
import { turnedAway } from './rateLimiter';
import { backoff, longestLimit, longestRetryAfter, retryAfter } from './retryAfter';
import { type Answer, type Fault, isAnswer, isSuccess } from '../shared/http';

/** What became of a request that failed: certainly not carried out; unsure, by a status; unsure, because no answer came. */
type FailureKind = 'notCarriedOut' | 'serverError' | 'lost';

/** How often a request may be sent again after failures of a kind; `notCarriedOut` is the limit for all of them together. */
export type Retries = Record<FailureKind, number>;

export interface RetryOptions<F extends Fault> {
	clock: Clock;
	/** Uniform in [0, 1). */
	random: () => number;
	retries: Retries;
	/** Whether another attempt would end the same way, or must not be made. Asked once for each result but a 2xx. */
	isFinal: (failure: Answer | F) => boolean;
}

/** Faults in which the service read no byte of the request: n8n did not send it, the host is not there, or TLS failed. */
const neverArrived =
	/^(SSRF|CREDENTIAL|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** A redirect to what a POST has made (RFC 9110, 15.4.2 to 15.4.4), the service's own time-out, a conflict with what exists. */
const perhapsCarriedOut = [301, 302, 303, 408, 409];

function failureKind(failure: Answer | Fault): FailureKind {
	if (!isAnswer(failure)) {
		const { networkCode } = failure;
		return networkCode === undefined || neverArrived.test(networkCode) ? 'notCarriedOut' : 'lost';
	}
	const { status, headers } = failure;
	// Gateways answer a plain 503 for requests that the service carried out. `Retry-After` is the service's own word.
	if (status === 503 && retryAfter(headers, Date.now()) !== undefined) return 'notCarriedOut';
	return status >= 500 || perhapsCarriedOut.includes(status) ? 'serverError' : 'notCarriedOut';
}

/** Whether another attempt may end differently. */
const isRetryable = (result: Answer | Fault): boolean =>
	isAnswer(result)
		? result !== turnedAway && (result.status === 429 || result.status >= 500)
		: result.networkCode !== undefined;

/**
 * Makes attempts until a result is final (section 7), and gives that: an answer of any status, or a fault. 5xx and network
 * faults are bounded by count; a 429 by time, because it speaks of the key's other users and not of this request. The pause
 * after a 429 is for the whole key, so the limiter keeps it. `sent`: how many attempts the service may have carried out, and may
 * bill.
 */
export async function withRetries<F extends Fault>(
	attempt: (again: boolean) => Promise<Answer | F>,
	{ clock, random, retries, isFinal }: RetryOptions<F>,
): Promise<{ result: Answer | F; sent: number }> {
	const tries: Retries = { notCarriedOut: 0, serverError: 0, lost: 0 };
	let sent = 0;
	let failures = 0;
	let refusals = 0;
	let limitedSince = 0;

	for (let again = false; ; again = true) {
		const result = await attempt(again);
		if (isSuccess(result)) return { result, sent: sent + 1 };
		const kind = failureKind(result);
		if (kind !== 'notCarriedOut') sent++;
		const ending = { result, sent };
		if (isFinal(result) || !isRetryable(result)) return ending;

		const answer = isAnswer(result) ? result : undefined;
		const isLimited = answer?.status === 429;
		const asked = answer && retryAfter(answer.headers, Date.now());
		const pause = asked || backoff(isLimited ? refusals : failures, random);
		if (pause > longestRetryAfter) return ending;
		if (isLimited) {
			if (refusals++ === 0) limitedSince = clock.now();
			if (clock.now() + pause - limitedSince > longestLimit) return ending;
			continue;
		}
		if (failures >= retries.notCarriedOut || tries[kind] >= retries[kind]) return ending;
		tries[kind]++;
		failures++;
		refusals = 0;
		await clock.sleep(pause);
	}
}
