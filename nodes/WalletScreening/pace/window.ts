/** How many requests may be under way at once, whatever the rate: more does not help n8n's helper, and costs memory. */
export const mostAtOnce = 200;
/** How many may be under way before the first answer. Few, because many processes may start at once. */
const first = 50;
/** So few that they hardly wait for each other. Latency alone never asks for fewer. */
const unhurried = 10;
/**
 * Requests that take so many times as long as the quickest ones wait for each other: more at once would not be quicker. Part
 * of what is measured is the wait for this machine's processor, which many at once are to keep busy.
 */
const slow = 3;
/** How long a look at the latency without a queue holds: services get slower and quicker. In milliseconds. */
const outdated = 60_000;

/**
 * How many requests may be under way at once where the key has no limit: as many as help. Each quick answer lets one more
 * be, so that the window doubles with every round of answers, until even the quickest tenth of a round is slow or one is
 * refused. Then it gives way, and feels its way up by one each round. What is quick shows when few are under way: at the
 * start, and in a look at the latency each minute.
 */
export function createWindow(startsAt: number) {
	let size: number = first;
	/** Whether the window has ever had to give way. */
	let eased = false;
	/** The latency without a queue, as far as it is known, and since when. */
	let quickest = Infinity;
	let lookedAt = startsAt;
	/** What there was before a look at the latency, while one is being taken. */
	let before: { size: number; quickest: number } | undefined;
	/** A round: latencies of requests that went out after it began, as many as the window held then. */
	let round = { began: -Infinity, length: size, latencies: [] as number[] };

	function beginRound(now: number) {
		round = { began: now, length: Math.ceil(size), latencies: [] };
	}

	function endRound(now: number) {
		const sorted = round.latencies.sort((a, b) => a - b);
		const latency = sorted[Math.floor(sorted.length / 10)]!;
		quickest = Math.min(quickest, latency);
		if (before) {
			size = before.size;
			// What was slow is usual now: the window gave way for nothing.
			if (quickest > before.quickest * slow) eased = false;
			before = undefined;
			lookedAt = now;
		} else if (latency > quickest * slow && size > unhurried) {
			size = Math.max(unhurried, size * Math.max(0.5, (quickest * slow) / latency));
			eased = true;
		}
		if (now - lookedAt > outdated) {
			before = { size, quickest };
			size = Math.min(size, unhurried);
			quickest = Infinity;
		}
		beginRound(now);
	}

	return {
		size: () => size,
		/** The request that went out at `sentAt` was answered, and not by 429. */
		answered(now: number, sentAt: number) {
			const latency = now - sentAt;
			const known = quickest < Infinity ? quickest : Math.min(latency, ...round.latencies);
			if (!before && latency <= known * slow)
				size = Math.min(mostAtOnce, size + (eased ? 1 / size : 1));
			if (sentAt <= round.began) return;
			round.latencies.push(latency);
			if (round.latencies.length >= round.length) endRound(now);
		},
		/** The request that went out at `sentAt` was answered 429. */
		refused(now: number, sentAt: number) {
			// What went out before the window gave way brings no news of the smaller one.
			if (sentAt <= round.began) return;
			size = Math.max(1, (before?.size ?? size) / 2);
			before = undefined;
			eased = true;
			beginRound(now);
		},
	};
}
