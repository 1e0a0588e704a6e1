import {
	type Execution,
	requireSuccess,
	type Saved,
	type Workflow,
} from '../../tools/host/workflow';
import { stage } from '../support/templates/stage';
import { startPauseMeter } from './pauseMeter';
import { formatSeconds } from './row';

/** How long a piece of work took on the stage, and how it held up n8n. */
export interface StageTiming {
	ms: number;
	/**
	 * The longest time during the work in which n8n answered nobody, in milliseconds. In queue mode, it
	 * is that of n8n's main process.
	 */
	pauseMs: number;
}

/** Calls `work`, and measures its time and n8n's longest pause. */
export async function measureTime<T>(work: () => Promise<T>): Promise<StageTiming & { result: T }> {
	const meter = await startPauseMeter(stage.n8n.url);
	try {
		const began = performance.now();
		const result = await work();
		const ms = performance.now() - began;
		return { result, ms, pauseMs: await meter.readLongestPause() };
	} finally {
		await meter.close();
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
): Promise<StageTiming & { execution: Execution }> {
	const { result: id, ...timing } = await measureTime(async () => {
		const started = await stage.n8n.startExecution(workflow, trigger);
		await stage.n8n.untilEnded(started);
		return started;
	});
	// For this, n8n loads all data of the execution and sends them, which is not part of the run.
	const execution = await stage.n8n.finishedExecution(id);
	requireSuccess(execution);
	return { execution, ...timing };
}

export function describeTiming({ ms, pauseMs }: StageTiming): string {
	const askedProcess = stage.isInQueueMode ? "n8n's main process" : 'n8n';
	return `${formatSeconds(ms)}; ${askedProcess} gave no answer for up to ${formatSeconds(pauseMs)}`;
}
