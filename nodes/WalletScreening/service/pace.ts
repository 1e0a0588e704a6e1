/** The rate that the plan of a key allows (section 8); null for a plan without a fixed limit. */
export type Limit = { requestsPerSecond: number; burst: number } | null;

/** How fast requests may go out. All times are milliseconds since the epoch. */
export interface Pace {
	/** Milliseconds until the next request may go out; 0: now. */
	wait(now: number): number;
	/** Milliseconds until the service wants to be asked again. */
	stop(now: number): number;
	/** Milliseconds since the first of the refusals that no other answer has come between; 0: none. */
	refusedFor(now: number): number;
	/** How many requests may be under way at once. */
	window(): number;
	/** A request goes out. */
	spend(now: number): void;
	/** A request was answered, and not by 429. */
	answered(now: number): void;
	/** The request that went out at `sentAt` was answered 429; nothing may go out for `waitMs`. */
	refused(now: number, sentAt: number, waitMs: number): void;
	/** Whether there is nothing to remember. */
	forgettable(now: number): boolean;
}

/** How many requests may be under way at once, whatever the rate: more does not help n8n's helper, and costs memory. */
export const mostAtOnce = 200;
/** After so long without a request nothing is known of the key's other users any more. */
const forgetting = 60_000;
/** How many requests may be under way before the first answer. Few, because many processes may start at once. */
const firstWindows = { limited: 2, unlimited: 50 };
/** So many accepted requests since the last refusal show that the rate was right. */
const enough = 20;
/** What a refusal leaves of the rate, by how many requests were accepted since the last one: few tell of a crowd. */
const decrease = [
	{ below: 2, kept: 0.3 },
	{ below: enough, kept: 0.7 },
	{ below: Infinity, kept: 0.85 },
];
/** Share of the burst that is never used: requests do not arrive as evenly as they are sent. */
const reserve = 0.04;
/**
 * How the rate recovers: by a small share each second, which grows with the time since the last refusal. High rates grow a
 * little faster, so that the share of refusals stays small for few processes as for many. Found with test/simulation.
 */
const recovery = { share: 0.001, exponent: 0.3, acceleration: 1 / 20, most: 0.25 };
/** What a refusal leaves of the rate that is resumed: an outage refuses everyone, a crowd only some. */
const remembered = { outage: 0.97, crowd: 0.7 };
/** How much of that rate is resumed at once when the service answers again. */
const resumed = 0.7;
/** The lowest rate, as a share of the plan's. */
const lowest = 1 / 200;

/**
 * A token bucket of the plan's size, with a rate of its own at or below the plan's. It starts slowly: each answer lets
 * one more request be under way, until the bucket itself is what limits them. A refusal lowers the rate, and time without one
 * raises it again, so that processes that share a key find their shares without talking to each other.
 */
export function createPace(limit: Limit, startsAt: number, random: () => number): Pace {
	const plan = limit?.requestsPerSecond ?? Infinity;
	const burst = limit ? Math.max(1, limit.burst * (1 - reserve)) : Infinity;
	const firstWindow = limit ? firstWindows.limited : firstWindows.unlimited;
	let rate = plan;
	/** The rate that many accepted requests showed to be right. */
	let steady = 0;
	let tokens = burst;
	/** Infinity once the slow start is over. */
	let window: number = firstWindow;
	/** Whether a refusal has ended the start. */
	let eased = false;
	let acceptedInARow = 0;
	/** Grows with the time since the last refusal. */
	let ease = 0;
	let filledAt = startsAt;
	let usedAt = startsAt;
	let stoppedUntil = 0;
	let loweredAt = -Infinity;
	let refusedSince = Infinity;

	/** A lowered rate comes with a smaller bucket: a pause must not end in a burst that the others pay for. */
	const capacity = () => (rate < plan ? Math.max(1, (burst * rate) / plan) : burst);

	/** Until then the bucket may not be full again. */
	const forgottenAfter = limit ? Math.max(forgetting, (limit.burst / plan) * 1000) : forgetting;
	const forgettable = (now: number) =>
		now - Math.max(usedAt, stoppedUntil) > forgottenAfter + 2000 / rate;
	const stop = (now: number) => Math.max(0, stoppedUntil - now);

	function fill(now: number) {
		if (now < filledAt) setBack(filledAt - now);
		if (forgettable(now)) {
			rate = plan;
			window = firstWindow;
			eased = false;
			refusedSince = Infinity;
		}
		const seconds = Math.max(0, now - Math.max(filledAt, stoppedUntil)) / 1000;
		filledAt = now;
		if (limit === null) return;
		if (rate < plan) recover(seconds);
		tokens = Math.min(capacity(), tokens + seconds * rate);
	}

	/** The machine's clock was set back: what was in the past by so much still is. */
	function setBack(ms: number) {
		filledAt -= ms;
		usedAt -= ms;
		stoppedUntil -= ms;
		loweredAt -= ms;
		refusedSince -= ms;
	}

	function recover(seconds: number) {
		const speed = rate ** recovery.exponent;
		ease += seconds * speed;
		const share = recovery.share * speed * (1 + ease * recovery.acceleration);
		rate = Math.min(plan, rate * Math.exp(seconds * Math.min(recovery.most, share)));
	}

	/** Toward the rate that was right before the refusals, as soon as the service answers again. */
	function resume() {
		if (rate < steady * resumed) rate = Math.min(steady * resumed, rate * 2);
	}

	return {
		wait(now) {
			fill(now);
			return tokens >= 1 ? stop(now) : stop(now) + Math.ceil(((1 - tokens) / rate) * 1000);
		},
		stop(now) {
			fill(now);
			return stop(now);
		},
		refusedFor: (now) => (refusedSince === Infinity ? 0 : now - refusedSince),
		window: () => window,
		spend(now) {
			usedAt = now;
			tokens -= 1;
		},
		answered(now) {
			fill(now);
			acceptedInARow++;
			refusedSince = Infinity;
			// Before the first refusal the window doubles with every round of answers; after it, it grows by one.
			window += eased ? 1 / window : 1;
			if (window > burst) window = Infinity;
			resume();
		},
		refused(now, sentAt, waitMs) {
			fill(now);
			stoppedUntil = Math.max(stoppedUntil, now + waitMs);
			refusedSince = Math.min(refusedSince, now);
			// What went out before the pace was lowered brings no news of the lowered pace.
			if (sentAt < loweredAt) return;
			loweredAt = now;
			if (limit === null) {
				window = Math.max(1, Math.min(window, mostAtOnce) / 2);
			} else {
				const { kept } = decrease.find(({ below }) => acceptedInARow < below)!;
				const known = window === Infinity ? rate : rate / 2;
				window = Infinity;
				rate = Math.max(plan * lowest, known * kept);
				if (acceptedInARow >= enough) steady = rate;
				else steady *= acceptedInARow === 0 ? remembered.outage : remembered.crowd;
				// Processes that were refused together must not come back together.
				tokens = -random();
			}
			eased = true;
			acceptedInARow = 0;
			ease = 0;
		},
		forgettable,
	};
}
