import { type Clock } from '../../../nodes/WalletScreening/shared/time';

/** Time that passes only when it is run: a sleep ends when the clock has come to its end, and takes no real time. */
export interface VirtualClock extends Clock {
	/** How many sleeps have not ended. */
	pending(): number;
	/** Ends the sleeps up to `time` in their order, also those that begin in the meantime. The clock then stands there. */
	runUntil(time: number): Promise<void>;
	/** Runs until `work` settles, and settles as it does. Rejects where no sleep is left that could bring that about. */
	run<T>(work: Promise<T>): Promise<T>;
	/** The same time for whom `signal` stops: a sleep rejects with its reason. */
	stoppedBy(signal: AbortSignal): Clock;
}

/** What a real timer can wait for; it takes anything longer, and NaN, for 1 ms. */
const longestSleep = 2 ** 31 - 1;

export function createVirtualClock(startsAt = Date.UTC(2026, 10, 20)): VirtualClock {
	/** The next one to end comes last, where it is quick to take. */
	const sleeps: Array<{ until: number; end: () => void }> = [];
	let now = startsAt;

	function sleep(ms: number): Promise<void> {
		if (!(ms <= longestSleep)) throw new RangeError(`No timer can wait for ${ms} ms`);
		return new Promise((end) => {
			// Whole milliseconds and never none, as a real timer.
			const until = now + Math.max(1, Math.trunc(ms));
			// Of two sleeps that end together, the one that began first ends first.
			const place = sleeps.findIndex((other) => other.until <= until);
			sleeps.splice(place < 0 ? sleeps.length : place, 0, { until, end });
		});
	}

	/** Ends the next sleep, if there is one that ends by `time`. */
	function endNext(time: number): boolean {
		const next = sleeps.at(-1);
		if (!next || next.until > time) return false;
		sleeps.pop();
		now = next.until;
		next.end();
		return true;
	}

	return {
		now: () => now,
		sleep,
		pending: () => sleeps.length,
		async runUntil(time) {
			do await settled();
			while (endNext(time));
			now = Math.max(now, time);
		},
		async run(work) {
			let done = false;
			const finish = () => (done = true);
			work.then(finish, finish);
			for (;;) {
				await settled();
				if (done) return await work;
				if (!endNext(Infinity))
					throw new Error('Nothing is left that this work could be waiting for');
			}
		},
		stoppedBy: (signal) => ({
			now: () => now,
			sleep: async (ms) =>
				await new Promise((resolve, reject) => {
					signal.throwIfAborted();
					const stop = () => reject(signal.reason as Error);
					signal.addEventListener('abort', stop, { once: true });
					void sleep(ms).then(() => {
						signal.removeEventListener('abort', stop);
						resolve();
					});
				}),
		}),
	};
}

/** Lets every promise that can settle without time passing do so. */
export async function settled(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}
