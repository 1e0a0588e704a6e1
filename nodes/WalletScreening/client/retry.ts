import { rethrowUnlessScreeningError, type Settled } from '../shared/errors';
import { type Answer, firstHeaderValue, isSuccess } from '../shared/http';
import type { Clock } from '../shared/time';
import { isPermanent } from './faults';
import { turnedAway } from './rateLimiter';
import { backoff, maxRefusedTime, maxRetryAfter, retryAfter } from './retryAfter';

/** What became of a request that failed: certainly not carried out; unsure, by a status; unsure, because no answer came. */
type FailureKind = 'notCarriedOut' | 'serverError' | 'lost';

/** How often a request may be sent again. */
export interface RetryLimits {
	/** The limit after failures of all kinds together. A 429 is no failure. */
	total: number;
	/** The limit after a status that leaves open whether the service carried the request out. */
	afterServerError: number;
	/** The limit for a request that may have arrived, but got no answer. */
	afterLostAnswer: number;
}

/** A request that is sent again, for the log. */
export interface Repetition {
	/** The attempt that failed, from 1 on. */
	attempt: number;
	/** The status of its answer, or the code of the network. */
	failure: string;
	/** Milliseconds until the next attempt. */
	wait: number;
	/** The service's own ID of the request, if its answer has one. */
	requestId: string | undefined;
}

export interface RetryOptions {
	clock: Clock;
	/** Uniform in [0, 1). */
	random: () => number;
	limits: RetryLimits;
	onRepetition?: (repetition: Repetition) => void;
}

/** The last attempt of a request. */
export type LastAttempt = Settled<Answer> & {
	/** How many attempts the service may have carried out, and may bill. */
	readonly sent: number;
};

/** Faults in which the service read no byte of the request: n8n did not send it, the host is not there, or TLS failed. */
const neverArrived =
	/^(SSRF|CREDENTIAL|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** A redirect to what a POST has made (RFC 9110, 15.4.2 to 15.4.4), the service's own time-out, a conflict with what exists. */
const perhapsCarriedOut = [301, 302, 303, 408, 409];

/**
 * Makes attempts until one is final (section 7): an answer of any status, or the error in its place. 5xx and network faults are
 * bounded by count; a 429 by time, because its cause is the key's other users and not this request. The pause after a 429 is
 * for the whole key, so the limiter keeps it. Throws what `attempt` throws and is no `ScreeningError`.
 */
export async function withRetries(
	attempt: (isRepetition: boolean) => Promise<Answer>,
	{ clock, random, limits, onRepetition }: RetryOptions,
): Promise<LastAttempt> {
	const failuresOfKind: Record<FailureKind, number> = { notCarriedOut: 0, serverError: 0, lost: 0 };
	const maxOfKind: Record<FailureKind, number> = {
		notCarriedOut: limits.total,
		serverError: limits.afterServerError,
		lost: limits.afterLostAnswer,
	};
	let sent = 0;
	let failures = 0;
	let refusals = 0;
	let refusedSince = 0;

	for (let number = 1; ; number++) {
		const attempted = await settle(attempt, number > 1);
		const answer = attempted.value;
		if (answer && isSuccess(answer)) return { value: answer, sent: sent + 1 };
		const kind = failureKind(attempted);
		if (kind !== 'notCarriedOut') sent++;
		const last = { ...attempted, sent };
		if (!isRetryable(attempted)) return last;

		const isRefusal = answer?.status === 429;
		const demanded = answer && retryAfter(answer.headers, Date.now());
		const wait = demanded || backoff(isRefusal ? refusals : failures, random);
		if (wait > maxRetryAfter) return last;
		const repetition = { attempt: number, wait, ...describeFailure(attempted) };
		if (isRefusal) {
			if (refusals++ === 0) refusedSince = clock.now();
			if (clock.now() + wait - refusedSince > maxRefusedTime) return last;
			onRepetition?.(repetition);
			continue;
		}
		if (failures >= limits.total || failuresOfKind[kind] >= maxOfKind[kind]) return last;
		failuresOfKind[kind]++;
		failures++;
		refusals = 0;
		onRepetition?.(repetition);
		await clock.sleep(wait);
	}
}

async function settle(
	attempt: (isRepetition: boolean) => Promise<Answer>,
	isRepetition: boolean,
): Promise<Settled<Answer>> {
	try {
		return { value: await attempt(isRepetition) };
	} catch (error) {
		return { error: rethrowUnlessScreeningError(error) };
	}
}

function failureKind({ value: answer, error }: Settled<Answer>): FailureKind {
	if (error) {
		const { faultCode } = error;
		return faultCode === undefined || neverArrived.test(faultCode) ? 'notCarriedOut' : 'lost';
	}
	const { status, headers } = answer;
	// Gateways answer a plain 503 for requests that the service carried out. `Retry-After` is the service's own word.
	if (status === 503 && retryAfter(headers, Date.now()) !== undefined) return 'notCarriedOut';
	return status >= 500 || perhapsCarriedOut.includes(status) ? 'serverError' : 'notCarriedOut';
}

/** Whether another attempt may end differently. */
function isRetryable({ value: answer, error }: Settled<Answer>): boolean {
	if (error) return error.faultCode !== undefined && !isPermanent(error);
	return answer !== turnedAway && (answer.status === 429 || answer.status >= 500);
}

/** The names under which services send the ID of a request. */
const requestIdHeaders = ['x-request-id', 'request-id', 'x-correlation-id'];

function describeFailure({
	value,
	error,
}: Settled<Answer>): Pick<Repetition, 'failure' | 'requestId'> {
	if (error) return { failure: error.faultCode ?? error.errorClass, requestId: undefined };
	const ids = requestIdHeaders.map((name) => firstHeaderValue(value.headers[name]));
	return { failure: `status ${value.status}`, requestId: ids.find((id) => id !== '') };
}
