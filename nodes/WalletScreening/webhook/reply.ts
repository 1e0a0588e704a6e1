import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { toLogText } from '../shared/text';

/** An answer of the node itself, in plain text. */
interface WebhookAnswer {
	status: 200 | 400 | 401 | 503;
	text: string;
}

/** The reply to a request. */
export interface Reply {
	/** Without an answer of the node, n8n answers 200 once it has stored the execution. */
	answer?: WebhookAnswer;
	/** The items that the workflow starts with. */
	items?: INodeExecutionData[];
}

/**
 * Writes to n8n's log what the node did with a delivery, and why. `problem` has to be safe for a
 * log.
 */
export function logWarning(context: IWebhookFunctions, event: string, problem: string): void {
	const node = toLogText(context.getNode().name);
	const workflow = toLogText(context.getWorkflow().name ?? '');
	context.logger.warn(`${event} to '${node}' of workflow '${workflow}': ${problem}`);
}
