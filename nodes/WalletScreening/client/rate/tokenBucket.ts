/**
 * The tokens of a key, one for each request. They come at a rate, and those that are not used are
 * saved, up to the size of the bucket. A stop by the service ends their coming for so long. All
 * times are milliseconds.
 *
 * @example Of a bucket of 46 tokens that come at 10 per second, with `take(0)`:
 *
 *     what happens                    tokens   until the next one
 *                                     46       0         at the start
 *     a request leaves                45       0
 *     `leaveAtMost(0)`                0        100
 *     the rate becomes 5              0        200       only 23 tokens are saved from now on
 *     `stop` for a second             0        1200
 *     (a minute later)                23       0
 */
export class TokenBucket {
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

	/** Time until the next request may take a token; 0: now. */
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

	/** Time until the stop ends; 0 without a stop. */
	msUntilResume(now: number): number {
		return Math.max(0, this.stoppedUntil - now);
	}

	/** Time since `fill` or `msUntilToken` was last called, or since the end of a stop. */
	msUnused(now: number): number {
		return now - Math.max(this.countedAt, this.stoppedUntil);
	}

	/** A lowered rate has a smaller bucket, so that no pause ends in a burst at others' cost. */
	private capacity(): number {
		return Math.max(1, (this.size * this.rate) / this.maxRate);
	}
}
