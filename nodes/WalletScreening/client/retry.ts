import { catchScreeningErrorAsync, type Settled } from '../shared/errors';
import { isSuccess } from '../shared/http';
import type { Clock } from '../shared/time';
import { readRequestId } from './answerHeaders';
import { type FailureKind, failureKind, isRetryable } from './failureKind';
import { backoff, maxPause, maxRefusedTime } from './pauses';
import type { QueuedAnswer } from './rate/rateLimiter';

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
export type LastAttempt = Settled<QueuedAnswer> & {
	/** How many attempts the service may have carried out, and may bill. */
	readonly sent: number;
};

/** Sends a request once, when its turn has come. */
type Attempt = (isRepetition: boolean) => Promise<QueuedAnswer>;

/**
 * Makes attempts until one is final (section 7, and the law in `pauses.ts`): an answer of any status,
 * or the error in its place.
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
			if (answer && isSuccess(answer.status))
				return { value: answer, sent: possiblyCarriedOut + 1 };
			const kind = failureKind(attempted);
			if (kind !== 'notCarriedOut') possiblyCarriedOut++;
			last = { ...attempted, sent: possiblyCarriedOut };
			if (!isRetryable(attempted)) return last;

			const isRefusal = answer?.status === 429;
			const wait = isRefusal
				? budget.nextAfterRefusal(answer.keyPause ?? 0)
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
		if (keyPause > maxPause) return undefined;
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
		if (wait > maxPause || isUsedUp) return undefined;
		for (const name of countedLimits) this.attemptsAfter[name]++;
		this.refusedSince = undefined;
		return wait;
	}
}

/** Describes a failure for the log. */
function describeFailure({
	value,
	error,
}: Settled<QueuedAnswer>): Pick<Repetition, 'failure' | 'requestId'> {
	if (error) return { failure: error.faultCode ?? error.errorClass, requestId: undefined };
	return { failure: `status ${value.status}`, requestId: readRequestId(value.headers) };
}
