import { setTimeout as sleep } from 'node:timers/promises';
import { stage } from '../support/templates/stage';
import { inSeconds } from './row';

/** How long a piece of work took on the stage. */
export interface Timed {
	ms: number;
	/** The longest time in which n8n gave no answer during the work. */
	pauseMs: number;
}

/** Calls `work`, and measures it. */
export async function timed<T>(work: () => Promise<T>): Promise<Timed & { result: T }> {
	const pulse = watchPulse(stage.n8n.url);
	const began = performance.now();
	try {
		const result = await work();
		const ms = performance.now() - began;
		return { result, ms, pauseMs: await pulse.stop() };
	} finally {
		await pulse.stop();
	}
}

export const describeTimed = ({ ms, pauseMs }: Timed) =>
	`${inSeconds(ms)}; n8n gave no answer for up to ${inSeconds(pauseMs)}`;

const msBetweenRequests = 20;

/** Sends requests to n8n one after the other, to measure the longest time without an answer. */
function watchPulse(url: string) {
	let isOver = false;
	let longestMs = 0;
	async function watch(): Promise<void> {
		let waitingSince = Date.now();
		while (!isOver) {
			// An n8n that is busy for seconds closes kept-alive connections.
			const request = fetch(`${url}/healthz`, { headers: { connection: 'close' } });
			const answer = await request.catch(() => undefined);
			longestMs = Math.max(longestMs, Date.now() - waitingSince);
			await sleep(msBetweenRequests);
			// After a failed request, n8n still owes an answer.
			if (answer) waitingSince = Date.now();
		}
	}
	const ended = watch();
	return {
		/** @returns the longest time to an answer, in milliseconds */
		async stop(): Promise<number> {
			isOver = true;
			await ended;
			return longestMs;
		},
	};
}
