import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { answering } from './answering';

/** A request that a workflow sent to a system of the team. */
export interface TeamRequest {
	path: string;
	key: string;
	body: IDataObject;
}

/** The systems of a team: payments, accounts, tickets. Each does what is asked once for each Idempotency-Key. */
export interface TeamSystem {
	url: string;
	/** Each request that had the header, in order. */
	requests: TeamRequest[];
	/** What a path was asked to do, once for each key. */
	done(path: string): TeamRequest[];
	/** Paths that answer 503, and do nothing. */
	down: Set<string>;
	/** Called as soon as a request has come, before it is answered. */
	onRequest: (request: TeamRequest) => Promise<void> | void;
	close(): Promise<void>;
}

/** @param header that lets a caller in */
export async function startTeamSystem(header: Record<string, string>): Promise<TeamSystem> {
	const done = new Map<string, TeamRequest>();
	const [[name = '', value = ''] = []] = Object.entries(header);
	const listener = answering(async (request, response, text) => {
		const answer = (status: number, body: unknown) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		};
		if (request.headers[name.toLowerCase()] !== value) return answer(401, { message: 'Who?' });
		const path = request.url ?? '';
		const key = String(request.headers['idempotency-key'] ?? '');
		const one = { path, key, body: JSON.parse(text || '{}') as IDataObject };
		system.requests.push(one);
		await system.onRequest(one);
		if (system.down.has(path)) return answer(503, { message: 'Out of order' });
		const id = `${path} ${key}`;
		if (!done.has(id)) done.set(id, one);
		answer(200, { id: `T-${[...done.keys()].indexOf(id) + 1}`, done: true });
	});
	const server = createServer(listener).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const system: TeamSystem = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests: [],
		done: (path) => [...done.values()].filter((one) => one.path === path),
		down: new Set(),
		onRequest: () => {},
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
	return system;
}
