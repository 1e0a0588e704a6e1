import type { IDataObject } from 'n8n-workflow';
import { createListener, type LocalServer, serve } from './server';

/** A request that a workflow sent to a system of the team. */
export interface TeamRequest {
	path: string;
	key: string;
	body: IDataObject;
}

/**
 * The systems of a team: payments, accounts, tickets. Each does what is asked once for each
 * Idempotency-Key.
 */
export interface TeamSystem extends LocalServer {
	/** Each request that had the header, in order. */
	requests: TeamRequest[];
	/** What a path was asked to do, once for each key. */
	done(path: string): TeamRequest[];
	/** What it answers to what it does, instead of an ID. */
	answer: unknown;
	/** Paths that answer 503, and do nothing. */
	readonly down: Set<string>;
	/** Paths that answer 422, and do nothing. */
	readonly refusing: Set<string>;
	/** Paths that do what is asked, and break the connection off instead of answering. */
	readonly broken: Set<string>;
	/** Ends what `down`, `refusing` and `broken` have. */
	mend(): void;
	/** Is called as soon as a request has come, before it is answered. */
	onRequest(request: TeamRequest): Promise<void> | void;
}

/** Starts the systems of a team. They take requests with this header `Authorization`. */
export async function startTeamSystem(authorization: string): Promise<TeamSystem> {
	const done = new Map<string, TeamRequest>();
	const listener = createListener(async ({ url: path = '', headers, socket }, answer, text) => {
		if (headers.authorization !== authorization) return answer(401, { message: 'Who?' });
		const key = String(headers['idempotency-key'] ?? '');
		const request = { path, key, body: JSON.parse(text || '{}') as IDataObject };
		system.requests.push(request);
		await system.onRequest(request);
		if (system.down.has(path)) return answer(503, { message: 'Out of order' });
		if (system.refusing.has(path)) return answer(422, { message: 'Not this one' });
		const id = `${path} ${key}`;
		if (!done.has(id)) done.set(id, request);
		if (system.broken.has(path)) return socket.destroy();
		answer(200, system.answer ?? { id: `T-${[...done.keys()].indexOf(id) + 1}`, done: true });
	});
	const system: TeamSystem = {
		...(await serve(listener)),
		requests: [],
		done: (path) => [...done.values()].filter((request) => request.path === path),
		answer: null,
		down: new Set(),
		refusing: new Set(),
		broken: new Set(),
		mend: () => [system.down, system.refusing, system.broken].forEach((paths) => paths.clear()),
		onRequest: () => {},
	};
	return system;
}
