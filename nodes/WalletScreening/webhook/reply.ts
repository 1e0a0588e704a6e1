import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** A reply that the node itself sends, in plain text. */
interface TextReply {
	status: 200 | 400 | 401 | 503;
	content: string;
}

/** The reply to a request. */
export interface Reply {
	/** Without a text of the node, n8n replies with 200 once it has stored the execution. */
	text?: TextReply;
	/** The items that the workflow starts with. */
	items?: INodeExecutionData[];
}

/** Creates a reply that starts nothing. */
export const createReply = (status: TextReply['status'], content: string): Reply => ({
	text: { status, content },
});

/** Seconds after which the sender may deliver again what could not be processed now. */
const retryAfterSeconds = 60;

/** Ends the request with the text, if there is one, and hands the items to n8n. */
export function sendReply(
	context: IWebhookFunctions,
	{ text, items }: Reply,
): IWebhookResponseData {
	if (text) {
		const { status, content } = text;
		const response = context.getResponseObject();
		if (status === 503) response.setHeader('Retry-After', String(retryAfterSeconds));
		response.status(status).type('text/plain').send(content);
	}
	return { ...(text && { noWebhookResponse: true }), ...(items && { workflowData: [items] }) };
}
