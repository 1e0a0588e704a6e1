import { catchScreeningErrorAsync, type Settled } from '../shared/errors';
import { type Answer, firstHeaderValue, isSuccess } from '../shared/http';
import type { Clock } from '../shared/time';
import { isOfLostAnswer, isPermanent } from './faults';
import { hasNeverArrived } from './networkFaults';
import { backoff, maxRefusedTime, maxRetryAfter } from './retryAfter';

/**
 * What became of a request that failed: it was certainly not carried out; its status leaves that
 * open (`unsure`); or the answer of the service did not come (`lost`).
 */
type FailureKind = 'notCarriedOut' | 'unsure' | 'lost';

/** How many attempts may follow a failure at most. 429s are not counted here. */
export interface RetryLimits {
	/** After failures of any kind. */
	total: number;
	/** After those whose status leaves open whether the service carried out the request. */
	unsure: number;
	/** After those in which the answer of the service did not come. */
	lost: number;
}

/** A request that is sent again, for the log. */
export interface Repetition {
	/** The attempt that failed, from 1 on. */
	attempt: number;
	/** The status of its answer, or what ended it without one. */
	failure: string;
	/** Milliseconds until the next attempt. */
	wait: number;
	/** The service's own ID of the request, if its answer has one. */
	requestId: string | undefined;
}

/** How a request is repeated. */
export interface RetryOptions {
	clock: Clock;
	/** Uniform in [0, 1). */
	random: () => number;
	limits: RetryLimits;
	/** The service may bill each attempt. */
	isBillable?: boolean;
	onRepetition?: (repetition: Repetition) => void;
}

/** The last attempt of a request. */
export type LastAttempt = Settled<Answer> & {
	/** How many attempts the service may have carried out, and may bill. */
	readonly sent: number;
};

/**
 * After one of these statuses a POST may have been carried out: a redirect to what it made (RFC
 * 9110, 15.4.2 to 15.4.4), the service's own time-out, a conflict with what exists.
 */
const statusesOfDoubt = [301, 302, 303, 408, 409];

/** Sends a request once, when its turn has come. */
type Attempt = (isRepetition: boolean) => Promise<Answer>;

/**
 * Makes attempts until one is final (section 7): an answer of any status, or the error in its
 * place. 5xx and network faults are bounded by count; a 429 by time, because its cause is the key's
 * other users and not this request.
 *
 * If something is thrown after an attempt that the service may bill, the last failure is returned in
 * its place, so that `sent` is not lost.
 * @throws what `attempt` throws and is no `ScreeningError`
 * @throws the reason of the clock's signal, if that ends a pause
 */
export async function withRetries(
	attempt: Attempt,
	{ clock, random, limits, isBillable = false, onRepetition }: RetryOptions,
): Promise<LastAttempt> {
	const budget = new RetryBudget(limits, clock, random);
	let possiblyCarriedOut = 0;
	let last: LastAttempt | undefined;
	try {
		for (let attemptNumber = 1; ; attemptNumber++) {
			const attempted = await catchScreeningErrorAsync(
				async () => await attempt(attemptNumber > 1),
			);
			const answer = attempted.value;
			if (answer && isSuccess(answer)) return { value: answer, sent: possiblyCarriedOut + 1 };
			const kind = failureKind(attempted);
			if (kind !== 'notCarriedOut') possiblyCarriedOut++;
			last = { ...attempted, sent: possiblyCarriedOut };
			if (!isRetryable(attempted)) return last;

			const isRefusal = answer?.status === 429;
			const wait = isRefusal
				? budget.nextAfterRefusal(answer.retryAfter ?? 0)
				: budget.nextAfterFailure(kind, answer?.retryAfter);
			if (wait === undefined) return last;
			onRepetition?.({ attempt: attemptNumber, wait, ...describeFailure(attempted) });
			// The pause after a 429 is for the whole key: the queue keeps it.
			if (!isRefusal && wait > 0) await clock.sleep(wait);
		}
	} catch (error) {
		return requireBillable(isBillable ? last : undefined, error);
	}
}

/**
 * Returns an attempt whose request the service may have carried out.
 * @throws what ended the attempts, if there is none
 */
function requireBillable(last: LastAttempt | undefined, end: unknown): LastAttempt {
	if (last && last.sent > 0) return last;
	throw end;
}

/** How often and how long one request may still be repeated. */
class RetryBudget {
	/** The attempts that followed a failure so far, by the limit that they count for. */
	private readonly attemptsAfter: Record<keyof RetryLimits, number> = {
		total: 0,
		unsure: 0,
		lost: 0,
	};
	/** When the first of the latest 429s in a row came. */
	private refusedSince: number | undefined;

	constructor(
		private readonly limits: RetryLimits,
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	/**
	 * Milliseconds before the next attempt after a 429; undefined: make no other attempt. `keyPause` is
	 * the pause that the queue keeps for the key.
	 */
	nextAfterRefusal(keyPause: number): number | undefined {
		if (keyPause > maxRetryAfter) return undefined;
		const now = this.clock.now();
		this.refusedSince ??= now;
		return now + keyPause - this.refusedSince > maxRefusedTime ? undefined : keyPause;
	}

	/** Milliseconds before the next attempt after another failure; undefined: make none. */
	nextAfterFailure(kind: FailureKind, retryAfter = 0): number | undefined {
		// A `Retry-After` of 0 names no pause.
		const wait = retryAfter > 0 ? retryAfter : backoff(this.attemptsAfter.total, this.random);
		// A failure counts for `total`, and for its kind, if that has a limit.
		const countedLimits =
			kind === 'notCarriedOut' ? (['total'] as const) : (['total', kind] as const);
		const isUsedUp = countedLimits.some((name) => this.attemptsAfter[name] >= this.limits[name]);
		if (wait > maxRetryAfter || isUsedUp) return undefined;
		for (const name of countedLimits) this.attemptsAfter[name]++;
		this.refusedSince = undefined;
		return wait;
	}
}

/** Finds what became of a request that failed, from its answer or its error. */
function failureKind({ value: answer, error }: Settled<Answer>): FailureKind {
	if (error) {
		const { faultCode } = error;
		return faultCode === undefined || hasNeverArrived(faultCode) ? 'notCarriedOut' : 'lost';
	}
	const { status } = answer;
	if (isOfLostAnswer(status)) return 'lost';
	// A gateway may answer with any 5xx after the service has read the request. `Retry-After` does not
	// change that: section 7 has it for 429 only, and proxies add it to a 503.
	return status >= 500 || statusesOfDoubt.includes(status) ? 'unsure' : 'notCarriedOut';
}

/**
 * Whether another attempt may end differently. An error without a fault code is final: the limiter
 * turned the request away, another host refused it, or the answer cannot be used.
 */
function isRetryable({ value: answer, error }: Settled<Answer>): boolean {
	if (error) return error.faultCode !== undefined && !isPermanent(error);
	return answer.status === 429 || answer.status >= 500;
}

/** The names under which services send the ID of a request. */
const requestIdHeaders = ['x-request-id', 'request-id', 'x-correlation-id'];

/** Describes a failure for the log. */
function describeFailure({
	value,
	error,
}: Settled<Answer>): Pick<Repetition, 'failure' | 'requestId'> {
	if (error) return { failure: error.faultCode ?? error.errorClass, requestId: undefined };
	const ids = requestIdHeaders.map((name) => firstHeaderValue(value.headers[name]));
	return { failure: `status ${value.status}`, requestId: ids.find((id) => id !== '') };
}
