import type { IWebhookFunctions } from 'n8n-workflow';
import { minute } from '../client/clock';
import { put } from './deliveryLog';
import { printable } from '../shared/text';

const mostSubjects = 400;

/** When something was last said of a subject, in milliseconds of the process. */
const saidAt = new Map<string, number>();

/** Whether a line on this subject is due: one a minute, so that strangers cannot fill the log. */
export function isDue(subject: string): boolean {
	const now = performance.now();
	if (now - (saidAt.get(subject) ?? -Infinity) < minute) return false;
	put(saidAt, subject, now, mostSubjects);
	return true;
}

/** Says in n8n's log what the node did with a delivery, and why. */
export function warn(context: IWebhookFunctions, what: string, why: string): void {
	const node = printable(context.getNode().name);
	const workflow = printable(context.getWorkflow().name ?? '');
	context.logger.warn(`${what} to '${node}' of workflow '${workflow}': ${why}`);
}
