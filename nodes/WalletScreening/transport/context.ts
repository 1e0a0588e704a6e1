import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/** What both nodes get from n8n. */
export type Context = IExecuteFunctions | IWebhookFunctions;

/** Aborted when the user stops the execution; a webhook cannot be stopped. */
export function stopSignal(context: Context): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
