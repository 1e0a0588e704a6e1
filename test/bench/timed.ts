import {
	type Execution,
	requireSuccess,
	type Saved,
	type Workflow,
} from '../../tools/host/instance';
import { stage } from '../support/templates/stage';
import { startPulse } from './pulse';
import { inSeconds } from './row';

/** How long a piece of work took on the stage. */
export interface Timed {
	ms: number;
	/** The longest time in which n8n, or its main process, gave no answer during the work. */
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

/**
 * Runs a workflow from its manual trigger or from the named one, and measures the whole execution.
 *
 * @throws an error with the workflow, the node and the reason, if the execution fails
 */
export async function measureRun(
	workflow: Saved<Workflow>,
	trigger?: string,
): Promise<Timed & { execution: Execution }> {
	const { result: id, ...timed } = await measureTime(async () => {
		const started = await stage.n8n.startExecution(workflow, trigger);
		await stage.n8n.untilEnded(started);
		return started;
	});
	// n8n loads all data of the execution for this, and sends them, which is no part of the run.
	const execution = await stage.n8n.finishedExecution(id);
	requireSuccess(execution);
	return { execution, ...timed };
}

export function describeTimed({ ms, pauseMs }: Timed): string {
	const asked = stage.isInQueueMode ? "n8n's main process" : 'n8n';
	return `${inSeconds(ms)}; ${asked} gave no answer for up to ${inSeconds(pauseMs)}`;
}
