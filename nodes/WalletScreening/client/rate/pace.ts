import type { Answer } from '../../shared/http';
import { minute } from '../../shared/time';
import { backoff, maxStop } from '../pauses';
import { OutageProbe } from './outageProbe';
import {
	maxInProgress,
	type RequestWindow,
	WindowOfBucket,
	WindowWithoutBucket,
} from './requestWindow';
import { reservedPart, Share } from './share';
import { TokenBucket } from './tokenBucket';

/** The rate limit of a key by its plan (section 8). A plan without one has null instead. */
export interface RateLimit {
	/** Requests per second that the key may send all the time. */
	requestsPerSecond: number;
	/** Requests that it may send at once after a pause. */
	burst: number;
	/** Processes that use the key at the same time, if that is known. */
	sharedBy?: number | undefined;
}

/** How much a rate at the share grows in one step, see `growRate`. */
const rateGrowth = 0.05;
/**
 * The limit that a plan without one has here: so high that only the window limits its requests, also
 * after a 429.
 */
const unlimited: RateLimit = { requestsPerSecond: 1e6, burst: 1e6, sharedBy: 1 };

/**
 * How fast the requests of one key may leave. All times are milliseconds, from a clock that never
 * runs backwards.
 *
 * The law: a token bucket of the plan's size and rate, and a window of requests in progress
 * (`requestWindow.ts`). The first 429 shows that others use the key: the rate becomes the share
 * (`share.ts`). Each further 429 halves the rate, but not below the least share. The first answer
 * to a request that left since the last change raises it by a step. A second 429 in a row is an
 * outage: one request at a time finds out when it is over (`outageProbe.ts`).
 * `docs/engineering/scaling.md` has what comes of this with up to 64 processes.
 *
 * @example A key has 10 requests per second and a burst of 50. One request after another is
 * answered, each in 0.1 seconds: 30 are accepted, two are refused, and one is accepted.
 *
 *     answer     rate    requests at once    pause           why
 *     200        10      4                   -               the rate of the plan
 *     429        3.7     2                   up to 0.5 s     30 of 81 tokens came here
 *     429        3.7     1                   up to 1 s       an outage: it probes
 *     200        3.85    2                   -               the outage is over
 */
export class Pace {
	/** Requests per second of the plan. */
	private readonly planRate: number;
	/** Milliseconds in which a burst comes at the rate of the plan. */
	private readonly msToFill: number;
	private readonly share: Share;
	private readonly bucket: TokenBucket;
	/** How many requests may be in progress at once, as long as the service accepts them. */
	private readonly regularWindow: RequestWindow;
	private readonly outage = new OutageProbe();
	/** When the rate changed last. */
	private changedAt = -Infinity;

	constructor(
		limit: RateLimit | null,
		startsAt: number,
		/** Uniform in [0, 1). */
		private readonly random: () => number,
	) {
		const { requestsPerSecond: planRate, burst, sharedBy } = limit ?? unlimited;
		this.planRate = planRate;
		this.msToFill = (burst / planRate) * 1000;
		this.share = new Share({ planRate, burst, sharedBy }, startsAt);
		const bucketSize = Math.max(1, burst * (1 - reservedPart));
		this.bucket = new TokenBucket(planRate, bucketSize, startsAt);
		// A process that is alone on its key need not start carefully.
		const firstWindow = this.share.statedProcesses === 1 ? maxInProgress : 1;
		this.regularWindow = limit
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
		return this.outage.isProbing ? 1 : Math.floor(this.regularWindow.size);
	}

	/** Time since the first of the latest 429s in a row; 0: the latest answer was another one. */
	msSinceFirstRefusal(now: number): number {
		return this.outage.msSinceFirstRefusal(now);
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
		if (!answer) this.regularWindow.noteFailed(now - sentAt);
		else if (answer.status !== 429) this.noteNotRefused(now, sentAt);
		else this.noteRefused(now, sentAt, answer.retryAfter ?? 0);
	}

	private noteNotRefused(now: number, sentAt: number): void {
		this.outage.noteNotRefused(sentAt);
		this.share.noteNotRefused();
		this.regularWindow.noteNotRefused(now - sentAt);
		// Only an answer to a request that left at the present rate counts for that rate: of 20
		// requests in progress, the first answer makes a step, and the others none.
		if (sentAt < this.changedAt) return;
		this.changedAt = now;
		this.growRate();
	}

	/** `wait` is the time that the header `Retry-After` asks for. */
	private noteRefused(now: number, sentAt: number, wait: number): void {
		// Before the probe notes this 429, which changes both answers.
		const isNews = this.outage.isNews(sentAt);
		const isFirst = !this.outage.wasRefused;
		const pause = isNews ? backoff(this.outage.refusalsInARow, this.random) : 0;
		this.bucket.stop(now + Math.min(Math.max(wait, pause), maxStop));
		if (!isNews) return;
		this.outage.noteRefused(now, wait);
		this.changedAt = now;
		this.regularWindow.noteRefused();
		// A 429 takes away the tokens that were saved. It leaves at most a random number of tokens from
		// -0.5 (owed) to 0.5, so that requests that were refused together do not come back together.
		this.bucket.leaveAtMost(0.5 - this.random());
		// An outage shows nothing about the key's other users.
		if (!this.outage.isProbing) this.slowDown(now, isFirst);
	}

	/**
	 * Raises the rate by a step, after an answer that is not a 429.
	 *
	 * The law: what a step adds is a smaller part of a high rate than of a low one, and a 429 takes the
	 * same part of each. So processes come to the same rate, if as many of their requests are refused.
	 * This is the principle of additive increase and multiplicative decrease (D. Chiu and R. Jain,
	 * Analysis of the Increase and Decrease Algorithms for Congestion Avoidance in Computer Networks,
	 * 1989), by which connections of TCP share a line (RFC 5681). The root lies
	 * between adding the same to each rate, which is much for a low one, and adding the same part, by
	 * which no rates come together.
	 *
	 * Around the share, 14 steps double a rate, and a 429 halves it. So one of 15 requests is refused
	 * if each answer comes before the next request leaves.
	 */
	private growRate(): void {
		const growth = rateGrowth * Math.sqrt(this.bucket.rate * this.share.equalPart);
		this.bucket.rate = Math.min(this.planRate, this.bucket.rate + growth);
	}

	/** Lowers the rate after a 429: the first time to the share, later to a half. */
	private slowDown(now: number, isFirst: boolean): void {
		this.regularWindow.halve();
		const rate = isFirst ? this.share.atFirstRefusal(now) : this.bucket.rate / 2;
		this.bucket.rate = Math.max(this.share.minRate, rate);
	}
}
