import { type Clock, steadyTime } from './clock';
import { statusError } from '../service/errors';
import { createPace, type Limit, longestRetryAfter, type Pace, type Quota } from './pace';
import { longestLimit } from './retry';
import { mostAtOnce } from './window';

/** The caller's place in the queue: one per execution, so that executions take turns. */
export type Lane = object;

/** One request's turn. Whoever sends it says how it was answered. */
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
	 * `rate_limited` when the service lets nobody in for too long.
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
	hasLeft: boolean;
	begin(): void;
	giveUp(reason: unknown): void;
}

/** Requests that wait, lane by lane. To leave costs the same however many wait. */
function createQueue() {
	interface Line {
		again: Waiter[];
		first: Waiter[];
		/** How many of them have not left. */
		waiting: number;
	}
	const lines = new Map<Lane, Line>();

	return {
		isEmpty: () => lines.size === 0,
		/** Gives what takes the waiter out again. */
		add(waiter: Waiter, lane: Lane, again: boolean) {
			const line = lines.get(lane) ?? { again: [], first: [], waiting: 0 };
			(again ? line.again : line.first).push(waiter);
			line.waiting++;
			lines.set(lane, line);
			return () => {
				waiter.hasLeft = true;
				if (--line.waiting === 0) lines.delete(lane);
			};
		},
		/** The next waiter of the lane whose turn it is; that lane then goes to the end of the round. */
		next(): Waiter | undefined {
			for (const [lane, line] of lines) {
				let waiter: Waiter | undefined;
				do waiter = line.again.shift() ?? line.first.shift();
				while (waiter?.hasLeft);
				lines.delete(lane);
				if (--line.waiting > 0) lines.set(lane, line);
				return waiter;
			}
			return undefined;
		},
		/** Takes all out. */
		clear(): Waiter[] {
			const all = [...lines.values()].flatMap(({ again, first }) => [...again, ...first]);
			lines.clear();
			return all.filter(({ hasLeft }) => !hasLeft);
		},
	};
}

/** Calls those who wait for each signal when it is aborted; one listener for each signal, however many wait. */
function createAbortions() {
	const groups = new Map<AbortSignal, { leave: Set<() => void>; abort: () => void }>();
	/** Gives what ends the wait. */
	return (signal: AbortSignal, leave: () => void) => {
		let group = groups.get(signal);
		if (!group) {
			const all = new Set<() => void>();
			const abort = () => {
				groups.delete(signal);
				for (const each of all) each();
			};
			group = { leave: all, abort };
			groups.set(signal, group);
			signal.addEventListener('abort', abort, { once: true });
		}
		const { leave: all, abort } = group;
		all.add(leave);
		return () => {
			all.delete(leave);
			if (all.size > 0 || signal.aborted) return;
			groups.delete(signal);
			signal.removeEventListener('abort', abort);
		};
	};
}

/** Lets requests out at a pace that the key allows; lanes take turns. */
export function createRateLimiter(
	limit: Limit,
	clock: Clock,
	random: () => number = Math.random,
	paceFor: typeof createPace = createPace,
): RateLimiter {
	const time = steadyTime(clock);
	const pace: Pace = paceFor(limit, time(), random);
	const queue = createQueue();
	const whenAborted = createAbortions();
	let inProgress = 0;
	let wakeAt = Infinity;

	function pump() {
		while (!queue.isEmpty() && inProgress < Math.min(mostAtOnce, pace.window())) {
			const now = time();
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
		await new Promise<void>((resolve, reject) => {
			let stopListening = () => {};
			const waiter: Waiter = {
				hasLeft: false,
				begin() {
					stopListening();
					resolve();
				},
				giveUp(reason) {
					stopListening();
					reject(reason as Error);
				},
			};
			const leave = queue.add(waiter, lane, again);
			if (signal) {
				stopListening = whenAborted(signal, () => {
					leave();
					reject(signal.reason as Error);
				});
			}
			if (pace.stop(time()) > longestRetryAfter) turnAway();
			pump();
		});
	}

	/** Nobody waits for longer than the retries of a single request would. */
	function turnAway() {
		for (const waiter of queue.clear()) waiter.giveUp(statusError(429, undefined));
	}

	return {
		async run(request, lane, { again = false, signal } = {}) {
			await turn(lane, again, signal);
			const sentAt = time();
			let wasAnswered = false;
			try {
				return await request({
					answered(quota) {
						wasAnswered = true;
						pace.answered(time(), sentAt, quota);
					},
					limited(waitMs) {
						wasAnswered = true;
						const now = time();
						pace.refused(now, sentAt, waitMs);
						if (pace.stop(now) > longestRetryAfter || pace.refusedFor(now) > longestLimit)
							turnAway();
					},
				});
			} finally {
				if (!wasAnswered) pace.unanswered();
				inProgress--;
				pump();
			}
		},
		idle: () => inProgress === 0 && queue.isEmpty() && pace.forgettable(time()),
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
