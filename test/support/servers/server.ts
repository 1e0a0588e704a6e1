import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends an answer. A text goes out as it is, and every other body as JSON. */
export type Respond = (status: number, body: unknown, headers?: Record<string, string>) => void;
type Handle = (request: IncomingMessage, answer: Respond, body: string) => unknown;

/**
 * Creates a listener that calls `handle` with each request and its whole body. If `handle` throws,
 * the answer is 500 with the error. A request that breaks off, as when n8n is killed, gets no answer.
 */
export function createListener(handle: Handle): RequestListener {
	return async (request, response) => {
		const received = await text(request).catch(() => undefined);
		const answer: Respond = (status, body, headers) => {
			response.writeHead(status, { 'content-type': 'application/json', ...headers });
			response.end(typeof body === 'string' ? body : JSON.stringify(body));
		};
		if (received === undefined) return;
		try {
			await handle(request, answer, received);
		} catch (error) {
			if (response.headersSent) response.destroy();
			else answer(500, { error: String(error) });
		}
	};
}

/** A server on the loopback interface. */
export interface LocalServer {
	readonly server: Server;
	readonly url: string;
	close(): Promise<void>;
}

/** Starts a server on a free port. */
export async function serve(listener: RequestListener): Promise<LocalServer> {
	const server = createServer(listener).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		server,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
