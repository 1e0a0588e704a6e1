import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/** What both nodes get from n8n. */
export type Context = IExecuteFunctions | IWebhookFunctions;

/** Aborted when the user stops the execution; a webhook cannot be stopped. */
export function stopSignal(context: Context): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** The words of what n8n or a fault of this package threw, which may be anything. */
export function wordsOf(thrown: unknown): string {
	return (thrown as Error | undefined)?.message ?? String(thrown);
}

/** A text from outside as a part of one line of n8n's log, cut if it is long. */
export function printable(text: string): string {
	return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, 256);
}
