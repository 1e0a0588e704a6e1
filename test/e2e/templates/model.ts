import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Credential } from '../../../tools/host/instance';
import { answering } from './answering';

/** A message of a chat, as OpenAI's `chat/completions` takes and gives it. */
export interface ChatMessage {
	role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
	content: string | null;
	tool_call_id?: string;
	tool_calls?: Array<{
		id: string;
		type: 'function';
		function: { name: string; arguments: string };
	}>;
}

/** The body of a request to the model. */
export interface ChatRequest {
	model: string;
	messages: ChatMessage[];
	tools?: Array<{
		type: 'function';
		function: { name: string; description: string; parameters: Record<string, unknown> };
	}>;
}

/** What the model says next. */
type Script = (request: ChatRequest) => ChatMessage;

export interface Model {
	/** An OpenAI credential of n8n for this model. */
	credential: Credential;
	/** What it was asked, in order. */
	requests: ChatRequest[];
	script: Script;
	close(): Promise<void>;
}

/** Starts a chat model that speaks like OpenAI's and says what `script` makes of the chat so far. */
export async function startModel(): Promise<Model> {
	const apiKey = 'model-key';
	const listener = answering((request, response, text) => {
		const answer = (status: number, body: unknown) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		};
		if (request.headers.authorization !== `Bearer ${apiKey}`) {
			return answer(401, { error: { message: 'Incorrect API key' } });
		}
		if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
			return answer(404, { error: { message: `No ${request.method} ${request.url}` } });
		}
		const asked = JSON.parse(text) as ChatRequest;
		model.requests.push(asked);
		const message = model.script(asked);
		answer(200, {
			id: `chatcmpl-${model.requests.length}`,
			object: 'chat.completion',
			created: 1_700_000_000,
			model: asked.model,
			choices: [{ index: 0, message, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		});
	});
	const server = createServer(listener).listen(0, '127.0.0.1');
	await once(server, 'listening');

	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	const model: Model = {
		credential: { name: 'Model', type: 'openAiApi', data: { apiKey, url, header: false } },
		requests: [],
		script: () => ({ role: 'assistant', content: 'There is no script.' }),
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
	return model;
}
