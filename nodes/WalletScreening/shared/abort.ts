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
				addCallback(signal, abort);
			}
		});
	} finally {
		for (const signal of present) removeCallback(signal, abort);
	}
}

/** What one listener of a signal calls when the signal is aborted. */
interface SignalListener {
	readonly callbacks: Set<() => void>;
	readonly callAll: () => void;
}

/**
 * The listener of each signal for which something waits. Hundreds of waits may share the signal of a
 * run, and Node 20 warns of a leak if a signal has more than ten listeners. So each has only one.
 */
const listeners = new WeakMap<AbortSignal, SignalListener>();

function addCallback(signal: AbortSignal, callback: () => void): void {
	const listener = listeners.get(signal) ?? createListener();
	listeners.set(signal, listener);
	listener.callbacks.add(callback);
	// A signal takes the same function only once.
	signal.addEventListener('abort', listener.callAll);
}

function removeCallback(signal: AbortSignal, callback: () => void): void {
	const listener = listeners.get(signal);
	listener?.callbacks.delete(callback);
	if (listener?.callbacks.size === 0) signal.removeEventListener('abort', listener.callAll);
}

function createListener(): SignalListener {
	const callbacks = new Set<() => void>();
	const callAll = () => callbacks.forEach((callback) => callback());
	return { callbacks, callAll };
}
