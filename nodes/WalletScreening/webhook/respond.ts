import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** Seconds after which the sender may deliver again what could not be processed now. */
const retryAfterSeconds = 60;

/** An answer of the node itself, in plain text. */
export interface WebhookAnswer {
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

/** Ends the request with the answer, if there is one, and hands the items to n8n. */
export function respond(
	context: IWebhookFunctions,
	{ answer, items }: Reply,
): IWebhookResponseData {
	if (answer) {
		const { status, text } = answer;
		const response = context.getResponseObject();
		if (status === 503) response.setHeader('Retry-After', String(retryAfterSeconds));
		response.status(status).type('text/plain').send(text);
	}
	return { ...(answer && { noWebhookResponse: true }), ...(items && { workflowData: [items] }) };
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
