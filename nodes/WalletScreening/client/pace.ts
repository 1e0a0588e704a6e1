import { minute } from './clock';
import { backoff, longestRetryAfter, retryAfter } from './retryAfter';
import { type Answer, type Fault, isAnswer } from '../shared/http';

/** The rate of a plan (section 8), and how many processes use the key at once, if that is known; null for a plan without a limit. */
export type Limit = {
	requestsPerSecond: number;
	burst: number;
	sharedBy?: number | undefined;
} | null;

/** No answer stops a key for longer, in milliseconds: a header may be wrong. */
const longestStop = 15 * minute;
/** Requests in progress, whatever the limit: more does not help n8n's helper, and costs memory. */
const mostAtOnce = 200;
/** The part of a share that stays free: requests arrive less evenly than they are sent, and the bucket has to fill. */
const reserve = 0.08;
/** How much a rate at the share grows with an accepted request: 14 double it, so that a 429 comes once in 14 requests. */
const rateGrowth = 0.05;
/** How many processes share the key if nobody said it, as a start; */
const assumedProcesses = 4;
/** and at most: no rate is lowered below the share of so many. */
const mostProcesses = 16;
/** Without a limit: an answer that takes so many times as long as the quickest one waited for others. */
const slowFactor = 3;

/**
 * A token bucket of the plan's size and rate. The first 429 says that others use the key: the rate becomes the share, which
 * is the stated one, or else the part of the service's tokens that came here. Each further 429 halves it, and each accepted
 * request lets it grow, a small rate by a larger part of itself than a large one, so that they come together. How many
 * requests are in progress starts with one, grows with the time that answers take, and halves at a 429, too. Without a
 * limit it is all that counts.
 */
export function createPace(limit: Limit, startsAt: number, random: () => number) {
	const unlimited = { requestsPerSecond: 1e6, burst: 1e6, sharedBy: 1 };
	const { requestsPerSecond: plan, burst, sharedBy = 0 } = limit ?? unlimited;
	const stated = sharedBy >= 1 ? Math.min(sharedBy, mostAtOnce) : undefined;
	const shareOf = (processes: number) => (plan * (1 - reserve)) / processes;
	const share = shareOf(stated ?? assumedProcesses);
	const least = shareOf(stated ?? mostProcesses);
	const full = Math.max(1, burst * (1 - reserve));
	/** Milliseconds: a fifth of the time in which the bucket fills, at most a second. */
	const filling = Math.min(1000, (200 * burst) / plan);

	let rate = plan;
	let tokens = full;
	/** When the tokens were counted, or when the service wants to be asked again. */
	let filledAt = startsAt;
	/** Tokens to wait for beyond one, anew for each request: processes must not fall into step with each other. */
	let extra = 0;
	let window = limit === null ? mostAtOnce / 2 : stated === 1 ? mostAtOnce : 1;
	let accepted = 0;
	let quickest = Infinity;
	/** Answers to what was sent before say nothing of the rate that is now. */
	let changedAt = -Infinity;
	let refusedAt = -Infinity;
	/** 429s in a row, and since when. */
	let refusals = 0;
	let refusedSince = Infinity;
	/** Whether one request at a time finds out when the service lets anybody in. */
	let isProbing = false;

	/** A lowered rate comes with a smaller bucket: a pause must not end in a burst that the others pay for. */
	const capacity = () => Math.max(1, (full * rate) / plan);
	function fill(now: number) {
		const passed = Math.max(0, now - filledAt);
		tokens = Math.min(capacity(), tokens + (rate * passed) / 1000);
		filledAt += passed;
	}

	/** With a limit slowly: processes that start together then waste few requests. From the size of the bucket on, that limits them. */
	function widen(latency: number) {
		const isFirst = refusedAt === -Infinity;
		const free = latency > slowFactor * quickest ? 0 : isFirst ? 1 : 1 / window;
		const wider = window + (limit ? Math.min(1, latency / filling) : free);
		window = Math.min(mostAtOnce, wider > full ? Infinity : wider);
	}

	function answered(now: number, sentAt: number) {
		if (sentAt >= refusedAt) [refusals, refusedSince, isProbing] = [0, Infinity, false];
		accepted++;
		quickest = Math.min(quickest, Math.max(1, now - sentAt));
		widen(now - sentAt);
		if (sentAt < changedAt) return;
		changedAt = now;
		rate = Math.min(plan, rate + rateGrowth * Math.sqrt(rate * share));
	}

	function refused(now: number, sentAt: number, asked: number) {
		const isNews = sentAt >= refusedAt;
		const pause = isNews ? backoff(refusals, random) : 0;
		filledAt = Math.max(filledAt, now + Math.min(Math.max(asked, pause), longestStop));
		if (!isNews) return;
		const isFirst = refusedAt === -Infinity;
		refusedAt = changedAt = now;
		refusedSince = Math.min(refusedSince, now);
		refusals++;
		quickest = Infinity;
		// A 429 costs what was saved. Those refused together must not come back together.
		tokens = Math.min(tokens, 0.5 - random());
		// An outage says nothing of the key's other users.
		isProbing ||= refusals > 1 || asked > longestRetryAfter;
		if (isProbing) return;
		window = Math.max(1, window / 2);
		// The burst is what the service saved up before.
		const ownPart = (plan * accepted) / (burst + (plan * (now - startsAt)) / 1000);
		rate = Math.max(least, isFirst ? (stated ? share : ownPart) : rate / 2);
	}

	/** How fast requests may go out. All times are milliseconds, from a clock that never runs backwards. */
	return {
		/** Time until the next request may go out; 0: now. */
		waitFor(now: number) {
			fill(now);
			const missing = Math.max(0, Math.min(capacity(), 1 + extra) - tokens);
			return Math.ceil(filledAt - now + (missing / rate) * 1000);
		},
		/** How many requests may be in progress at once. */
		window: () => (isProbing ? 1 : Math.floor(window)),
		/** A request goes out. */
		sent() {
			tokens -= 1;
			extra = random();
		},
		/** The request that went out at `sentAt` ended so; without a result it was stopped. */
		ended(now: number, sentAt: number, result: Answer | Fault | undefined) {
			fill(now);
			if (!result || !isAnswer(result)) widen(now - sentAt);
			else if (result.status !== 429) answered(now, sentAt);
			else refused(now, sentAt, retryAfter(result.headers, Date.now()) ?? 0);
		},
		/** Time until the service wants to be asked again. */
		stopFor: (now: number) => Math.max(0, filledAt - now),
		/** Time since the first of the latest 429s in a row; 0: the latest answer was another one. */
		refusedFor: (now: number) => Math.max(0, now - refusedSince),
		/** Whether it is unused for so long that a new one is as good. */
		forgettable: (now: number) => now - filledAt > minute + (burst / plan) * 1000,
	};
}
