/** The most requests in progress: more do not make n8n's helper faster, and cost memory. */
export const maxInProgress = 200;

/** An answer that takes so many times as long as the quickest one had to wait for others. */
const slowFactor = 3;

/**
 * How many requests of a key may be in progress at once. It grows with each request that ends, also
 * with one that failed, because only a 429 shows that the service has too many. After one,
 * `Pace.slowDown` decides whether it halves. Latencies are milliseconds.
 */
export abstract class RequestWindow {
	constructor(public size: number) {}

	/** Notes that a request was answered, not with a 429. */
	noteNotRefused(latency: number): void {
		this.widen(latency);
	}

	/** Notes that a request failed, or was stopped. */
	noteFailed(latency: number): void {
		this.widen(latency);
	}

	/** Notes a 429. */
	noteRefused(): void {}

	halve(): void {
		this.size = Math.max(1, this.size / 2);
	}

	/** Grows by what a request that took so long adds. */
	protected abstract widen(latency: number): void;
}

/**
 * The window of a plan with a limit. It grows slowly, so that processes that start together waste
 * few requests. Each answer adds its latency / `growthTime`. A full window gets `size` answers in one
 * latency, so it grows at one speed, whatever the latency. Once it is wider than the bucket, only
 * the bucket limits the requests.
 *
 * @example Of a bucket of 46 tokens, which fills in 5 seconds, so that `growthTime` is 1 second:
 *
 *     what ends                  size
 *                                1        at the start
 *     an answer after 0.25 s     1.25
 *     an answer after 0.25 s     1.5
 *     a failure after 30 s       2.5      one request more, at most
 *     a 429                      2.5      the pace decides whether it halves
 *     `halve`                    1.25
 *     (many answers later)       45.5
 *     an answer after 1 s        200      wider than the bucket
 */
export class WindowOfBucket extends RequestWindow {
	/** Milliseconds in which the window grows by the factor e. */
	private readonly growthTime: number;

	/**
	 * @param bucketSize the tokens that the bucket holds
	 * @param msToFill the milliseconds in which it fills
	 */
	constructor(
		size: number,
		private readonly bucketSize: number,
		msToFill: number,
	) {
		super(size);
		this.growthTime = Math.min(1000, msToFill / 5);
	}

	protected widen(latency: number): void {
		const wider = this.size + Math.min(1, latency / this.growthTime);
		this.size = wider > this.bucketSize ? maxInProgress : Math.min(maxInProgress, wider);
	}
}

/**
 * The window of a plan without a limit. As in TCP (RFC 5681, section 3.1), it doubles with its
 * answers until the first 429, then grows by one. It does not grow while the service is slow.
 *
 * @example
 *
 *     what ends                 size
 *                               100      at the start
 *     an answer after 0.1 s     101
 *     an answer after 0.4 s     101      slow: more than three times the quickest one
 *     a 429, and `halve`        50.5     no answer counts as the quickest any more
 *     an answer after 0.4 s     50.52    after the first 429, 50 answers make it one wider
 */
export class WindowWithoutBucket extends RequestWindow {
	private quickestAnswer = Infinity;
	private wasRefused = false;

	constructor() {
		super(maxInProgress / 2);
	}

	override noteNotRefused(latency: number): void {
		this.quickestAnswer = Math.min(this.quickestAnswer, Math.max(1, latency));
		super.noteNotRefused(latency);
	}

	override noteRefused(): void {
		this.wasRefused = true;
		this.quickestAnswer = Infinity;
	}

	protected widen(latency: number): void {
		if (latency > slowFactor * this.quickestAnswer) return;
		const growth = this.wasRefused ? 1 / this.size : 1;
		this.size = Math.min(maxInProgress, this.size + growth);
	}
}
