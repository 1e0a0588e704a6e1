import { type Clock, steadyTime } from './clock';
import { statusError } from '../service/errors';
import { createPace, type Limit } from './pace';
import { longestLimit, longestRetryAfter } from './retryAfter';
import { mostAtOnce } from './window';

/** The caller's place in the queue: one per execution, so that executions take turns. */
export type Lane = object;

/** One request's turn. Whoever sends it says how it was answered. */
export interface Turn {
	/** The service answered, and not by 429. */
	answered(): void;
	/** The service answered 429: nothing goes out for `waitMs`, and then more slowly. */
	limited(waitMs: number): void;
}

export interface RateLimiter {
	/**
	 * Runs `request` when its turn has come. `again` puts a repetition before the other requests of its lane, so that the
	 * time an item takes stays bounded. Rejects with the signal's reason when the user stops the execution while it waits,
	 * and with `rate_limited` when the service lets nobody in for too long.
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
	begin(): void;
	giveUp(reason: unknown): void;
}

/** Lets requests out at a pace that the key allows; lanes take turns. */
export function createRateLimiter(
	limit: Limit,
	clock: Clock,
	random: () => number = Math.random,
): RateLimiter {
	const time = steadyTime(clock);
	const pace = createPace(limit, time(), random);
	const lanes = new Map<Lane, Waiter[]>();
	let underWay = 0;
	let wakeAt = Infinity;

	/** The next waiter of the lane whose turn it is; that lane then goes to the end of the round. */
	function next(): Waiter | undefined {
		for (const [lane, waiters] of lanes) {
			lanes.delete(lane);
			const waiter = waiters.shift();
			if (waiters.length > 0) lanes.set(lane, waiters);
			if (waiter) return waiter;
		}
		return undefined;
	}

	function pump() {
		while (lanes.size > 0 && underWay < Math.min(mostAtOnce, pace.window())) {
			const now = time();
			const wait = pace.wait(now);
			if (wait > 0) {
				wakeIn(wait, now);
				return;
			}
			const waiter = next();
			if (!waiter) return;
			pace.spend(now);
			underWay++;
			waiter.begin();
		}
	}

	function wakeIn(wait: number, now: number) {
		if (now + wait >= wakeAt) return;
		const at = now + wait;
		wakeAt = at;
		void clock.sleep(wait).then(() => {
			if (wakeAt === at) wakeAt = Infinity;
			pump();
		});
	}

	async function turn(lane: Lane, again: boolean, signal: AbortSignal | undefined) {
		await new Promise<void>((resolve, reject) => {
			signal?.throwIfAborted();
			const waiters = lanes.get(lane) ?? [];
			const settle = (done: () => void) => () => {
				signal?.removeEventListener('abort', leave);
				done();
			};
			const waiter: Waiter = {
				begin: settle(resolve),
				giveUp: (reason) => settle(() => reject(reason as Error))(),
			};
			const leave = () => {
				const place = waiters.indexOf(waiter);
				if (place >= 0) waiters.splice(place, 1);
				waiter.giveUp(signal?.reason);
			};
			signal?.addEventListener('abort', leave, { once: true });
			if (again) waiters.unshift(waiter);
			else waiters.push(waiter);
			lanes.set(lane, waiters);
			if (pace.stop(time()) > longestRetryAfter) turnAway();
			pump();
		});
	}

	/** Nobody waits for longer than the retries of a single request would. */
	function turnAway() {
		const waiting = [...lanes.values()].flat();
		lanes.clear();
		for (const waiter of waiting) waiter.giveUp(statusError(429, undefined));
	}

	return {
		async run(request, lane, { again = false, signal } = {}) {
			await turn(lane, again, signal);
			const sentAt = time();
			let wasAnswered = false;
			try {
				return await request({
					answered() {
						wasAnswered = true;
						pace.answered(time(), sentAt);
					},
					limited(waitMs) {
						wasAnswered = true;
						const now = time();
						pace.refused(now, sentAt, waitMs);
						if (waitMs > longestRetryAfter || pace.refusedFor(now) > longestLimit) turnAway();
					},
				});
			} finally {
				if (!wasAnswered) pace.unanswered();
				underWay--;
				pump();
			}
		},
		idle: () => underWay === 0 && lanes.size === 0 && pace.forgettable(time()),
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
