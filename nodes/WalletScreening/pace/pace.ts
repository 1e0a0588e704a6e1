import { backoff, longestRetryAfter } from './retryAfter';
import { createWindow, minute, mostAtOnce } from './window';

/**
 * The rate that the plan of a key allows (section 8), and how many processes use the key at the same time, if somebody
 * said so; null for a plan without a fixed limit.
 */
export type Limit = {
	requestsPerSecond: number;
	burst: number;
	sharedBy?: number | undefined;
} | null;

/** What the service says is left of the key's limit (RateLimit headers), for all that use the key. */
export interface Quota {
	/** Requests that are left until the reset. */
	remaining: number;
	/** Milliseconds until the whole limit is there again. */
	resetMs: number;
}

/** How fast requests may go out. All times are milliseconds, from a clock that never runs backwards. */
export interface Pace {
	/** Milliseconds until the next request may go out; 0: now. */
	wait(now: number): number;
	/** Milliseconds until the service wants to be asked again. */
	stop(now: number): number;
	/** Milliseconds since the first of the latest refusals in a row; 0: the latest answer was no refusal. */
	refusedFor(now: number): number;
	/** How many requests may be in progress at once. */
	window(): number;
	/** A request goes out. */
	spend(now: number): void;
	/** The request that went out at `sentAt` was answered, and not by 429. */
	answered(now: number, sentAt: number, quota?: Quota): void;
	/** The request that went out at `sentAt` was answered 429; nothing may go out for `waitMs`. */
	refused(now: number, sentAt: number, waitMs: number): void;
	/** A request ended without an answer. */
	unanswered(): void;
	/** Whether nothing is worth remembering. */
	forgettable(now: number): boolean;
}

/** No answer stops a key for longer, in milliseconds: a header may be wrong. */
const longestStop = 15 * minute;

/** Share of the burst that is left unused: requests do not arrive as evenly as they are sent. */
const reserve = 0.08;
/** Milliseconds. At the start, an answer that takes so long lets one more request be in progress, a quicker one a part of it. */
const widening = 600;
/** The number of processes that a key is assumed to have, at most, if none is stated. */
const usual = 16;
/** How much of its share a process keeps after a 429: not all, so that the bucket fills and the rates have room to grow. */
const kept = 0.88;
/** How much of itself a rate grows by with each accepted request: six take it from `kept` to as much above the share. */
const growth = 0.046;
/** How much an answer counts in the share that is refused: half of it comes from the last 34 answers. */
const weight = 0.02;
/** If a larger share is refused, there are more processes than stated or assumed. */
const many = 0.2;

/** The stop that refusals impose. */
function createStop(random: () => number) {
	let until = -Infinity;
	let refusedAt = -Infinity;
	let since = Infinity;
	let inRow = 0;
	let isLong = false;
	return {
		until: () => until,
		left: (now: number) => Math.max(0, until - now),
		refusedFor: (now: number) => (since === Infinity ? 0 : now - since),
		/** Whether one request at a time is to find out if the service lets anybody in. */
		isProbing: () => isLong || inRow > 1,
		/** Gives false for a request that went out before the last refusal came, and so brings no news. */
		refused(now: number, sentAt: number, waitMs: number) {
			const isNews = sentAt >= refusedAt;
			let wait = waitMs;
			if (isNews) {
				refusedAt = now;
				since = Math.min(since, now);
				if (inRow > 0) wait = Math.max(wait, backoff(inRow + 1, random));
				inRow++;
			}
			isLong ||= waitMs > longestRetryAfter;
			until = Math.max(until, now + Math.min(wait, longestStop));
			return isNews;
		},
		/** The service lets requests in again. */
		over() {
			since = Infinity;
			inRow = 0;
			isLong = false;
		},
		/** So much time has passed that the state is unknown. */
		forget() {
			since = Infinity;
		},
	};
}

/** The pace for a key: of `limit`, or bounded only by the requests in progress. */
export function createPace(limit: Limit, startsAt: number, random: () => number): Pace {
	return limit ? bucketPace(limit, startsAt, random) : windowPace(startsAt, random);
}

/** Without a limit. */
function windowPace(startsAt: number, random: () => number): Pace {
	const stop = createStop(random);
	let window = createWindow(startsAt);
	let usedAt = startsAt;

	const forgettable = (now: number) => now - Math.max(usedAt, stop.until()) > minute;
	function left(now: number) {
		if (forgettable(now)) {
			window = createWindow(now);
			stop.forget();
		}
		return stop.left(now);
	}

	return {
		wait: left,
		stop: left,
		refusedFor: stop.refusedFor,
		window: () => (stop.isProbing() ? 1 : window.size()),
		spend(now) {
			usedAt = now;
		},
		answered(now, sentAt) {
			stop.over();
			window.answered(now, sentAt);
		},
		refused(now, sentAt, waitMs) {
			if (stop.refused(now, sentAt, waitMs)) window.refused(now);
		},
		// Says nothing of how many requests help.
		unanswered() {},
		forgettable,
	};
}

/**
 * A token bucket of the plan's size, whose rate is at or below the plan's.
 *
 * The start is a slow start: one request is in progress, and the answers let more be, until the bucket is what limits
 * them. If only one process uses the key, it stays there. The first 429 says that others use the key: the rate becomes
 * the stated share, or else the share of the service's bucket that came here.
 *
 * From then on each accepted request makes the rate grow by a part of itself, and each 429 sets it back to a part of the
 * share. So all processes go through the same cycle, whatever they had before. A process whose neighbours have left is
 * no longer set back, and has twice the rate after some 16 requests.
 */
function bucketPace(
	{ requestsPerSecond: plan, burst, sharedBy }: NonNullable<Limit>,
	startsAt: number,
	random: () => number,
): Pace {
	const full = Math.max(1, burst * (1 - reserve));
	// A share must stay large enough to learn from; more processes than this share a key only by mistake.
	const stated = sharedBy && sharedBy >= 1 ? Math.min(sharedBy, mostAtOnce) : undefined;
	/** Until then the bucket may not be full again. */
	const forgottenAfter = Math.max(minute, (burst / plan) * 1000);
	const stop = createStop(random);
	let tokens = full;
	let filledAt = startsAt;
	let usedAt = -Infinity;
	/** Tokens to wait for beyond one, anew for each request: processes must not fall into step with each other. */
	let extra = 0;

	let window: number;
	let rate: number;
	/** What was stated or is taken for the share of the plan, in requests per second. */
	let share: number;
	/** What came, and in how many seconds; each 429 halves the weight of what was before it. */
	let came: number;
	let seconds: number;
	let countedAt: number;
	/** The share of requests that are refused, except in an outage. */
	let refusals: number;
	/** When the rate last changed: what was sent before brings no news of it. */
	let changedAt: number;
	let isStarting: boolean;
	let hasAnswer: boolean;
	/** Whether the service says what is left, so that nothing has to be learned. */
	let isTold: boolean;

	function begin(now: number) {
		window = stated === 1 ? Infinity : 1;
		rate = plan;
		share = plan / (stated ?? usual);
		came = 0;
		// The burst is what the service saved up in this time.
		seconds = burst / plan;
		countedAt = now;
		refusals = 0;
		changedAt = -Infinity;
		isStarting = true;
		hasAnswer = false;
		isTold = false;
	}
	begin(startsAt);

	/** A lowered rate comes with a smaller bucket: a pause must not end in a burst that the others pay for. */
	const capacity = () => (isTold ? 1 : Math.max(1, (full * rate) / plan));
	const forgettable = (now: number) =>
		now - Math.max(usedAt, stop.until()) > forgottenAfter + 2000 / rate;

	function fill(now: number) {
		if (forgettable(now)) {
			begin(now);
			stop.forget();
		}
		const open = Math.max(0, now - Math.max(filledAt, stop.until()));
		tokens = Math.min(capacity(), tokens + (rate * open) / 1000);
		filledAt = now;
	}

	function lower(now: number) {
		seconds += (now - countedAt) / 1000;
		const measured = came / seconds;
		// The first 429 comes too soon to measure more than what was stated.
		if (isStarting) rate = stated ? share : Math.max(share, measured);
		else rate = kept * Math.max(share, stated ? kept * measured : measured);
		rate = Math.min(plan, rate);
		came /= 2;
		seconds /= 2;
		countedAt = changedAt = now;
		isStarting = false;
		window = Infinity;
	}

	function count(refused: 0 | 1) {
		refusals += weight * (refused - refusals);
		if (refusals < many) return;
		share /= 2;
		refusals = 0;
	}

	function widen(by = 1) {
		window += by;
		if (window > full) window = Infinity;
	}

	return {
		wait(now) {
			fill(now);
			const missing = Math.min(capacity(), 1 + extra) - tokens;
			return stop.left(now) + Math.max(0, Math.ceil((missing / rate) * 1000));
		},
		stop(now) {
			fill(now);
			return stop.left(now);
		},
		refusedFor: stop.refusedFor,
		window: () => (stop.isProbing() ? 1 : Math.floor(window)),
		spend(now) {
			usedAt = now;
			extra = random();
			tokens -= 1;
		},
		answered(now, sentAt, quota) {
			fill(now);
			// A process that met an outage when it started knows nothing of the key's other users.
			if (!hasAnswer && stop.isProbing()) begin(now);
			stop.over();
			// The first request may have arrived as late as its answer allows; the service's bucket fills only from then on.
			if (!hasAnswer) tokens = Math.min(tokens, full - 1);
			hasAnswer = true;
			came++;
			count(0);
			widen(Math.min(1, (now - sentAt) / widening));
			// What is left of an hour or a day says nothing of the next seconds.
			isTold = quota !== undefined && quota.remaining >= 0 && quota.resetMs <= minute;
			if (isTold) {
				// Of a bucket or of a window alike, this leaves something for everyone until the reset.
				rate = (1000 * Math.max(0.5, quota!.remaining)) / Math.max(1000, quota!.resetMs);
				tokens = Math.min(tokens, 1);
			} else if (sentAt >= changedAt) {
				rate = Math.min(plan, rate * (1 + growth));
				changedAt = now;
			}
		},
		refused(now, sentAt, waitMs) {
			fill(now);
			if (!stop.refused(now, sentAt, waitMs)) return;
			// In an outage, refusals say nothing of the key's other users.
			if (!stop.isProbing()) {
				count(1);
				lower(now);
			}
			// A refusal costs a pause, so that the service's bucket fills. Those refused together must not come back together.
			tokens = Math.min(tokens, 0) + 0.5 - random();
		},
		// It was not refused either: connections that hang must not be waited for one after the other.
		unanswered: widen,
		forgettable,
	};
}
