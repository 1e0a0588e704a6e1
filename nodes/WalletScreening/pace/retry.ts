import { type Answer, type Fault, isAnswer, isSuccess } from './answer';
import type { Clock } from './clock';
import { turnedAway } from './rateLimiter';
import { backoff, longestLimit, longestRetryAfter, retryAfter } from './retryAfter';

/** What a failure says of its request: not carried out; failed in the service, or in a gateway before it; or nothing. */
type FailureKind = 'notProcessed' | 'serverError' | 'unknownOutcome';

/** How often a request may be sent again after failures of a kind; `notProcessed` is the limit for all of them, too. */
export type Retries = Record<FailureKind, number>;

export interface RetryOptions<F extends Fault> {
	clock: Clock;
	/** Uniform in [0, 1). */
	random: () => number;
	retries: Retries;
	/** Whether another attempt would end the same way, or must not be made. Asked once for each result but a 2xx. */
	isFinal: (failure: Answer | F) => boolean;
}

/**
 * Faults in which the service read no byte of the request: n8n did not send it, the host is not there, or TLS failed. After
 * any other fault the service may have carried the request out.
 */
const neverArrived =
	/^(SSRF|CREDENTIAL|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

interface Failure {
	httpCode?: number | undefined;
	networkCode?: string | undefined;
}

function failureKind({ httpCode, networkCode }: Failure): FailureKind {
	if (networkCode !== undefined)
		return neverArrived.test(networkCode) ? 'notProcessed' : 'unknownOutcome';
	// Without a status either, the request was never sent. 503 says that the service did not carry it out.
	if (httpCode === undefined || httpCode === 503) return 'notProcessed';
	return httpCode >= 300 && httpCode < 500 ? 'notProcessed' : 'serverError';
}

/** Whether the service may have carried out the request that ended so. */
export function mayBeCarriedOut(failure: Failure): boolean {
	return failureKind(failure) !== 'notProcessed';
}

/** Whether another attempt may end differently. */
function shouldRetry(result: Answer | Fault): boolean {
	if (!isAnswer(result)) return result.networkCode !== undefined;
	return result !== turnedAway && (result.status === 429 || result.status >= 500);
}

/**
 * Makes attempts until a result is final (section 7), and gives that: an answer of any status, or a fault. 5xx and network
 * faults are bounded by count; a 429 by time, because it speaks of the key's other users and not of this request. The pause
 * after a 429 is for the whole key, so the limiter keeps it.
 */
export async function withRetries<F extends Fault>(
	attempt: (again: boolean) => Promise<Answer | F>,
	{ clock, random, retries, isFinal }: RetryOptions<F>,
): Promise<Answer | F> {
	const tries = { notProcessed: 0, serverError: 0, unknownOutcome: 0 };
	let failures = 0;
	let refusals = 0;
	let limitedSince = 0;

	for (let again = false; ; again = true) {
		const result = await attempt(again);
		if (isSuccess(result) || isFinal(result) || !shouldRetry(result)) return result;

		const answer = isAnswer(result) ? result : undefined;
		const isLimited = answer?.status === 429;
		const asked = answer && retryAfter(answer.headers, Date.now());
		const pause = asked || backoff(isLimited ? refusals : failures, random);
		if (pause > longestRetryAfter) return result;
		if (isLimited) {
			if (refusals++ === 0) limitedSince = clock.now();
			if (clock.now() + pause - limitedSince > longestLimit) return result;
			continue;
		}
		const kind = failureKind(isAnswer(result) ? { httpCode: result.status } : result);
		if (failures >= retries.notProcessed || tries[kind] >= retries[kind]) return result;
		tries[kind]++;
		failures++;
		refusals = 0;
		await clock.sleep(pause);
	}
}
