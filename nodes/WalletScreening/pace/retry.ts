import { isForbidden, ScreeningError, statusError } from '../service/errors';
import type { Clock } from './clock';
import { quotaOf } from './quota';
import type { Turn } from './rateLimiter';
import { backoff, type Headers, longestLimit, longestRetryAfter, retryAfter } from './retryAfter';
import { minute } from './window';

/** What came back over the wire. */
export interface Answer {
	status: number;
	headers: Headers;
	body: Buffer;
}

/** How often a request may be sent again, by what is known of the tries before. */
export interface Retries {
	/** In all; and after a fault or a 503, which say that the service did not carry it out. */
	refused: number;
	/** After any other 5xx: the service, or a gateway before it, failed at some point. */
	failed: number;
	/** After a connection that broke or went silent: the service may have carried it out and bill it. */
	lost: number;
}

export interface RetryOptions {
	clock: Clock;
	/** Uniform in [0, 1). */
	random: () => number;
	retries: Retries;
	/** Runs a request when its turn has come; `again` marks a repetition. */
	inTurn: <T>(request: (turn: Turn) => Promise<T>, again: boolean) => Promise<T>;
	/** The service's own explanation of a refusal, for the error's text. */
	explain: (answer: Answer) => string | undefined;
	/** Whether a refusal says that the request was carried out all the same, so that it is not sent again. Asked once for each. */
	wasCarriedOut?: (answer: Answer) => boolean;
}

/**
 * Faults in which the service read no byte of the request: n8n did not send it, the host is not there, or TLS failed. After
 * any other fault the service may have carried the request out.
 */
const neverArrived =
	/^(SSRF|CREDENTIAL|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** Which of the three budgets another try is charged to. */
function fateOf({ networkCode, httpCode }: ScreeningError): keyof Retries {
	if (networkCode !== undefined) return neverArrived.test(networkCode) ? 'refused' : 'lost';
	return httpCode === 503 ? 'refused' : 'failed';
}

/** Whether the service may have carried out the request that ended so. 503 says that it did not. */
export function mayBeCarriedOut(error: ScreeningError): boolean {
	const { networkCode, httpCode } = error;
	if (networkCode !== undefined) return fateOf(error) !== 'refused';
	// Without a status either, the request was never sent.
	if (httpCode === undefined || (httpCode >= 300 && httpCode < 500)) return false;
	return fateOf(error) !== 'refused';
}

/**
 * Sends until there is an answer that is final (section 7): a 2xx is returned, every other status and a lost
 * connection end as a `ScreeningError`. 5xx and network faults are bounded by count; a 429 by time, because it speaks of
 * the key's other users and not of this request. The wait after a 429 is for the whole key, so the limiter keeps it.
 *
 * @param send gives an answer, or the fault that stood in its place
 */
export async function withRetries(
	send: () => Promise<Answer | ScreeningError>,
	{ clock, random, retries, inTurn, explain, wasCarriedOut = () => false }: RetryOptions,
): Promise<Answer> {
	const tries = { refused: 0, failed: 0, lost: 0 };
	let failures = 0;
	let refusals = 0;
	let limitedSince = 0;

	for (let again = false; ; again = true) {
		let wait = 0;
		const answer = await inTurn(async (turn) => {
			const got = await send();
			if (got instanceof ScreeningError) {
				wait = backoff(failures, random);
				return got;
			}
			const attempt = got.status === 429 ? refusals : failures;
			wait = retryAfter(got.headers, Date.now()) || backoff(attempt, random);
			// Before the turn ends, because no other request may begin in between.
			if (got.status === 429) turn.limited(wait);
			else turn.answered(quotaOf(got.headers, Date.now()));
			return got;
		}, again);
		if (!(answer instanceof ScreeningError) && isSuccess(answer)) return answer;

		const failure =
			answer instanceof ScreeningError ? answer : statusError(answer.status, explain(answer));
		const isDone = !(answer instanceof ScreeningError) && wasCarriedOut(answer);
		if (isDone || isFinal(failure)) throw failure;
		if (wait > longestRetryAfter) throw withPause(failure, wait);
		if (failure.httpCode === 429) {
			if (refusals++ === 0) limitedSince = clock.now();
			if (clock.now() + wait - limitedSince > longestLimit) throw failure;
			continue;
		}
		const fate = fateOf(failure);
		if (failures >= retries.refused || tries[fate] >= retries[fate]) throw failure;
		tries[fate]++;
		failures++;
		refusals = 0;
		await clock.sleep(wait);
	}
}

/** The error with the pause that the service asks for, in milliseconds and longer than the node waits. */
function withPause(error: ScreeningError, wait: number): ScreeningError {
	const minutes = Math.ceil(wait / minute);
	const pause = minutes < 24 * 60 ? `${minutes} minutes` : 'a day or more';
	return error.saying({
		description: `${error.description} The service asks for a pause of ${pause}, which is longer than the node waits.`,
	});
}

function isSuccess({ status }: Answer): boolean {
	return status >= 200 && status < 300;
}

/** Another try would end the same way. */
function isFinal(error: ScreeningError): boolean {
	const { httpCode, networkCode } = error;
	if (networkCode !== undefined) return isForbidden(error);
	return httpCode !== 429 && (httpCode ?? 0) < 500;
}
