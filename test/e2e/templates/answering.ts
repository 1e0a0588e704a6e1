import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** Hands over each request with its whole body. A request that breaks off, because n8n was killed, gets no answer. */
export function answering(handle: Handle): RequestListener {
	return async (request, response) => {
		const body = await text(request).catch(() => undefined);
		if (body !== undefined) await handle(request, response, body);
	};
}
