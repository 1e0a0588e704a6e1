import type { Clock } from '../../../nodes/WalletScreening/pace/clock';

/** Time that passes only when it is run: a sleep ends when the clock has come to its end, and takes no real time. */
export interface VirtualClock extends Clock {
	/** How many sleeps have not ended. */
	pending(): number;
	/** Ends all sleeps, in the order of their times; also those that begin in the meantime. */
	runUntilIdle(): Promise<void>;
	/** Ends the sleeps up to `time`, where the clock then stands. */
	runUntil(time: number): Promise<void>;
	/** Runs until `work` settles, and settles as it does. Rejects where no sleep is left that could bring that about. */
	run<T>(work: Promise<T>): Promise<T>;
	/** The same time for whom `signal` stops: a sleep rejects with its reason. */
	stoppedBy(signal: AbortSignal): Clock;
}

interface Sleep {
	until: number;
	/** Of two sleeps that end together, the one that began first ends first. */
	order: number;
	end: () => void;
}

/** What a real timer can wait for; it takes anything longer, and NaN, for 1 ms. */
const longestSleep = 2 ** 31 - 1;

export function createVirtualClock(startsAt = Date.UTC(2026, 10, 20)): VirtualClock {
	const sleeps = createHeap<Sleep>((a, b) => a.until - b.until || a.order - b.order);
	let now = startsAt;
	let begun = 0;

	function sleep(ms: number): Promise<void> {
		if (!(ms <= longestSleep)) throw new RangeError(`No timer can wait for ${ms} ms`);
		return new Promise((end) => {
			// Whole milliseconds and never none, as a real timer.
			sleeps.push({ until: now + Math.max(1, Math.trunc(ms)), order: begun++, end });
		});
	}

	/** Ends the next sleep, if there is one that ends by `time`. */
	function endNext(time = Infinity): boolean {
		const next = sleeps.first();
		if (!next || next.until > time) return false;
		sleeps.pop();
		now = next.until;
		next.end();
		return true;
	}

	async function runUntil(time: number) {
		do await settled();
		while (endNext(time));
	}

	return {
		now: () => now,
		sleep,
		pending: sleeps.size,
		async runUntilIdle() {
			await runUntil(Infinity);
		},
		async runUntil(time) {
			await runUntil(time);
			now = Math.max(now, time);
		},
		async run(work) {
			let done = false;
			const finish = () => (done = true);
			work.then(finish, finish);
			for (;;) {
				await settled();
				if (done) return await work;
				if (!endNext()) throw new Error('Nothing is left that this work could be waiting for');
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

/** A binary heap: the first of its values is at hand, however many there are. */
function createHeap<T>(compare: (a: T, b: T) => number) {
	const values: T[] = [];
	const before = (a: number, b: number) => compare(values[a]!, values[b]!) < 0;
	const swap = (a: number, b: number) => {
		[values[a], values[b]] = [values[b]!, values[a]!];
	};
	return {
		size: () => values.length,
		first: () => values[0],
		push(value: T) {
			let at = values.push(value) - 1;
			for (let parent; at > 0 && before(at, (parent = (at - 1) >> 1)); at = parent)
				swap(at, parent);
		},
		/** Takes the first value out. The heap must not be empty. */
		pop(): T {
			swap(0, values.length - 1);
			const first = values.pop()!;
			for (let at = 0; ;) {
				let child = 2 * at + 1;
				if (child + 1 < values.length && before(child + 1, child)) child++;
				if (child >= values.length || !before(child, at)) return first;
				swap(at, child);
				at = child;
			}
		},
	};
}
