import { type Clock } from '../../../nodes/WalletScreening/shared/time';

/** A clock whose time passes only when a test runs it. Its sleeps take no real time. */
export interface VirtualClock extends Clock {
	/** Returns the number of sleeps that have not ended. */
	pending(): number;
	/**
	 * Ends all sleeps until `time` in their order, including those that begin in the meantime. Then
	 * it leaves the clock at `time`.
	 */
	runUntil(time: number): Promise<void>;
	/**
	 * Runs the clock until `work` settles, and settles with its result. Rejects if no sleep is left
	 * for which `work` could wait.
	 */
	run<T>(work: Promise<T>): Promise<T>;
	/**
	 * Returns a clock with the same time whose sleeps reject with the reason of `signal` when it is
	 * aborted.
	 */
	stoppedBy(signal: AbortSignal): Clock;
}

/** The longest time that a real timer waits. Node.js takes anything longer, and NaN, for 1 ms. */
const maxSleepMs = 2 ** 31 - 1;

export function createVirtualClock(startsAt = Date.UTC(2026, 10, 20)): VirtualClock {
	/** The sleep that ends first is the last one, so that `pop` takes it. */
	const sleeps: Array<{ until: number; end: () => void }> = [];
	let now = startsAt;

	function sleep(ms: number): Promise<void> {
		if (!(ms <= maxSleepMs)) throw new RangeError(`No timer can wait for ${ms} ms`);
		return new Promise((end) => {
			// As with a real timer, whole milliseconds and at least one.
			const until = now + Math.max(1, Math.trunc(ms));
			// Of two sleeps that end together, the one that began first ends first.
			const place = sleeps.findIndex((other) => other.until <= until);
			sleeps.splice(place < 0 ? sleeps.length : place, 0, { until, end });
		});
	}

	/** Ends the next sleep if it ends by `time`, and returns whether it has. */
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
			do await settlePromises();
			while (endNext(time));
			now = Math.max(now, time);
		},
		async run(work) {
			let hasSettled = false;
			const markSettled = () => (hasSettled = true);
			work.then(markSettled, markSettled);
			for (;;) {
				await settlePromises();
				if (hasSettled) return await work;
				if (!endNext(Infinity))
					throw new Error('Nothing is left that this work could be waiting for');
			}
		},
		stoppedBy: (signal) => ({
			now: () => now,
			sleep: async (ms) => await endedBy(signal, () => sleep(ms)),
		}),
	};
}

/** Begins a sleep, and rejects with the reason of `signal` if it is aborted first. */
async function endedBy(signal: AbortSignal, beginSleep: () => Promise<void>): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		signal.throwIfAborted();
		const stop = () => reject(signal.reason as Error);
		signal.addEventListener('abort', stop, { once: true });
		void beginSleep().then(() => {
			signal.removeEventListener('abort', stop);
			resolve();
		});
	});
}

/** Waits until every promise has settled that can settle without the passing of time. */
export async function settlePromises(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}
