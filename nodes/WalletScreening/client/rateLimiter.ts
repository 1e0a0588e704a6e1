import type { Answer } from '../shared/http';
import type { Clock } from '../shared/time';
import { type Limit, Pace } from './pace';
import { maxRefusedTime, maxRetryAfter } from './retryAfter';

/** The place of an execution in the queue: executions take turns. Its signal takes all its requests out of the queue. */
export interface QueueKey {
	readonly signal?: AbortSignal | undefined;
}

/** Lets requests out when it is their turn. */
export interface RequestQueue {
	/**
	 * Sends when the turn of `queueKey` has come. `isRepetition` puts a request before the others of its key, so that the time an
	 * item takes stays bounded. Gives `turnedAway` and sends nothing if the service has stopped the key for too long. Rejects with
	 * what `send` throws, and with the signal's reason if that comes before the turn.
	 */
	run(send: () => Promise<Answer>, queueKey: QueueKey, isRepetition?: boolean): Promise<Answer>;
}

/** Stands for the answer to a request that was not sent. */
export const turnedAway: Answer = { status: 429, headers: {}, body: Buffer.alloc(0) };

interface Waiter {
	/** A waiter without a turn is turned away. */
	resolve: (hasTurn: boolean) => void;
	reject: (reason: unknown) => void;
}

/** The queue of one API key in this process: requests leave at the key's pace, and executions take turns. */
export class RateLimiter implements RequestQueue {
	private readonly pace: Pace;
	/** Requests that wait. A key without any is not in it. */
	private readonly waiting = new Map<QueueKey, Waiter[]>();
	/** Keys whose signal has a listener. */
	private readonly watched = new WeakSet<QueueKey>();
	private activeCount = 0;
	/** Milliseconds of the clock at which the queue looks again; never, if nothing waits for a token. */
	private wakeAt = Infinity;

	constructor(
		limit: Limit,
		private readonly clock: Clock,
		random: () => number = Math.random,
	) {
		this.pace = new Pace(limit, clock.now(), random);
	}

	async run(
		send: () => Promise<Answer>,
		queueKey: QueueKey,
		isRepetition = false,
	): Promise<Answer> {
		if (!(await this.waitForTurn(queueKey, isRepetition))) return turnedAway;
		const sentAt = this.clock.now();
		let answer: Answer | undefined;
		try {
			answer = await send();
			return answer;
		} finally {
			this.endTurn(sentAt, answer);
		}
	}

	/** Whether nothing runs, waits or has to be remembered. */
	get isIdle(): boolean {
		const isEmpty = this.activeCount === 0 && this.waiting.size === 0;
		return isEmpty && this.pace.isForgettable(this.clock.now());
	}

	private async waitForTurn(key: QueueKey, isRepetition: boolean): Promise<boolean> {
		key.signal?.throwIfAborted();
		this.watch(key);
		return await new Promise((resolve, reject) => {
			const waiters = this.waiting.get(key) ?? [];
			if (isRepetition) waiters.unshift({ resolve, reject });
			else waiters.push({ resolve, reject });
			this.waiting.set(key, waiters);
			if (this.pace.stopFor(this.clock.now()) > maxRetryAfter) this.turnAllAway();
			this.letOut();
		});
	}

	/** Takes the requests of a key out of the queue as soon as its signal is aborted. */
	private watch(key: QueueKey): void {
		const { signal } = key;
		if (!signal || this.watched.has(key)) return;
		this.watched.add(key);
		const leave = () => {
			for (const { reject } of this.waiting.get(key) ?? []) reject(signal.reason);
			this.waiting.delete(key);
		};
		signal.addEventListener('abort', leave, { once: true });
	}

	/** Lets out as many requests as may leave now, and looks again when the next one may. */
	private letOut(): void {
		while (this.waiting.size > 0 && this.activeCount < this.pace.window) {
			const now = this.clock.now();
			const wait = this.pace.waitFor(now);
			if (wait > 0) {
				this.wakeAfter(wait, now);
				return;
			}
			this.pace.noteSent();
			this.activeCount++;
			this.takeNext()?.resolve(true);
		}
	}

	/** Takes the next request of the key whose turn it is; that key then goes to the end of the round. */
	private takeNext(): Waiter | undefined {
		for (const [key, waiters] of this.waiting) {
			const waiter = waiters.shift();
			this.waiting.delete(key);
			if (waiters.length > 0) this.waiting.set(key, waiters);
			return waiter;
		}
		return undefined;
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
		const isStopped = this.pace.stopFor(now) > maxRetryAfter;
		if (isStopped || this.pace.refusedFor(now) > maxRefusedTime) this.turnAllAway();
		this.letOut();
	}

	private turnAllAway(): void {
		for (const { resolve } of [...this.waiting.values()].flat()) resolve(false);
		this.waiting.clear();
	}
}

/**
 * The limiters of this process, one for each key, base address and plan. A limiter that is idle is as good as a new one, so only
 * the registry holds any, and memory stays bounded.
 */
export class LimiterRegistry {
	private readonly limiters = new Map<string, RateLimiter>();

	constructor(private readonly clock: Clock) {}

	/** The queue of a key. `id` stands for key and base address, and is a hash. */
	queueFor(id: string, limit: Limit): RequestQueue {
		const name = `${id} ${JSON.stringify(limit)}`;
		return { run: async (...request) => await this.limiterOf(name, limit).run(...request) };
	}

	private limiterOf(name: string, limit: Limit): RateLimiter {
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
