import { type Clock, steadyTime } from './clock';
import { ScreeningError, statusError } from '../service/errors';
import type { Turn } from './rateLimiter';

/** What came back over the wire. */
export interface Answer {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	body: Buffer;
}

export interface RetryOptions {
	clock: Clock;
	/** Uniform in [0, 1). */
	random: () => number;
	/** How often a 5xx or a network fault is followed by another try. */
	maxRetries: number;
	/** Runs a request when its turn has come; `again` marks a repetition. */
	inTurn: <T>(request: (turn: Turn) => Promise<T>, again: boolean) => Promise<T>;
	/** Whether a request that may have reached the service is sent again. False for what would be billed twice. */
	repeatable: boolean;
	/** The service's own explanation of a refusal, for the error's text. */
	explain: (answer: Answer) => string | undefined;
}

const second = 1000;
const minute = 60 * second;
const firstPause = 0.5 * second;
const longestPause = 30 * second;
/** A `Retry-After` beyond this is not waited for. */
export const longestRetryAfter = 5 * minute;
/** 429 on end for so long is final. */
export const longestLimit = 10 * minute;

/**
 * Faults in which no byte of the request was read by anybody: the host is not there, or TLS failed. After any other the
 * request may have been carried out.
 */
const neverArrived =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** Whether the service may have carried out the request whose answer was lost. */
export function mayHaveArrived({ networkCode }: ScreeningError): boolean {
	return networkCode !== undefined && !neverArrived.test(networkCode);
}

/** Exponential backoff with full jitter, in milliseconds: uniform in [0, min(30 s, 0.5 s × 2^attempt)). */
export function backoff(attempt: number, random: () => number): number {
	return random() * Math.min(longestPause, firstPause * 2 ** attempt);
}

const httpDate =
	/^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * The wait in milliseconds that a `Retry-After` header asks for: whole seconds or one of the three HTTP date forms
 * (RFC 9110, sections 10.2.3 and 5.6.7). Undefined for a header that is missing or is neither: `Date.parse` alone would
 * read a meaning into almost anything.
 */
export function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
	const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
	if (/^\d+$/.test(text)) return Number(text) * second;
	if (!httpDate.test(text)) return undefined;
	// The asctime form names no zone and means UTC.
	const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
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
	{ clock, random, maxRetries, inTurn, repeatable, explain }: RetryOptions,
): Promise<Answer> {
	let failures = 0;
	let refusals = 0;
	let limitedSince = 0;
	const time = steadyTime(clock);

	for (let again = false; ; again = true) {
		let wait = 0;
		const answer = await inTurn(async (turn) => {
			const got = await send();
			if (got instanceof ScreeningError) return got;
			wait = pauseAfter(got, got.status === 429 ? refusals : failures, clock.now(), random);
			// Before the turn ends, for no other request may begin in between.
			if (got.status === 429) turn.limited(wait);
			else turn.answered();
			return got;
		}, again);

		if (answer instanceof ScreeningError) {
			if ((!repeatable && mayHaveArrived(answer)) || failures >= maxRetries) throw answer;
			refusals = 0;
			await clock.sleep(backoff(failures++, random));
			continue;
		}
		const { status } = answer;
		if (status >= 200 && status < 300) return answer;

		const final = statusError(status, explain(answer));
		if ((status !== 429 && status < 500) || wait > longestRetryAfter) throw final;
		if (status === 429) {
			if (refusals++ === 0) limitedSince = time();
			if (time() + wait - limitedSince > longestLimit) throw final;
		} else {
			if (failures++ >= maxRetries) throw final;
			refusals = 0;
			await clock.sleep(wait);
		}
	}
}

/** What the service asks for, if it asks for any wait, else the backoff; milliseconds. */
function pauseAfter(
	{ headers }: Answer,
	attempt: number,
	now: number,
	random: () => number,
): number {
	return retryAfter(headers['retry-after'], now) || backoff(attempt, random);
}
