/** Milliseconds. What was learned of a service or of a key's other users holds for about so long. */
export const minute = 60_000;
/** How many requests may be in progress at once, whatever the rate: more does not help n8n's helper, and costs memory. */
export const mostAtOnce = 200;
/** So few that they hardly wait for each other. Latency by itself never asks for fewer. So many answers are a round, too. */
const few = 10;
/** Requests that take so many times as long as the quickest ones wait for each other: more at once would not be quicker. */
const slow = 3;

/**
 * How many requests may be in progress at once where the key has no limit. It starts with as many as help. If even the
 * quickest answers of a round take three times as long as with few at once, the window shrinks in that proportion; else
 * it grows by its root (the gradient of Netflix's concurrency-limits). Once a minute it measures the latency anew, with
 * few at once, because services get slower and quicker.
 */
export function createWindow(startsAt: number) {
	let size: number = mostAtOnce;
	/** The latency with few at once, as far as it is known, and since when. */
	let quickest = Infinity;
	let measuredAt = startsAt;
	/** The size to go back to after a measurement; 0: none is being taken. */
	let before = 0;
	/** Latencies of requests that went out after the round began. */
	let began = -Infinity;
	let latencies: number[] = [];

	function beginRound(now: number) {
		began = now;
		latencies = [];
	}

	function endRound(now: number) {
		// The second: one answer may be quick for reasons of its own.
		const latency = latencies.sort((a, b) => a - b)[1]!;
		quickest = Math.min(quickest, latency);
		if (before > 0) {
			size = before;
			before = 0;
			measuredAt = now;
		} else {
			const gradient = Math.min(1, (slow * quickest) / latency);
			const room = gradient < 1 ? 0 : Math.sqrt(size);
			size = Math.min(mostAtOnce, Math.max(few, size * gradient + room));
		}
		if (now - measuredAt > minute) {
			before = size;
			size = Math.min(size, few);
			quickest = Infinity;
		}
		beginRound(now);
	}

	return {
		size: () => size,
		/** The request that went out at `sentAt` was answered, and not by 429. */
		answered(now: number, sentAt: number) {
			if (sentAt <= began) return;
			latencies.push(Math.max(1, now - sentAt));
			if (latencies.length >= few) endRound(now);
		},
		/** A request that brings news was answered 429. */
		refused(now: number) {
			size = Math.max(1, (before || size) / 2);
			before = 0;
			beginRound(now);
		},
	};
}
