import { maxPause } from '../pauses';

/**
 * Tells an outage of a key from a rate that is too high, by its 429s, and finds out when the outage
 * is over. All times are milliseconds.
 *
 * The law: a 429 shows that the key is used too fast. A second one in a row shows that the service
 * refuses whatever the rate is, and so does one that asks for a longer pause than the node waits.
 * During this outage, one request at a time probes, as in the half-open state of a circuit breaker
 * (M. Nygard, Release It!, 2007). Any other answer to a request that left after the latest 429 ends
 * it. An answer to an earlier request shows nothing, because the service may have made it before.
 *
 * @example
 *
 *     sent   ended   answer   it probes
 *     0      1       429      no
 *     0      2       429      no           not news: it left before the first 429 came
 *     3      4       429      yes          the second in a row
 *     0      5       200      yes          it left before the latest 429 came
 *     6      7       200      no
 */
export class OutageProbe {
	/** Whether one request at a time finds out when the service accepts requests again. */
	isProbing = false;
	/** How many 429s that were news came in a row. */
	refusalsInARow = 0;
	/** When the first of them came. */
	private refusedSince = Infinity;
	/** When the latest 429 came that was news. */
	private refusedAt = -Infinity;

	/** Whether any 429 has come. */
	get wasRefused(): boolean {
		return this.refusedAt > -Infinity;
	}

	/** Time since the first of the latest 429s in a row; 0: the latest answer was another one. */
	msSinceFirstRefusal(now: number): number {
		return Math.max(0, now - this.refusedSince);
	}

	/**
	 * Whether the answer to a request is news: it left after the latest 429 that was. Of requests
	 * that are refused together, only the first 429 is.
	 */
	isNews(sentAt: number): boolean {
		return sentAt >= this.refusedAt;
	}

	/** Notes an answer that is not a 429. */
	noteNotRefused(sentAt: number): void {
		if (!this.isNews(sentAt)) return;
		this.refusalsInARow = 0;
		this.refusedSince = Infinity;
		this.isProbing = false;
	}

	/** Notes a 429 that is news. `wait` is the time that the header `Retry-After` asks for. */
	noteRefused(now: number, wait: number): void {
		this.refusedAt = now;
		this.refusedSince = Math.min(this.refusedSince, now);
		this.refusalsInARow++;
		this.isProbing ||= this.refusalsInARow > 1 || wait > maxPause;
	}
}
