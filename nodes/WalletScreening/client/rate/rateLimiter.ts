import type { Answer } from '../../shared/http';
import type { Clock } from '../../shared/time';
import { statusError } from '../statusErrors';
import { maxPause, maxRefusedTime } from '../pauses';
import { Pace, type RateLimit } from './pace';

/**
 * One user of the queue, whose requests take turns with those of other callers. The object itself
 * is its identity. Its signal takes all its requests out of the queue.
 */
export interface Caller {
	readonly signal?: AbortSignal | undefined;
}

/** The answer to a request that a queue let out. */
export interface QueuedAnswer extends Answer {
	/**
	 * After a 429, the milliseconds until the queue lets out a request with the key again: at least
	 * those of `retryAfter`, up to `maxStop`. Undefined after any other answer.
	 */
	readonly keyPause?: number;
}

/** Lets requests out when it is their turn. */
export interface RequestQueue {
	/**
	 * Sends when the turn of the caller has come. `isRepetition` puts a request before the caller's
	 * others, so that the time an item takes stays bounded.
	 * @throws {ScreeningError} `rate_limited`, without sending anything, if the service has stopped the
	 * API key for too long
	 * @throws what `send` throws, and the signal's reason if that comes before the turn
	 */
	run(send: () => Promise<Answer>, caller: Caller, isRepetition?: boolean): Promise<QueuedAnswer>;
}

/** A request that waits for its turn. */
interface Waiter {
	/** Its turn has come. */
	resolve: () => void;
	reject: (reason: unknown) => void;
}

/** The requests of one caller that wait. */
interface CallerQueue {
	readonly waiters: Waiter[];
	/** Takes them out. The signal of the caller calls it. */
	readonly leave: () => void;
}

/** The queue of one API key in this process. Requests leave at its pace, and callers take turns. */
export class RateLimiter implements RequestQueue {
	private readonly pace: Pace;
	/** Requests that wait. A caller without any is not in it. */
	private readonly waiting = new Map<Caller, CallerQueue>();
	private activeCount = 0;
	/**
	 * Milliseconds of the clock at which the queue looks again; never, if nothing waits for a token.
	 */
	private wakeAt = Infinity;

	constructor(
		limit: RateLimit | null,
		private readonly clock: Clock,
		random: () => number = Math.random,
	) {
		this.pace = new Pace(limit, clock.now(), random);
	}

	async run(
		send: () => Promise<Answer>,
		caller: Caller,
		isRepetition = false,
	): Promise<QueuedAnswer> {
		await this.waitForTurn(caller, isRepetition);
		const sentAt = this.clock.now();
		let answer: Answer | undefined;
		try {
			answer = await send();
		} finally {
			this.endTurn(sentAt, answer);
		}
		if (answer.status !== 429) return answer;
		return { ...answer, keyPause: this.pace.msUntilResume(this.clock.now()) };
	}

	/** Whether nothing runs, waits or has to be remembered. */
	get isIdle(): boolean {
		const isEmpty = this.activeCount === 0 && this.waiting.size === 0;
		return isEmpty && this.pace.isForgettable(this.clock.now());
	}

	private async waitForTurn(caller: Caller, isRepetition: boolean): Promise<void> {
		caller.signal?.throwIfAborted();
		await new Promise<void>((resolve, reject) => {
			const { waiters } = this.waiting.get(caller) ?? this.openQueue(caller);
			if (isRepetition) waiters.unshift({ resolve, reject });
			else waiters.push({ resolve, reject });
			if (this.pace.msUntilResume(this.clock.now()) > maxPause) this.turnAllAway();
			this.letOut();
		});
	}

	/** Adds a caller, whose requests its signal takes out. */
	private openQueue(caller: Caller): CallerQueue {
		const waiters: Waiter[] = [];
		const leave = () => {
			for (const { reject } of waiters) reject(caller.signal?.reason);
			this.closeQueue(caller);
		};
		caller.signal?.addEventListener('abort', leave);
		const queue = { waiters, leave };
		this.waiting.set(caller, queue);
		return queue;
	}

	/**
	 * Removes a caller. Node 20 keeps a signal of `AbortSignal.any`, and all that its listeners hold, in
	 * memory for ever, unless they are removed.
	 */
	private closeQueue(caller: Caller): void {
		const { leave } = this.waiting.get(caller)!;
		caller.signal?.removeEventListener('abort', leave);
		this.waiting.delete(caller);
	}

	/** Lets out as many requests as may leave now, and looks again when the next one may. */
	private letOut(): void {
		// A caller that `takeNext` puts at the end comes again in this loop.
		for (const [caller, queue] of this.waiting) {
			if (this.activeCount >= this.pace.window) return;
			const now = this.clock.now();
			const wait = this.pace.msUntilToken(now);
			if (wait > 0) {
				this.wakeAfter(wait, now);
				return;
			}
			this.pace.noteSent();
			this.activeCount++;
			this.takeNext(caller, queue).resolve();
		}
	}

	/** Takes the next request of a caller, which then has the last turn. */
	private takeNext(caller: Caller, queue: CallerQueue): Waiter {
		const waiter = queue.waiters.shift()!;
		if (queue.waiters.length === 0) {
			this.closeQueue(caller);
		} else {
			this.waiting.delete(caller);
			this.waiting.set(caller, queue);
		}
		return waiter;
	}

	private wakeAfter(wait: number, now: number): void {
		const at = now + wait;
		if (at >= this.wakeAt) return;
		this.wakeAt = at;
		void this.clock.sleep(wait).then(() => {
			if (this.wakeAt !== at) return;
			this.wakeAt = Infinity;
			this.letOut();
		});
	}

	private endTurn(sentAt: number, answer: Answer | undefined): void {
		const now = this.clock.now();
		this.activeCount--;
		this.pace.noteEnded(now, sentAt, answer);
		const isStopped = this.pace.msUntilResume(now) > maxPause;
		const isRefusedLong =
			answer?.status === 429 && this.pace.msSinceFirstRefusal(now) > maxRefusedTime;
		if (isStopped || isRefusedLong) this.turnAllAway();
		this.letOut();
	}

	private turnAllAway(): void {
		const error = statusError(429, undefined);
		for (const [caller, { waiters }] of this.waiting) {
			for (const { reject } of waiters) reject(error);
			this.closeQueue(caller);
		}
	}
}

/**
 * The limiters of this process, one for each key, base address and plan. A limiter that is idle is
 * as good as a new one, so only the registry holds any, and memory stays bounded.
 */
export class LimiterRegistry {
	private readonly limiters = new Map<string, RateLimiter>();

	constructor(private readonly clock: Clock) {}

	/**
	 * The queue of a key. `id` is a hash of key and base address. Each request looks the limiter up
	 * again: a client that kept one which the registry has dropped would double the rate of its key. Two
	 * credentials that state different limits for one key do have two limiters, because this process
	 * does not know which limit is right.
	 */
	queueFor(id: string, limit: RateLimit | null): RequestQueue {
		const name = `${id} ${JSON.stringify(limit)}`;
		return { run: async (...request) => await this.limiterOf(name, limit).run(...request) };
	}

	private limiterOf(name: string, limit: RateLimit | null): RateLimiter {
		const known = this.limiters.get(name);
		if (known && !known.isIdle) return known;
		for (const [other, limiter] of this.limiters) {
			if (limiter.isIdle) this.limiters.delete(other);
		}
		const limiter = new RateLimiter(limit, this.clock);
		this.limiters.set(name, limiter);
		return limiter;
	}
}
