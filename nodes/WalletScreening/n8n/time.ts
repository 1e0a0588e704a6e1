import { sleep } from 'n8n-workflow';
import type { Clock } from '../pace/clock';

/** Settles as `work` does, or rejects with the reason of the first signal that is aborted before. */
export async function unlessAborted<T>(
	work: Promise<T>,
	signals: Array<AbortSignal | undefined>,
): Promise<T> {
	const present = signals.filter((signal) => signal !== undefined);
	let abort = () => {};
	try {
		return await new Promise<T>((resolve, reject) => {
			work.then(resolve, reject);
			abort = () => reject(present.find((signal) => signal.aborted)?.reason);
			for (const signal of present) {
				signal.throwIfAborted();
				signal.addEventListener('abort', abort);
			}
		});
	} finally {
		for (const signal of present) signal.removeEventListener('abort', abort);
	}
}

/** The machine's clock. With a signal, its sleeps end as soon as the user stops the execution. */
export function systemClock(signal?: AbortSignal): Clock {
	return {
		now: Date.now,
		sleep: async (ms) => await unlessAborted(sleep(ms), [signal]),
	};
}
