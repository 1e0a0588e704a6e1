import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/*
 * Measures the pauses of n8n, in which it answers nobody. The requests for it come from a thread of
 * their own, because the thread of the bench has pauses itself, e.g. those of the sandbox, and they
 * must not count as n8n's. Two threads run this file: that of the bench calls `startPauseMeter`, and
 * the other one calls `sendRequests`.
 */

const msBetweenRequests = 20;

interface PauseMeter {
	/** Ends the requests. @returns the longest pause of n8n, in milliseconds */
	readLongestPause(): Promise<number>;
	/** Ends the thread. */
	close(): Promise<void>;
}

/** Starts to measure the pauses of n8n at this URL. */
export async function startPauseMeter(url: string): Promise<PauseMeter> {
	const worker = new Worker(__filename, {
		workerData: url,
		// Without this, Node.js 20 does not run TypeScript in a thread.
		execArgv: ['--require', require.resolve('tsx/cjs')],
	});
	await nextMessage<'ready'>(worker);
	return {
		async readLongestPause() {
			worker.postMessage('end');
			return await nextMessage<number>(worker);
		},
		async close() {
			await worker.terminate();
		},
	};
}

/**
 * Waits for the next message of the thread. `once` then removes its listeners, so a later error in
 * the thread ends the whole program.
 */
async function nextMessage<T>(worker: Worker): Promise<T> {
	const [message] = (await once(worker, 'message')) as [T];
	return message;
}

/**
 * Sends requests to n8n one after the other, until this thread gets a message. Posts `'ready'`
 * after the first answer, and the longest time without an answer at the end.
 */
async function sendRequests(url: string): Promise<void> {
	let isOver = false;
	let longestMs = 0;
	parentPort!.once('message', () => (isOver = true));
	// An n8n that is busy for seconds closes kept-alive connections.
	const send = async () => await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
	// The first request takes longer, because the thread loads its HTTP client for it.
	await send();
	// `startPauseMeter` waits for this.
	parentPort!.postMessage('ready');
	let waitingSince = Date.now();
	while (!isOver) {
		const answer = await send().catch(() => undefined);
		longestMs = Math.max(longestMs, Date.now() - waitingSince);
		await sleep(msBetweenRequests);
		// After a failed request, the pause goes on.
		if (answer?.ok) waitingSince = Date.now();
	}
	parentPort!.postMessage(longestMs);
}

if (!isMainThread) void sendRequests(workerData as string);
