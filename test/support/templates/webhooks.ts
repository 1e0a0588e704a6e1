import { stage } from './stage';
import { callerHeader } from './standIns';

/** Posts JSON to the webhook of a published workflow, by default as a caller whom it lets in. */
export async function postToWebhook(
	path: string,
	body: unknown,
	headers: Record<string, string> = callerHeader,
): Promise<Response> {
	return await fetch(`${stage.n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
}
