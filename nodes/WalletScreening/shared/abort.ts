/**
 * The reason of a signal that a deadline aborted. It is no `ScreeningError`, because the request or
 * the wait that it ends has not failed.
 */
export class DeadlineError extends Error {}

/**
 * Settles as `work` does, or rejects with the reason of the first signal that is aborted before.
 */
export async function unlessAborted<T>(
	work: Promise<T>,
	signals: Array<AbortSignal | undefined>,
): Promise<T> {
	const present = signals.filter((signal) => signal !== undefined);
	let abort = () => {};
	try {
		return await new Promise<T>((resolve, reject) => {
			// What is thrown in here rejects the promise.
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
