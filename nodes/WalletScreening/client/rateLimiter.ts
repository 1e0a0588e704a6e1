import type { Clock } from './clock';
import { createPace, type Limit } from './pace';
import { longestLimit, longestRetryAfter } from './retryAfter';
import { type Answer, type Fault } from '../shared/http';

/** One for each execution, so that executions take turns. Its signal takes all its requests out of the queue. */
export interface QueueKey {
	readonly signal?: AbortSignal | undefined;
}

/** Lets requests out when it is their turn. */
export type RateLimiter = Pick<ReturnType<typeof createRateLimiter>, 'run'>;

/** Stands for the answer to a request that was not sent. */
export const turnedAway: Answer = { status: 429, headers: {}, body: Buffer.alloc(0) };

interface Waiter {
	/** Without a turn it is turned away. */
	resolve: (hasTurn: boolean) => void;
	reject: (reason: unknown) => void;
}

/** Lets requests out at a pace that the key allows; queue keys take turns. */
export function createRateLimiter(limit: Limit, clock: Clock, random: () => number = Math.random) {
	const pace = createPace(limit, clock.now(), random);
	/** Requests that wait. A key without any is not in it. */
	const waiting = new Map<QueueKey, Waiter[]>();
	/** Keys whose signal is listened to. */
	const heard = new WeakSet<QueueKey>();
	let activeCount = 0;
	let wakeAt = Infinity;

	/** Takes the next one of the key whose turn it is; that key then goes to the end of the round. */
	function next(): Waiter | undefined {
		for (const [key, waiters] of waiting) {
			const waiter = waiters.shift();
			waiting.delete(key);
			if (waiters.length > 0) waiting.set(key, waiters);
			return waiter;
		}
		return undefined;
	}

	function pump() {
		while (waiting.size > 0 && activeCount < pace.window()) {
			const now = clock.now();
			const wait = pace.waitFor(now);
			if (wait > 0) {
				wakeAfter(wait, now);
				return;
			}
			pace.sent();
			activeCount++;
			next()?.resolve(true);
		}
	}

	function wakeAfter(wait: number, now: number) {
		const at = now + wait;
		if (at >= wakeAt) return;
		wakeAt = at;
		void clock.sleep(wait).then(() => {
			if (wakeAt !== at) return;
			wakeAt = Infinity;
			pump();
		});
	}

	async function turn(key: QueueKey, again: boolean): Promise<boolean> {
		const { signal } = key;
		signal?.throwIfAborted();
		if (signal && !heard.has(key)) {
			heard.add(key);
			const leave = () => {
				for (const { reject } of waiting.get(key) ?? []) reject(signal.reason);
				waiting.delete(key);
			};
			signal.addEventListener('abort', leave, { once: true });
		}
		return await new Promise((resolve, reject) => {
			const waiters = waiting.get(key) ?? [];
			if (again) waiters.unshift({ resolve, reject });
			else waiters.push({ resolve, reject });
			waiting.set(key, waiters);
			if (pace.stopFor(clock.now()) > longestRetryAfter) turnAllAway();
			pump();
		});
	}

	function turnAllAway() {
		for (const { resolve } of [...waiting.values()].flat()) resolve(false);
		waiting.clear();
	}

	return {
		/**
		 * Sends when the turn of `queueKey` has come. `again` puts a repetition before the other requests of its key, so that
		 * the time an item takes stays bounded. Gives `turnedAway` and sends nothing if the service has stopped the key for too
		 * long. Rejects with the signal's reason if that comes first.
		 */
		async run<F extends Fault>(
			send: () => Promise<Answer | F>,
			queueKey: QueueKey,
			again = false,
		): Promise<Answer | F> {
			if (!(await turn(queueKey, again))) return turnedAway;
			const sentAt = clock.now();
			let result: Answer | F | undefined;
			try {
				result = await send();
				return result;
			} finally {
				const now = clock.now();
				activeCount--;
				pace.ended(now, sentAt, result);
				if (pace.stopFor(now) > longestRetryAfter || pace.refusedFor(now) > longestLimit)
					turnAllAway();
				pump();
			}
		},
		/** Whether nothing runs, waits or has to be remembered. */
		idle: () => activeCount === 0 && waiting.size === 0 && pace.forgettable(clock.now()),
	};
}

/**
 * The limiters of this process, one for each key, base address and plan. `id` stands for key and address and is a hash. A
 * limiter that is idle is as good as a new one, so that nothing but the registry holds any, and memory stays bounded.
 */
export function createLimiterRegistry(clock: Clock) {
	const limiters = new Map<string, ReturnType<typeof createRateLimiter>>();

	function limiterOf(name: string, limit: Limit): RateLimiter {
		const known = limiters.get(name);
		if (known && !known.idle()) return known;
		for (const [other, limiter] of limiters) if (limiter.idle()) limiters.delete(other);
		const limiter = createRateLimiter(limit, clock);
		limiters.set(name, limiter);
		return limiter;
	}

	return (id: string, limit: Limit): RateLimiter => {
		const name = `${id} ${JSON.stringify(limit)}`;
		return { run: async (...request) => await limiterOf(name, limit).run(...request) };
	};
}
