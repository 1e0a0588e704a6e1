import type { Credential } from '../../../tools/host/workflow';
import { createListener, serve } from './server';

/** A message of a chat, in the form of OpenAI's `chat/completions`. */
export interface ChatMessage {
	role: string;
	content: string | null;
	tool_calls?: object[];
}

/** The body of a request to the model. */
interface ChatRequest {
	model: string;
	messages: ChatMessage[];
	tools?: Array<{ function: { name: string; parameters: Record<string, unknown> } }>;
}

/** A stand-in for OpenAI's chat model. */
export interface Model {
	/** An OpenAI credential of n8n for this model. */
	readonly credential: Credential;
	/** The requests in order. */
	requests: ChatRequest[];
	/** Returns the next message of the model. A test may replace it. */
	script(request: ChatRequest): ChatMessage;
	close(): Promise<void>;
}

export async function startModel(): Promise<Model> {
	const apiKey = 'model-key';
	const listener = createListener(({ headers }, answer, text) => {
		if (headers.authorization !== `Bearer ${apiKey}`) {
			return answer(401, { error: { message: 'Incorrect API key' } });
		}
		const request = JSON.parse(text) as ChatRequest;
		const message = model.script(request);
		answer(200, {
			id: `chatcmpl-${model.requests.push(request)}`,
			object: 'chat.completion',
			created: 1_700_000_000,
			model: request.model,
			choices: [{ index: 0, message, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		});
	});
	const { url, close } = await serve(listener);
	const model: Model = {
		close,
		credential: {
			name: 'Model',
			type: 'openAiApi',
			data: { apiKey, url: `${url}/v1`, header: false },
		},
		requests: [],
		script: () => ({ role: 'assistant', content: 'Done.' }),
	};
	return model;
}
