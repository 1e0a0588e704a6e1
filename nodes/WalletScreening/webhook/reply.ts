import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

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

/** Creates a reply that starts nothing. */
export const createAnswer = (status: WebhookAnswer['status'], text: string): Reply => ({
	answer: { status, text },
});

/** Seconds after which the sender may deliver again what could not be processed now. */
const retryAfterSeconds = 60;

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
