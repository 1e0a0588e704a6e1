import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** Seconds after which the sender may deliver again what could not be processed now. */
const retryAfterSeconds = 60;

/** Ends the request with one word and starts no execution. */
export function answer(
	context: IWebhookFunctions,
	status: number,
	word: string,
): IWebhookResponseData {
	const response = context.getResponseObject();
	if (status === 503) response.setHeader('Retry-After', String(retryAfterSeconds));
	response.status(status).type('text/plain').send(word);
	return { noWebhookResponse: true };
}

/**
 * Calls `notify` once, with the status with which n8n answers: 200 after it has stored the execution, 500 if it failed to.
 * n8n ends the response also when the sender has hung up; no event says so, because nothing can be sent any more.
 */
export function whenAnswered(context: IWebhookFunctions, notify: (status: number) => void): void {
	const response = context.getResponseObject();
	const end = response.end as (...given: unknown[]) => typeof response;
	response.end = (...given: unknown[]) => {
		response.end = end as typeof response.end;
		notify(response.statusCode);
		return end.apply(response, given);
	};
}

/** The node in the texts of n8n's log. */
export function nodeName(context: IWebhookFunctions): string {
	return `'${context.getNode().name}'`;
}
