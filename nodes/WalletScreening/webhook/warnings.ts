import type { IWebhookFunctions } from 'n8n-workflow';
import { minute } from '../client/clock';
import { setBounded } from './deliveryLog';
import { printable } from '../shared/text';

const maxSubjects = 400;

/** The time of the last line on each subject, in milliseconds of the process. */
const lastWarnings = new Map<string, number>();

/** Whether a line on this subject is due: there is one a minute, so that strangers cannot fill the log. */
export function isWarningDue(subject: string): boolean {
	const now = performance.now();
	if (now - (lastWarnings.get(subject) ?? -Infinity) < minute) return false;
	setBounded(lastWarnings, subject, now, maxSubjects);
	return true;
}

/** Writes to n8n's log what the node did with a delivery, and why. */
export function warn(context: IWebhookFunctions, what: string, why: string): void {
	const node = printable(context.getNode().name);
	const workflow = printable(context.getWorkflow().name ?? '');
	context.logger.warn(`${what} to '${node}' of workflow '${workflow}': ${why}`);
}
