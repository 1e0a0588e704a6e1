import type { Clock } from './clock';
import { statusError } from '../service/errors';
import { createPace, type Limit, type Quota } from './pace';
import { longestLimit, longestRetryAfter } from './retryAfter';
import { mostAtOnce } from './window';

/** The caller's place in the queue: one per execution, so that executions take turns. */
export type Lane = object;

/** One request's turn. The sender says how it was answered. */
export interface Turn {
	/** The service answered, and not by 429; with `quota` if it says what is left of the limit. */
	answered(quota?: Quota): void;
	/** The service answered 429: nothing goes out for `waitMs`, and then more slowly. */
	limited(waitMs: number): void;
}

export interface RateLimiter {
	/**
	 * Runs `request` when its turn has come. `again` puts a repetition before the other requests of its lane, so that the
	 * time an item takes stays bounded. Rejects with the signal's reason as soon as it is aborted before that, and with
	 * `rate_limited` when the service has answered 429 to everything for too long.
	 */
	run<T>(
		request: (turn: Turn) => Promise<T>,
		lane: Lane,
		options?: { again?: boolean; signal?: AbortSignal | undefined },
	): Promise<T>;
	/** Whether nothing runs, waits or has to be remembered. */
	idle(): boolean;
}

interface Waiter {
	signal: AbortSignal | undefined;
	begin: () => void;
	giveUp: (reason: unknown) => void;
}

/** Requests that wait, lane by lane. An empty lane is removed. */
function createQueue() {
	const lanes = new Map<Lane, Waiter[]>();
	return {
		isEmpty: () => lanes.size === 0,
		add(waiter: Waiter, lane: Lane, first: boolean) {
			const waiters = lanes.get(lane) ?? [];
			if (first) waiters.unshift(waiter);
			else waiters.push(waiter);
			lanes.set(lane, waiters);
		},
		/** Takes the next waiter of the lane whose turn it is; that lane then goes to the end of the round. */
		next(): Waiter | undefined {
			for (const [lane, waiters] of lanes) {
				const waiter = waiters.shift();
				lanes.delete(lane);
				if (waiters.length > 0) lanes.set(lane, waiters);
				return waiter;
			}
			return undefined;
		},
		/** Takes out all that leave, in one pass. */
		take(leaves: (waiter: Waiter) => boolean): Waiter[] {
			const taken: Waiter[] = [];
			for (const [lane, waiters] of lanes) {
				const staying = waiters.filter((waiter) => !leaves(waiter));
				if (staying.length === waiters.length) continue;
				taken.push(...waiters.filter(leaves));
				if (staying.length > 0) lanes.set(lane, staying);
				else lanes.delete(lane);
			}
			return taken;
		},
	};
}

/** Lets requests out at a pace that the key allows; lanes take turns. */
export function createRateLimiter(
	limit: Limit,
	clock: Clock,
	random: () => number = Math.random,
	paceFor: typeof createPace = createPace,
): RateLimiter {
	const pace = paceFor(limit, clock.now(), random);
	const queue = createQueue();
	/** Signals that are listened to: once each, however many wait with one. */
	const heard = new WeakSet<AbortSignal>();
	let inProgress = 0;
	let wakeAt = Infinity;

	function pump() {
		while (!queue.isEmpty() && inProgress < Math.min(mostAtOnce, pace.window())) {
			const now = clock.now();
			const wait = pace.wait(now);
			if (wait > 0) {
				wakeIn(wait, now);
				return;
			}
			pace.spend(now);
			inProgress++;
			queue.next()?.begin();
		}
	}

	function wakeIn(wait: number, now: number) {
		if (now + wait >= wakeAt) return;
		const at = now + wait;
		wakeAt = at;
		void clock.sleep(wait).then(() => {
			if (wakeAt !== at) return;
			wakeAt = Infinity;
			pump();
		});
	}

	async function turn(lane: Lane, again: boolean, signal: AbortSignal | undefined) {
		signal?.throwIfAborted();
		if (signal && !heard.has(signal)) {
			heard.add(signal);
			const leave = () => turnAway(signal.reason, (waiter) => waiter.signal === signal);
			signal.addEventListener('abort', leave, { once: true });
		}
		await new Promise<void>((begin, giveUp) => {
			queue.add({ signal, begin, giveUp }, lane, again);
			shutIfStopped();
			pump();
		});
	}

	function turnAway(reason: unknown, leaves: (waiter: Waiter) => boolean = () => true) {
		for (const waiter of queue.take(leaves)) waiter.giveUp(reason);
	}

	/** Nobody waits for longer than the retries of a single request would. */
	function shutIfStopped(isFinal = false) {
		if (isFinal || pace.stop(clock.now()) > longestRetryAfter)
			turnAway(statusError(429, undefined));
	}

	return {
		async run(request, lane, { again = false, signal } = {}) {
			await turn(lane, again, signal);
			const sentAt = clock.now();
			let wasAnswered = false;
			try {
				return await request({
					answered(quota) {
						wasAnswered = true;
						pace.answered(clock.now(), sentAt, quota);
					},
					limited(waitMs) {
						wasAnswered = true;
						const now = clock.now();
						pace.refused(now, sentAt, waitMs);
						shutIfStopped(pace.refusedFor(now) > longestLimit);
					},
				});
			} finally {
				if (!wasAnswered) pace.unanswered();
				inProgress--;
				pump();
			}
		},
		idle: () => inProgress === 0 && queue.isEmpty() && pace.forgettable(clock.now()),
	};
}

/**
 * The limiters of this process, one for each key, base address and plan. Keys are held as given by the caller, who hands
 * in a hash. An idle limiter stays only as long as an execution holds it, so that memory stays bounded.
 */
export function createLimiterRegistry(clock: Clock) {
	const busy = new Map<string, RateLimiter>();
	const all = new Map<string, WeakRef<RateLimiter>>();

	function sweep() {
		for (const [name, limiter] of busy) if (limiter.idle()) busy.delete(name);
		for (const [name, limiter] of all) if (!limiter.deref()) all.delete(name);
	}

	function create(name: string, limit: Limit): RateLimiter {
		const limiter = createRateLimiter(limit, clock);
		const kept: RateLimiter = {
			async run(...request) {
				busy.set(name, kept);
				return await limiter.run(...request);
			},
			idle: limiter.idle,
		};
		all.set(name, new WeakRef(kept));
		return kept;
	}

	return (id: string, limit: Limit): RateLimiter => {
		const name = `${id} ${JSON.stringify(limit)}`;
		if (!busy.has(name)) sweep();
		return all.get(name)?.deref() ?? create(name, limit);
	};
}
