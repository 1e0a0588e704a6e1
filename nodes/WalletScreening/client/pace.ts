import type { Answer } from '../shared/http';
import { minute } from '../shared/time';
import { backoff, maxRetryAfter } from './retryAfter';

/** The rate of a plan (section 8), and how many processes use the key at once, if that is known; null for a plan without a limit. */
export type Limit = {
	requestsPerSecond: number;
	burst: number;
	sharedBy?: number | undefined;
} | null;

/** No answer stops a key for longer, in milliseconds: a header may be wrong. */
const maxStop = 15 * minute;
/** The most requests in progress with any limit: more do not make n8n's helper faster, and cost memory. */
const maxInProgress = 200;
/** The part of a share that stays free: requests arrive less evenly than they are sent, and the bucket has to fill. */
const reserve = 0.08;
/** How much a rate at the share grows with an accepted request: 14 double it, so that a 429 comes once in 14 requests. */
const rateGrowth = 0.05;
/** How many processes share the key at the start, if the credential does not tell. */
const assumedProcesses = 4;
/** The rate is never lowered below the share of one of so many processes. */
const maxProcesses = 16;
/** An answer waited for others if it takes so many times as long as the quickest one. Only a plan without a limit needs this. */
const slowFactor = 3;

/**
 * How fast the requests of one key may leave. All times are milliseconds, from a clock that never runs backwards.
 *
 * The law: a token bucket of the plan's size and rate. The first 429 shows that others use the key: the rate becomes the share,
 * which is the stated one, or else the part of the service's tokens that came here. Each further 429 halves it, and each accepted
 * request lets it grow, a small rate by a larger part of itself than a large one, so that processes come together. The window is
 * how many requests are in progress: it starts with one, grows with the time that answers take, and halves at a 429, too. Without
 * a limit the window is all that counts.
 */
export class Pace {
	/** Requests per second of the plan. */
	private readonly planRate: number;
	private readonly burst: number;
	/** How many processes use the key, if the credential tells. */
	private readonly statedProcesses: number | undefined;
	/** Requests per second: the share of this process, and the lowest rate. */
	private readonly share: number;
	private readonly minRate: number;
	/** Tokens of a full bucket. */
	private readonly fullBucket: number;
	/** Milliseconds: a fifth of the time in which the bucket fills, at most a second. */
	private readonly fillingTime: number;

	private rate: number;
	private tokens: number;
	/** Tokens are counted up to here. */
	private countedAt: number;
	/** No request leaves before: the service wants to be asked again then. */
	private stoppedUntil = -Infinity;
	/** Tokens that the next request waits for beyond one. They are random, so that processes do not send at the same moments. */
	private extraTokens = 0;
	private openWindow: number;
	private acceptedCount = 0;
	private quickestAnswer = Infinity;
	/** When the rate changed last. An answer to an earlier request shows nothing about the current rate. */
	private changedAt = -Infinity;
	private refusedAt = -Infinity;
	/** How many 429s came in a row, and since when. */
	private refusalCount = 0;
	private refusedSince = Infinity;
	/** Whether one request at a time finds out when the service accepts requests again. */
	private isProbing = false;

	constructor(
		private readonly limit: Limit,
		private readonly startsAt: number,
		/** Uniform in [0, 1). */
		private readonly random: () => number,
	) {
		const unlimited = { requestsPerSecond: 1e6, burst: 1e6, sharedBy: 1 };
		const { requestsPerSecond, burst, sharedBy = 0 } = limit ?? unlimited;
		this.planRate = requestsPerSecond;
		this.burst = burst;
		this.statedProcesses = sharedBy >= 1 ? Math.min(sharedBy, maxInProgress) : undefined;
		this.share = this.shareOf(this.statedProcesses ?? assumedProcesses);
		this.minRate = this.shareOf(this.statedProcesses ?? maxProcesses);
		this.fullBucket = Math.max(1, burst * (1 - reserve));
		this.fillingTime = Math.min(1000, (200 * burst) / requestsPerSecond);
		this.rate = requestsPerSecond;
		this.tokens = this.fullBucket;
		this.countedAt = startsAt;
		this.openWindow = this.firstWindow();
	}

	/** Time until the next request may leave; 0: now. */
	msUntilToken(now: number): number {
		this.fill(now);
		const missing = Math.max(0, Math.min(this.capacity(), 1 + this.extraTokens) - this.tokens);
		return Math.ceil(this.msUntilResume(now) + (missing / this.rate) * 1000);
	}

	/** How many requests may be in progress at once. */
	get window(): number {
		return this.isProbing ? 1 : Math.floor(this.openWindow);
	}

	/** A request leaves. */
	noteSent(): void {
		this.tokens -= 1;
		this.extraTokens = this.random();
	}

	/** The request that left at `sentAt` has this answer; without one it failed or was stopped. */
	noteEnded(now: number, sentAt: number, answer: Answer | undefined): void {
		this.fill(now);
		if (!answer) this.widen(now - sentAt);
		else if (answer.status !== 429) this.noteAccepted(now, sentAt);
		else this.noteRefused(now, sentAt, answer.retryAfter ?? 0);
	}

	/** Time until the service wants to be asked again. */
	msUntilResume(now: number): number {
		return Math.max(0, this.stoppedUntil - now);
	}

	/** Time since the first of the latest 429s in a row; 0: the latest answer was another one. */
	msSinceFirstRefusal(now: number): number {
		return Math.max(0, now - this.refusedSince);
	}

	/** Whether the key is unused for so long that a new pace is as good. */
	isForgettable(now: number): boolean {
		const usedAt = Math.max(this.countedAt, this.stoppedUntil);
		return now - usedAt > minute + (this.burst / this.planRate) * 1000;
	}

	private shareOf(processes: number): number {
		return (this.planRate * (1 - reserve)) / processes;
	}

	private firstWindow(): number {
		if (this.limit === null) return maxInProgress / 2;
		return this.statedProcesses === 1 ? maxInProgress : 1;
	}

	/** A lowered rate comes with a smaller bucket: a pause must not end in a burst that the others pay for. */
	private capacity(): number {
		return Math.max(1, (this.fullBucket * this.rate) / this.planRate);
	}

	private fill(now: number): void {
		// The bucket does not fill while the service has stopped the key.
		const from = Math.max(this.countedAt, this.stoppedUntil);
		if (now < from) return;
		this.tokens = Math.min(this.capacity(), this.tokens + (this.rate * (now - from)) / 1000);
		this.countedAt = now;
	}

	/** The window grows slowly if there is a limit, so that processes that start together waste few requests. Beyond the size of the bucket, only the bucket limits them. */
	private widen(latency: number): void {
		const wider = this.openWindow + this.widening(latency);
		this.openWindow = Math.min(maxInProgress, wider > this.fullBucket ? Infinity : wider);
	}

	private widening(latency: number): number {
		if (this.limit) return Math.min(1, latency / this.fillingTime);
		if (latency > slowFactor * this.quickestAnswer) return 0;
		const wasRefused = this.refusedAt !== -Infinity;
		return wasRefused ? 1 / this.openWindow : 1;
	}

	private noteAccepted(now: number, sentAt: number): void {
		if (sentAt >= this.refusedAt) {
			this.refusalCount = 0;
			this.refusedSince = Infinity;
			this.isProbing = false;
		}
		this.acceptedCount++;
		this.quickestAnswer = Math.min(this.quickestAnswer, Math.max(1, now - sentAt));
		this.widen(now - sentAt);
		if (sentAt < this.changedAt) return;
		this.changedAt = now;
		this.rate = Math.min(this.planRate, this.rate + rateGrowth * Math.sqrt(this.rate * this.share));
	}

	/** `wait` is the time that the header `Retry-After` asks for. */
	private noteRefused(now: number, sentAt: number, wait: number): void {
		const isNews = sentAt >= this.refusedAt;
		const pause = isNews ? backoff(this.refusalCount, this.random) : 0;
		const stop = Math.min(Math.max(wait, pause), maxStop);
		this.stoppedUntil = Math.max(this.stoppedUntil, now + stop);
		if (!isNews) return;
		const isFirst = this.refusedAt === -Infinity;
		this.refusedAt = now;
		this.changedAt = now;
		this.refusedSince = Math.min(this.refusedSince, now);
		this.refusalCount++;
		this.quickestAnswer = Infinity;
		// A 429 costs what was saved. Requests that were refused together must not come back together.
		this.tokens = Math.min(this.tokens, 0.5 - this.random());
		// An outage shows nothing about the key's other users.
		this.isProbing ||= this.refusalCount > 1 || wait > maxRetryAfter;
		if (!this.isProbing) this.slowDown(now, isFirst);
	}

	private slowDown(now: number, isFirst: boolean): void {
		this.openWindow = Math.max(1, this.openWindow / 2);
		this.rate = Math.max(this.minRate, isFirst ? this.firstShare(now) : this.rate / 2);
	}

	/** The stated share, or else the part of the service's tokens that came here. The service had saved a burst before. */
	private firstShare(now: number): number {
		if (this.statedProcesses) return this.share;
		const tokensOfService = this.burst + (this.planRate * (now - this.startsAt)) / 1000;
		return (this.planRate * this.acceptedCount) / tokensOfService;
	}
}
