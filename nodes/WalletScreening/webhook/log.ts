import type { IWebhookFunctions } from 'n8n-workflow';
import { setBounded } from '../shared/maps';
import { toLogText } from '../shared/text';
import { minute } from '../shared/time';
import { workflowIdOf } from '../transport/context';

/* What the trigger writes to n8n's log. */

/**
 * Writes to n8n's log what the node did with a delivery, and why. `problem` has to be safe for a
 * log.
 */
export function logWarning(context: IWebhookFunctions, event: string, problem: string): void {
	const node = toLogText(context.getNode().name);
	const workflow = toLogText(context.getWorkflow().name ?? '');
	context.logger.warn(`${event} to '${node}' of workflow '${workflow}': ${problem}`);
}

/** What a line on a delivery that is not verified is about. */
type LineTopic = 'unverified' | 'unsigned' | 'stale';

/** Nodes and topics whose last lines are remembered. */
const maxLines = 400;

/** The time of the last line of each node on each topic, in milliseconds of the process. */
const lastLines = new Map<string, number>();

/**
 * Whether a line of this node on this topic is due: there is one a minute, so that strangers cannot
 * fill the log. The caller then writes it.
 */
export function isLineDue(context: IWebhookFunctions, topic: LineTopic): boolean {
	const key = `${workflowIdOf(context)} ${context.getNode().id} ${topic}`;
	const now = performance.now();
	if (now - (lastLines.get(key) ?? -Infinity) < minute) return false;
	setBounded(lastLines, key, now, maxLines);
	return true;
}
