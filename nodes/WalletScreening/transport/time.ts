import { sleep } from 'n8n-workflow';
import type { Clock } from '../client/clock';

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
			abort = () => reject(present.find((signal) => signal.aborted)?.reason as Error);
			for (const signal of present) {
				signal.throwIfAborted();
				signal.addEventListener('abort', abort);
			}
		});
	} finally {
		for (const signal of present) signal.removeEventListener('abort', abort);
	}
}

/** Aborted after so many milliseconds, rounded up: the timer itself refuses fractions, and 4.1 minutes are one. */
export function signalAfter(ms: number): AbortSignal {
	return AbortSignal.timeout(Math.ceil(ms));
}

/** A clock that does not follow changes of the machine's time. Its sleeps reject with the signal's reason. */
export function systemClock(signal?: AbortSignal): Clock {
	return {
		now: () => performance.now(),
		sleep: async (ms) => await unlessAborted(sleep(ms), [signal]),
	};
}

/** Milliseconds of work after which n8n gets a moment for its other work. */
const maxWork = 50;

/** Gives n8n that moment when it is due. */
export function createBreather(): () => Promise<void> {
	let since = performance.now();
	return async () => {
		if (performance.now() - since < maxWork) return;
		await sleep(0);
		since = performance.now();
	};
}
