import type { Clock } from './clock';
import { createPace, type Limit } from './pace';

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
	 * time an item takes stays bounded. Rejects with the signal's reason when the user stops the execution while it waits.
	 */
	run<T>(
		request: (turn: Turn) => Promise<T>,
		lane: Lane,
		options?: { again?: boolean; signal?: AbortSignal | undefined },
	): Promise<T>;
	/** Whether nothing runs, waits or has to be remembered. */
	idle(): boolean;
}

/** How many requests may be under way at once, whatever the rate: more does not help n8n's helper, and costs memory. */
const mostAtOnce = 200;

/** Lets requests out at a pace that the key allows; lanes take turns. */
export function createRateLimiter(
	limit: Limit,
	clock: Clock,
	random: () => number = Math.random,
): RateLimiter {
	const pace = createPace(limit, clock.now(), random);
	const lanes = new Map<Lane, Array<() => void>>();
	let underWay = 0;
	let wakeAt = Infinity;

	/** The next waiter of the lane whose turn it is; that lane then goes to the end of the round. */
	function next(): (() => void) | undefined {
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
			const now = clock.now();
			const wait = pace.wait(now);
			if (wait > 0) {
				wakeIn(wait, now);
				return;
			}
			const begin = next();
			if (!begin) return;
			pace.spend(now);
			underWay++;
			begin();
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
			const begin = () => {
				signal?.removeEventListener('abort', leave);
				resolve();
			};
			const leave = () => {
				const place = waiters.indexOf(begin);
				if (place >= 0) waiters.splice(place, 1);
				reject(signal?.reason);
			};
			signal?.addEventListener('abort', leave, { once: true });
			if (again) waiters.unshift(begin);
			else waiters.push(begin);
			lanes.set(lane, waiters);
			pump();
		});
	}

	return {
		async run(request, lane, { again = false, signal } = {}) {
			await turn(lane, again, signal);
			const sentAt = clock.now();
			try {
				return await request({
					answered() {
						pace.answered(clock.now());
					},
					limited(waitMs) {
						pace.refused(clock.now(), sentAt, waitMs);
					},
				});
			} finally {
				underWay--;
				pump();
			}
		},
		idle: () => underWay === 0 && lanes.size === 0 && pace.forgettable(clock.now()),
	};
}

/**
 * The limiters of this process, one for each key, base address and plan. Keys are held as given by the caller, who hands
 * in a hash. Idle limiters go when a new one comes, so that memory stays bounded.
 */
export function createLimiterRegistry(clock: Clock) {
	const limiters = new Map<string, RateLimiter>();
	return (id: string, limit: Limit): RateLimiter => {
		const name = `${id} ${JSON.stringify(limit)}`;
		const known = limiters.get(name);
		if (known) return known;
		for (const [other, limiter] of limiters) if (limiter.idle()) limiters.delete(other);
		const limiter = createRateLimiter(limit, clock);
		limiters.set(name, limiter);
		return limiter;
	};
}
