import { createWindow } from './window';

/** The rate that the plan of a key allows (section 8); null for a plan without a fixed limit. */
export type Limit = { requestsPerSecond: number; burst: number } | null;

/** How fast requests may go out. All times are milliseconds, from a clock that never runs backwards. */
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
	/** The request that went out at `sentAt` was answered, and not by 429. */
	answered(now: number, sentAt: number): void;
	/** The request that went out at `sentAt` was answered 429; nothing may go out for `waitMs`. */
	refused(now: number, sentAt: number, waitMs: number): void;
	/** A request ended without an answer. */
	unanswered(): void;
	/** Whether there is nothing to remember. */
	forgettable(now: number): boolean;
}

/** After so long without a request nothing is known of the key's other users any more. */
const forgetting = 60_000;
/** Share of the burst that is never used: requests do not arrive as evenly as they are sent. */
const reserve = 0.04;
/**
 * Slow start: one request is under way, and each answer lets more be: by its latency over `growsIn` (milliseconds), so that
 * processes that start a little apart share the burst evenly with a quick service too, and by `most` at most. The first
 * answers make no room yet, because many processes may start at once.
 */
const start = { window: 0.5, growsIn: 400, most: 0.5 };
/**
 * Before the first refusal requests go out at this many times the plan's rate at most. A burst that lasts a few seconds is
 * shared more evenly by processes that start at about the same time, and few requests are on their way when it ends.
 */
const peak = 2;
/** What is taken to be accepted, of the burst, where nothing was; and what is taken off where something was. */
const unsure = 0.25;
/** A process that had so many requests accepted is no newcomer to a crowd: one refusal leaves it this share of the plan. */
const settled = { requests: 4, share: 0.05 };
/** What the first refusal leaves of the plan at most: somebody else is there. */
const shared = 0.5;
/**
 * Refusals that a process is to get each second: `factor` × rate^`exponent`. Below 1, the exponent lets a process that
 * sends more than others be refused more often than it is to be, and so come down; above 0, it keeps the share of
 * refusals low for many processes as for few. Found with test/simulation, as the figures below.
 */
const due = { factor: 0.0088, exponent: 0.4 };
/**
 * At first so many times as many more, because the first rate is a guess, and most lists come to their end within minutes:
 * learning is worth more than it costs. After each `lasts` milliseconds e times fewer.
 */
const eager = { times: 2, lasts: 120_000 };
/** The least that a refusal takes off the rate (as a logarithm). Small steps are what keeps shares equal. */
const step = 0.05;
/**
 * Refusals that come closer together than this share of the time that is due between them tell of a crowd, and take more
 * off in proportion. `weight` is that of the last time in their mean.
 */
const spacings = { crowded: 0.9, weight: 0.3, most: 2 };
/** A silence this many times as long as is due between refusals lets the rate grow faster and faster. */
const patience = 0.5;
const haste = { factor: 20, exponent: 3, most: 0.15 };
/** Share of what the rate grew since the last refusal that the next one takes back at least. */
const takenBack = 0.8;
/** So many refusals in a row lower the rate; more of them tell of an outage, which refuses everyone, and not of a crowd. */
const crowd = 6;
/** Longest pause between two tries while the service refuses everyone, in milliseconds. */
const longestPause = 20_000;
/** The lowest rate, as a share of the plan's. */
const lowest = 1 / 250;

/** What refusals forbid. */
function createStop() {
	let until = -Infinity;
	let refusedSince = Infinity;
	return {
		until: () => until,
		left: (now: number) => Math.max(0, until - now),
		refusedFor: (now: number) => (refusedSince === Infinity ? 0 : now - refusedSince),
		refused(now: number, waitMs: number) {
			until = Math.max(until, now + waitMs);
			refusedSince = Math.min(refusedSince, now);
		},
		/** The service lets requests in again, or so much time has passed that nobody knows. */
		over() {
			refusedSince = Infinity;
		},
	};
}

/** The pace for a key: of `limit`, or bounded by nothing but the requests under way. */
export function createPace(limit: Limit, startsAt: number, random: () => number): Pace {
	return limit ? bucketPace(limit, startsAt, random) : windowPace(startsAt);
}

/** Without a limit. */
function windowPace(startsAt: number): Pace {
	const stop = createStop();
	let window = createWindow(startsAt);
	let usedAt = startsAt;

	const forgettable = (now: number) => now - Math.max(usedAt, stop.until()) > forgetting;
	function forget(now: number) {
		if (!forgettable(now)) return;
		window = createWindow(now);
		stop.over();
	}

	return {
		wait(now) {
			forget(now);
			return stop.left(now);
		},
		stop(now) {
			forget(now);
			return stop.left(now);
		},
		refusedFor: stop.refusedFor,
		window: () => window.size(),
		spend(now) {
			usedAt = now;
		},
		answered(now, sentAt) {
			stop.over();
			window.answered(now, sentAt);
		},
		refused(now, sentAt, waitMs) {
			stop.refused(now, waitMs);
			window.refused(now, sentAt);
		},
		// Says nothing of how many requests help.
		unanswered() {},
		forgettable,
	};
}

/**
 * A token bucket of the plan's size, with a rate of its own at or below the plan's. It starts slowly, until the bucket itself
 * is what limits the requests under way. The first refusal says that the service's bucket is empty: what this process got
 * out of it is its share, and so much of the plan is its rate. From then on a refusal lowers the rate and time without one
 * raises it, so that processes that share a key find their shares without talking to each other.
 */
function bucketPace(limit: NonNullable<Limit>, startsAt: number, random: () => number): Pace {
	const plan = limit.requestsPerSecond;
	const burst = Math.max(1, limit.burst * (1 - reserve));
	/** Until then the bucket may not be full again. */
	const forgottenAfter = Math.max(forgetting, (limit.burst / plan) * 1000);
	const stop = createStop();
	let tokens = burst;
	let filledAt = startsAt;
	let usedAt = -Infinity;
	/**
	 * Tokens to wait for beyond one, anew for each request. A process that sent at an even pace would take each token as it
	 * comes, and who asks between would never find one.
	 */
	let extra = 0;
	let loweredAt = -Infinity;

	let startedAt: number;
	let rate: number;
	/** Infinity once the slow start is over. */
	let window: number;
	/** Whether no refusal has come yet. */
	let alone: boolean;
	/** Requests accepted since the start. */
	let accepted: number;
	let refusedInARow: number;
	/** Time since the last refusal, as a multiple of what is due between two; and the mean of that at the last ones. */
	let silence: number;
	let spacing: number;
	/** Growth of the rate since the last refusal, as a logarithm. */
	let grown: number;

	function begin(now: number) {
		startedAt = now;
		rate = plan;
		window = start.window;
		alone = true;
		accepted = 0;
		refusedInARow = 0;
		silence = 0;
		spacing = 1;
		grown = 0;
		stop.over();
	}
	begin(startsAt);

	/** A lowered rate comes with a smaller bucket: a pause must not end in a burst that the others pay for. */
	const capacity = () => Math.max(1, (burst * rate) / plan);
	const forgettable = (now: number) =>
		now - Math.max(usedAt, stop.until()) > forgottenAfter + 2000 / rate;

	function fill(now: number) {
		if (forgettable(now)) begin(now);
		const since = Math.max(filledAt, stop.until());
		filledAt = now;
		if (rate < plan) recover(since, now);
		tokens = Math.min(capacity(), tokens + (Math.max(0, now - since) / 1000) * rate);
	}

	/** Time without a refusal tells something only while requests go out. */
	function recover(since: number, now: number) {
		const seconds = Math.max(0, Math.min(now, usedAt + 2000 / rate) - since) / 1000;
		const eagerness = 1 + eager.times * Math.exp((startedAt - now) / eager.lasts);
		const dueEachSecond = eagerness * due.factor * rate ** due.exponent;
		silence += seconds * dueEachSecond;
		const hurry = 1 + haste.factor * Math.max(0, silence - patience) ** haste.exponent;
		const growth = seconds * Math.min(haste.most, step * dueEachSecond * hurry);
		grown += growth;
		rate = Math.min(plan, rate * Math.exp(growth));
	}

	/** The rate after the first refusal: the plan's, by the share of the service's bucket that came here. */
	function share(now: number) {
		const all = limit.burst + (plan * (now - startedAt)) / 1000;
		const here = Math.max(unsure, accepted - unsure) / all;
		const least = accepted < settled.requests ? 0 : settled.share;
		return plan * Math.min(shared, Math.max(here, least));
	}

	function widen(growth: number) {
		window += Math.min(start.most, growth);
		if (window > burst) window = Infinity;
	}

	function lower(now: number) {
		if (alone) {
			rate = share(now);
			silence = patience;
		} else {
			spacing += spacings.weight * (Math.min(silence, spacings.most) - spacing);
			const size = step * Math.max(1, spacings.crowded / spacing);
			rate *= Math.exp(-Math.max(size, grown * takenBack));
			silence = 0;
		}
		rate = Math.max(plan * lowest, rate);
	}

	return {
		wait(now) {
			fill(now);
			const missing = Math.min(capacity(), 1 + extra) - tokens;
			const filled = missing > 0 ? Math.ceil((missing / rate) * 1000) : 0;
			const spaced = alone ? Math.floor(usedAt + 1000 / (peak * plan) - now) : 0;
			return Math.max(stop.left(now) + filled, spaced);
		},
		stop(now) {
			fill(now);
			return stop.left(now);
		},
		refusedFor: stop.refusedFor,
		window: () => window,
		spend(now) {
			usedAt = now;
			extra = random();
			tokens -= 1;
		},
		answered(now, sentAt) {
			fill(now);
			stop.over();
			// A process that met an outage when it started knows nothing of the key's other users.
			if (accepted === 0 && refusedInARow > crowd) begin(now);
			// The first request may have arrived as late as its answer allows; the service's bucket fills only from then on.
			if (accepted === 0) tokens = Math.min(tokens, burst - 1);
			accepted++;
			refusedInARow = 0;
			widen((now - sentAt) / start.growsIn);
		},
		refused(now, sentAt, waitMs) {
			fill(now);
			stop.refused(now, waitMs);
			// What went out before the pace was lowered brings no news of the lowered pace.
			if (sentAt < loweredAt) return;
			loweredAt = now;
			window = Infinity;
			refusedInARow++;
			if (refusedInARow <= crowd) lower(now);
			alone = false;
			grown = 0;
			// Processes that were refused together must not come back together.
			tokens = Math.min(tokens, (1 + random()) / 2);
			if (refusedInARow > 1) {
				const pause = Math.min(longestPause, 1000 * 2 ** (refusedInARow - 1));
				stop.refused(now, random() * pause);
			}
		},
		// It was not refused either: connections that hang must not be waited for one after the other.
		unanswered() {
			widen(start.most);
		},
		forgettable,
	};
}
