import { longestRetryAfter } from './retryAfter';
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
	/** Milliseconds since the first of the refusals that no other answer has come between; 0: none. */
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
	/** Whether there is nothing to remember. */
	forgettable(now: number): boolean;
}

/** No answer stops a key for longer, in milliseconds: a header may be wrong. */
const longestStop = 15 * minute;

/** Milliseconds. The longest pause in an outage, and how long a number of processes is believed against all 429s. */
const halfMinute = 30_000;
/** Share of the plan and of the burst that is left unused: requests do not arrive as evenly as they are sent. */
const reserve = 0.08;
/** How many more may be in progress after each answer of the start: few, because many processes may start at once. */
const widening = 0.25;
/** The processes that a key is taken to have if nobody said, once a 429 has shown that there are several. */
const usual = 8;
/** The share of requests that may be refused. */
const goal = 0.08;
/** How much of itself a share grows by in the time of one request: with this, what is refused comes to the goal. */
const growth = 0.006;
/** If more of the requests of half a minute are refused, there are more processes than were stated or taken. */
const many = 0.2;

/** What refusals forbid. */
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
				// Exponential backoff with full jitter, as published: at most 2 s, 4 s, and so on up to half a minute.
				if (inRow > 0) wait = Math.max(wait, random() * Math.min(halfMinute, 1000 * 2 ** inRow));
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
		/** So much time has passed that nobody knows. */
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
 * The start is a slow start: one request is in progress, and each answer lets more be, until the bucket is what limits
 * them. If only one process uses the key, it stays there. The first 429 says that others use the key: the rate becomes
 * the stated share, or else the share of the service's bucket that came here.
 *
 * From then on the rate grows with time, and each refusal halves it (additive increase, multiplicative decrease). All
 * processes meet the same share of refusals, so the quickest one is halved most often, and the shares come together. The
 * increase is by the square of the share, so that few processes and many have the same share of refusals. Each request
 * that is accepted since the last refusal lets the share be taken for larger: others may have left.
 *
 * `sharedBy` adds a floor: the stated share comes in tokens whatever is refused, also while the service asks to wait.
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

	let startedAt: number;
	let isStarting: boolean;
	let accepted: number;
	let window: number;
	/** What this process takes for its share of the plan, and so much of it as comes whatever is refused. */
	let share: number;
	let floor: number;
	/** The rate that was learned, and the requests accepted since the last refusal. */
	let learned: number;
	let unrefused: number;
	/** Whether the service says what is left, so that nothing has to be learned. */
	let isTold: boolean;
	let counted: { since: number; all: number; refused: number };

	function begin(now: number) {
		startedAt = now;
		isStarting = true;
		accepted = 0;
		window = stated === 1 ? Infinity : 1;
		take(plan / (stated ?? usual));
		learned = plan;
		unrefused = 0;
		isTold = false;
		counted = { since: now, all: 0, refused: 0 };
	}
	begin(startsAt);

	function take(part: number) {
		share = part;
		floor = stated ? share * (1 - reserve) : 0;
	}

	const least = () => (isTold ? 0 : floor);
	const rate = () => Math.max(learned, least());
	/** A lowered rate comes with a smaller bucket: a pause must not end in a burst that the others pay for. */
	const capacity = () => (isTold ? 1 : Math.max(1, (full * rate()) / plan));
	const forgettable = (now: number) =>
		now - Math.max(usedAt, stop.until()) > forgottenAfter + 2000 / rate();

	function fill(now: number) {
		if (forgettable(now)) {
			begin(now);
			stop.forget();
		}
		const since = Math.max(filledAt, stop.until());
		if (learned < plan && !isTold) grow(since, now);
		const open = Math.max(0, now - since);
		tokens += (least() * (now - filledAt) + (rate() - least()) * open) / 1000;
		tokens = Math.min(capacity(), tokens);
		filledAt = now;
	}

	/** Time without a refusal tells something only while requests go out. */
	function grow(since: number, now: number) {
		const seconds = Math.max(0, Math.min(now, usedAt + 2000 / rate()) - since) / 1000;
		const believed = share * (1 + goal * unrefused);
		learned = Math.min(plan, rate() + seconds * growth * believed ** 2);
	}

	function lower(now: number) {
		const came = accepted / (burst + (plan * (now - startedAt)) / 1000);
		if (!isStarting) learned = rate() / 2;
		else learned = stated ? share : Math.max(share, plan * Math.min(1, came));
		isStarting = false;
		unrefused = 0;
		window = Infinity;
	}

	function count(now: number, refused: number) {
		counted.all++;
		counted.refused += refused;
		if (now - counted.since < halfMinute || counted.all * many < 5) return;
		const refusals = counted.refused / counted.all;
		if (refusals > many) take(share * (1 - refusals));
		counted = { since: now, all: 0, refused: 0 };
	}

	function widen() {
		window += widening;
		if (window > full) window = Infinity;
	}

	return {
		wait(now) {
			fill(now);
			const left = stop.left(now);
			const missing = Math.min(capacity(), 1 + extra) - tokens - (least() * left) / 1000;
			return left + Math.max(0, Math.ceil((missing / rate()) * 1000));
		},
		stop(now) {
			fill(now);
			return stop.left(now);
		},
		refusedFor: stop.refusedFor,
		window: () => (stop.isProbing() ? 1 : window),
		spend(now) {
			usedAt = now;
			extra = random();
			tokens -= 1;
		},
		answered(now, _sentAt, quota) {
			fill(now);
			// A process that met an outage when it started knows nothing of the key's other users.
			if (!stated && accepted === 0 && stop.isProbing()) begin(now);
			stop.over();
			count(now, 0);
			// The first request may have arrived as late as its answer allows; the service's bucket fills only from then on.
			unrefused++;
			if (accepted++ === 0) tokens = Math.min(tokens, full - 1);
			widen();
			// What is left of an hour or a day says nothing of the next seconds.
			isTold = quota !== undefined && quota.remaining >= 0 && quota.resetMs <= minute;
			if (isTold) {
				// Of a bucket or of a window alike, this leaves something for everyone until the reset.
				learned = (1000 * Math.max(0.5, quota!.remaining)) / Math.max(1000, quota!.resetMs);
				tokens = Math.min(tokens, 1);
			} else learned = Math.min(learned, plan);
		},
		refused(now, sentAt, waitMs) {
			fill(now);
			count(now, 1);
			if (!stop.refused(now, sentAt, waitMs)) return;
			if (!stop.isProbing()) lower(now);
			// A stated share is not spent by a refusal. Processes that were refused together must not come back together.
			tokens = Math.min(tokens + (stated ? 1 : 0), 1) - random();
		},
		// It was not refused either: connections that hang must not be waited for one after the other.
		unanswered: widen,
		forgettable,
	};
}
