import { stage } from '../support/templates/stage';
import { startPulse } from './pulse';
import { inSeconds } from './row';

/** How long a piece of work took on the stage. */
export interface Timed {
	ms: number;
	/** The longest time in which n8n gave no answer during the work. */
	pauseMs: number;
}

/** Calls `work`, and measures its time and n8n's longest pause. */
export async function measureTime<T>(work: () => Promise<T>): Promise<Timed & { result: T }> {
	const pulse = await startPulse(stage.n8n.url);
	try {
		const began = performance.now();
		const result = await work();
		const ms = performance.now() - began;
		return { result, ms, pauseMs: await pulse.readLongestPause() };
	} finally {
		await pulse.close();
	}
}

export const describeTimed = ({ ms, pauseMs }: Timed) =>
	`${inSeconds(ms)}; n8n gave no answer for up to ${inSeconds(pauseMs)}`;
