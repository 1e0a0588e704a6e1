import type { Answer } from '../shared/http';
import { minute } from '../shared/time';
import {
	maxInProgress,
	type RequestWindow,
	WindowOfBucket,
	WindowWithoutBucket,
} from './requestWindow';
import { backoff, maxRetryAfter } from './retryAfter';

/** The rate limit of a key by its plan (section 8). A plan without one has null instead. */
export interface RateLimit {
	/** Requests per second that the key may send all the time. */
	requestsPerSecond: number;
	/** Requests that it may send at once after a pause. */
	burst: number;
	/** Processes that use the key at the same time, if that is known. */
	sharedBy?: number | undefined;
}

/** No answer stops a key for longer, in milliseconds: a header may be wrong. */
const maxStop = 15 * minute;
/**
 * The part of a share that stays free: requests arrive less evenly than they are sent, and the
 * bucket has to fill.
 */
const reserve = 0.08;
/** How many processes share the key at the start, if the credential does not tell. */
const assumedProcesses = 4;
/** The rate is never lowered below the share of one of so many processes. */
const maxProcesses = 16;
/**
 * How much a rate at the share grows with an accepted request: 14 double it, so that a 429 comes
 * once in 14 requests.
 */
const rateGrowth = 0.05;
/**
 * The limit that a plan without one has here: so high that only the window limits its requests. A
 * 429 lowers the rate also of such a plan.
 */
const unlimited: RateLimit = { requestsPerSecond: 1e6, burst: 1e6, sharedBy: 1 };

/**
 * How fast the requests of one key may leave. All times are milliseconds, from a clock that never
 * runs backwards.
 *
 * The law: a token bucket of the plan's size and rate, and a window of requests in progress
 * (`requestWindow.ts`). The first 429 shows that others use the key: the rate becomes the share,
 * which is the stated one, or else the part of the service's tokens that came here. Each further 429
 * halves the rate, and each accepted request lets it grow. A second 429 in a row is an outage: one
 * request at a time finds out when it is over. `docs/engineering/scaling.md` has what comes of this
 * with up to 64 processes.
 *
 * @example Of a key with 10 requests per second and a burst of 50, 30 requests were accepted in 3
 * seconds, one after another. Then come these answers:
 *
 *     answer     tokens    rate    requests at once    pause           why
 *     200        46        10      4                   -               the rate of the plan
 *     429        0         3.7     2                   up to 0.5 s     30 of 81 tokens came here
 *     429        0         3.7     1                   up to 1 s       an outage: it probes
 *     200        0.9       3.9     2                   -               the outage is over
 */
export class Pace {
	private readonly bucket: TokenBucket;
	/** How many requests may be in progress at once, as long as the service accepts them. */
	private readonly windowUnlessProbing: RequestWindow;

	/** Requests per second of the plan. */
	private readonly planRate: number;
	private readonly burst: number;
	/** Milliseconds in which a burst comes at the rate of the plan. */
	private readonly msToFill: number;
	/** How many processes use the key, if the credential tells. */
	private readonly statedProcesses: number | undefined;
	/** Requests per second: the share of this process, and the lowest rate. */
	private readonly share: number;
	private readonly minRate: number;
	private acceptedCount = 0;
	/** When the rate changed last. */
	private changedAt = -Infinity;

	/** When the latest 429 came that was news, see `leftAfterRefusal`. */
	private refusedAt = -Infinity;
	/** How many 429s came in a row, and since when. */
	private refusalCount = 0;
	private refusedSince = Infinity;
	/** Whether one request at a time finds out when the service accepts requests again. */
	private isProbing = false;

	constructor(
		limit: RateLimit | null,
		private readonly startsAt: number,
		/** Uniform in [0, 1). */
		private readonly random: () => number,
	) {
		const { requestsPerSecond, burst, sharedBy = 0 } = limit ?? unlimited;
		this.planRate = requestsPerSecond;
		this.burst = burst;
		this.statedProcesses = sharedBy >= 1 ? Math.min(sharedBy, maxInProgress) : undefined;
		this.share = this.shareOf(this.statedProcesses ?? assumedProcesses);
		this.minRate = this.shareOf(this.statedProcesses ?? maxProcesses);
		this.msToFill = (burst / requestsPerSecond) * 1000;
		const bucketSize = Math.max(1, burst * (1 - reserve));
		this.bucket = new TokenBucket(requestsPerSecond, bucketSize, startsAt);
		const firstWindow = this.statedProcesses === 1 ? maxInProgress : 1;
		this.windowUnlessProbing = limit
			? new WindowOfBucket(firstWindow, bucketSize, this.msToFill)
			: new WindowWithoutBucket();
	}

	/** Time until the next request may leave; 0: now. */
	msUntilToken(now: number): number {
		return this.bucket.msUntilToken(now);
	}

	/** Time until the service wants to be asked again. */
	msUntilResume(now: number): number {
		return this.bucket.msUntilResume(now);
	}

	/** How many requests may be in progress at once. */
	get window(): number {
		return this.isProbing ? 1 : Math.floor(this.windowUnlessProbing.size);
	}

	/** Time since the first of the latest 429s in a row; 0: the latest answer was another one. */
	msSinceFirstRefusal(now: number): number {
		return Math.max(0, now - this.refusedSince);
	}

	/** Whether the key is unused for so long that a new pace is as good. */
	isForgettable(now: number): boolean {
		return this.bucket.msUnused(now) > minute + this.msToFill;
	}

	/** Notes that a request leaves. */
	noteSent(): void {
		this.bucket.take(this.random());
	}

	/** Notes the answer to the request of `sentAt`; undefined if it failed or was stopped. */
	noteEnded(now: number, sentAt: number, answer: Answer | undefined): void {
		// Up to now, the tokens came at the rate that may change below.
		this.bucket.fill(now);
		if (!answer) this.windowUnlessProbing.noteFailed(now - sentAt);
		else if (answer.status !== 429) this.noteAccepted(now, sentAt);
		else this.noteRefused(now, sentAt, answer.retryAfter ?? 0);
	}

	private shareOf(processes: number): number {
		return (this.planRate * (1 - reserve)) / processes;
	}

	/**
	 * Whether a request left after the latest 429 that was news, so that its answer is news, too. Of
	 * requests that are refused together, only the first 429 is.
	 */
	private leftAfterRefusal(sentAt: number): boolean {
		return sentAt >= this.refusedAt;
	}

	/** Whether a request left at the present rate. Only then does its answer count for that rate. */
	private leftAtThisRate(sentAt: number): boolean {
		return sentAt >= this.changedAt;
	}

	private wasRefused(): boolean {
		return this.refusedAt > -Infinity;
	}

	private noteAccepted(now: number, sentAt: number): void {
		if (this.leftAfterRefusal(sentAt)) {
			this.refusalCount = 0;
			this.refusedSince = Infinity;
			this.isProbing = false;
		}
		this.acceptedCount++;
		this.windowUnlessProbing.noteAccepted(now - sentAt);
		if (!this.leftAtThisRate(sentAt)) return;
		this.changedAt = now;
		// A rate below the share grows by a larger part of itself than one above it, so that processes
		// come together.
		const growth = rateGrowth * Math.sqrt(this.bucket.rate * this.share);
		this.bucket.rate = Math.min(this.planRate, this.bucket.rate + growth);
	}

	/** `wait` is the time that the header `Retry-After` asks for. */
	private noteRefused(now: number, sentAt: number, wait: number): void {
		const isNews = this.leftAfterRefusal(sentAt);
		const pause = isNews ? backoff(this.refusalCount, this.random) : 0;
		this.bucket.stop(now + Math.min(Math.max(wait, pause), maxStop));
		if (!isNews) return;
		const isFirst = !this.wasRefused();
		this.refusedAt = now;
		this.changedAt = now;
		this.refusedSince = Math.min(this.refusedSince, now);
		this.refusalCount++;
		this.windowUnlessProbing.noteRefused();
		// A 429 takes away the tokens that were saved. It leaves a random part, so that requests that
		// were refused together do not come back together.
		this.bucket.leaveAtMost(0.5 - this.random());
		const isOutage = this.refusalCount > 1 || wait > maxRetryAfter;
		this.isProbing ||= isOutage;
		// An outage shows nothing about the key's other users.
		if (!this.isProbing) this.slowDown(now, isFirst);
	}

	private slowDown(now: number, isFirst: boolean): void {
		this.windowUnlessProbing.halve();
		const rate = isFirst ? this.firstShare(now) : this.bucket.rate / 2;
		this.bucket.rate = Math.max(this.minRate, rate);
	}

	/**
	 * The stated share, or else the part of the service's tokens that came here. The service had
	 * saved a burst before.
	 */
	private firstShare(now: number): number {
		if (this.statedProcesses) return this.share;
		const tokensOfService = this.burst + (this.planRate * (now - this.startsAt)) / 1000;
		return (this.planRate * this.acceptedCount) / tokensOfService;
	}
}

/**
 * The tokens of a key, one for each request. A stop by the service ends their coming for so long.
 */
class TokenBucket {
	/** Tokens that come in a second. Before it changes, `fill` counts those that came. */
	rate: number;
	private tokens: number;
	/** Tokens are counted up to here. */
	private countedAt: number;
	/** Tokens that the next request waits for beyond one. */
	private extraTokens = 0;
	private stoppedUntil = -Infinity;

	/** A full bucket. `size` is what it holds at the rate `maxRate`. */
	constructor(
		private readonly maxRate: number,
		private readonly size: number,
		now: number,
	) {
		this.rate = maxRate;
		this.tokens = size;
		this.countedAt = now;
	}

	/** Counts the tokens that have come. */
	fill(now: number): void {
		const from = Math.max(this.countedAt, this.stoppedUntil);
		if (now < from) return;
		this.tokens = Math.min(this.capacity(), this.tokens + (this.rate * (now - from)) / 1000);
		this.countedAt = now;
	}

	msUntilToken(now: number): number {
		this.fill(now);
		const missing = Math.max(0, Math.min(this.capacity(), 1 + this.extraTokens) - this.tokens);
		return Math.ceil(this.msUntilResume(now) + (missing / this.rate) * 1000);
	}

	/**
	 * Takes a token. The next request waits for one and `extraTokens`: a random part, so that
	 * processes do not send at the same moments.
	 */
	take(extraTokens: number): void {
		this.tokens -= 1;
		this.extraTokens = extraTokens;
	}

	/** Leaves at most so many tokens. A number below 0 is owed. */
	leaveAtMost(tokens: number): void {
		this.tokens = Math.min(this.tokens, tokens);
	}

	/** Lets no token come before this time. */
	stop(until: number): void {
		this.stoppedUntil = Math.max(this.stoppedUntil, until);
	}

	msUntilResume(now: number): number {
		return Math.max(0, this.stoppedUntil - now);
	}

	/** Time since it was last looked at, or since the end of a stop. */
	msUnused(now: number): number {
		return now - Math.max(this.countedAt, this.stoppedUntil);
	}

	/** A lowered rate has a smaller bucket, so that no pause ends in a burst at others' cost. */
	private capacity(): number {
		return Math.max(1, (this.size * this.rate) / this.maxRate);
	}
}
