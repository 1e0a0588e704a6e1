import type { Clock } from './clock';

/** The rate that the plan of a key allows (section 8); null for a plan without a fixed limit. */
export type Limit = { requestsPerSecond: number; burst: number } | null;

/** The caller's place in the queue: one per execution, so that executions take turns. */
export type Lane = object;

export interface RateLimiter {
	/**
	 * Runs `request` when its turn has come. `again` puts a repetition before the other requests of its lane, so that the
	 * time an item takes stays bounded. Rejects with the signal's reason when the user stops the execution while it waits.
	 */
	run<T>(
		request: () => Promise<T>,
		lane: Lane,
		options?: { again?: boolean; signal?: AbortSignal | undefined },
	): Promise<T>;
	/** Stops everything for `waitMs` after a 429, and goes on more slowly. */
	limited(waitMs: number): void;
	/** Whether nothing runs, waits or has to be remembered. */
	idle(): boolean;
}

interface Waiter {
	start: () => void;
}

/** How many requests may be under way at once, whatever the rate: more does not help n8n's helper, and costs memory. */
const mostAtOnce = 200;
/** After a 429 the rate halves, but never below this share of the plan's. */
const lowestShare = 1 / 64;
/** What the rate wins back each second, as a share of the plan's. */
const recoveryPerSecond = 1 / 60;

/**
 * A token bucket of the plan's size, whose lanes take turns. A 429 empties the bucket, stops it and halves its rate, which
 * then recovers step by step: several processes that share a key find a fair share without talking to each other.
 */
export function createRateLimiter(limit: Limit, clock: Clock): RateLimiter {
	const lanes = new Map<Lane, Waiter[]>();
	const plan = limit?.requestsPerSecond ?? Infinity;
	const burst = limit?.burst ?? Infinity;
	let rate = plan;
	let tokens = burst;
	let filledAt = clock.now();
	let slowedAt = -Infinity;
	let stoppedUntil = 0;
	let underWay = 0;
	let wakeAt = Infinity;

	function fill() {
		const now = clock.now();
		// A clock that was set back must not take tokens away.
		const seconds = Math.max(0, now - Math.max(filledAt, stoppedUntil)) / 1000;
		filledAt = now;
		if (limit === null) return;
		tokens = Math.min(burst, tokens + seconds * rate);
		rate = Math.min(plan, rate + seconds * plan * recoveryPerSecond);
	}

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
		fill();
		while (clock.now() >= stoppedUntil && tokens >= 1 && underWay < mostAtOnce) {
			const waiter = next();
			if (!waiter) return;
			tokens -= 1;
			underWay++;
			waiter.start();
		}
		if (lanes.size > 0 && underWay < mostAtOnce) wakeLater();
	}

	function wakeLater() {
		const now = clock.now();
		const tokenAt = tokens >= 1 ? now : now + Math.ceil(((1 - tokens) / rate) * 1000);
		const at = Math.max(stoppedUntil, tokenAt, now + 1);
		if (at >= wakeAt) return;
		wakeAt = at;
		void clock.sleep(at - now).then(() => {
			if (wakeAt === at) wakeAt = Infinity;
			pump();
		});
	}

	async function turn(lane: Lane, again: boolean, signal: AbortSignal | undefined) {
		await new Promise<void>((resolve, reject) => {
			signal?.throwIfAborted();
			const waiters = lanes.get(lane) ?? [];
			const leave = () => {
				const place = waiters.indexOf(waiter);
				if (place >= 0) waiters.splice(place, 1);
				reject(signal?.reason);
			};
			const waiter: Waiter = {
				start() {
					signal?.removeEventListener('abort', leave);
					resolve();
				},
			};
			signal?.addEventListener('abort', leave, { once: true });
			if (again) waiters.unshift(waiter);
			else waiters.push(waiter);
			lanes.set(lane, waiters);
			pump();
		});
	}

	return {
		async run(request, lane, { again = false, signal } = {}) {
			await turn(lane, again, signal);
			try {
				return await request();
			} finally {
				underWay--;
				pump();
			}
		},
		limited(waitMs) {
			fill();
			const now = clock.now();
			// The requests of one burst are refused together: that is one piece of news, not fifty.
			if (now >= slowedAt + 1000 && limit !== null) {
				rate = Math.max(plan * lowestShare, rate / 2);
				slowedAt = now;
			}
			tokens = Math.min(tokens, limit === null ? Infinity : 0);
			stoppedUntil = Math.max(stoppedUntil, now + waitMs);
		},
		idle() {
			fill();
			return (
				underWay === 0 &&
				lanes.size === 0 &&
				tokens >= burst &&
				rate >= plan &&
				clock.now() >= stoppedUntil
			);
		},
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
