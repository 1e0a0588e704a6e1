import type { IDataObject } from 'n8n-workflow';
import { createListener, type LocalServer, serve } from './server';

/** A request that a workflow sent to a system of the team. */
export interface TeamRequest {
	path: string;
	key: string;
	body: IDataObject;
}

/**
 * The systems of a team: payments, accounts, tickets. Each path does what it is asked once for each
 * Idempotency-Key.
 */
export interface TeamSystem extends LocalServer {
	/** Each request with the right header `Authorization`, in order. */
	requests: TeamRequest[];
	/** Returns what a path has done: the first request for each key. */
	done(path: string): TeamRequest[];
	/**
	 * The body of the answer to a request that was carried out. If this is `null`, the body has the ID
	 * of what was done.
	 */
	answer: unknown;
	/** Paths that answer 503, and do nothing. */
	readonly down: Set<string>;
	/** Paths that answer 422, and do nothing. */
	readonly refusing: Set<string>;
	/** Paths that do what they are asked, and then break off the connection. */
	readonly broken: Set<string>;
	/** Empties `down`, `refusing` and `broken`. */
	mend(): void;
	/** Is called with each request before it is carried out. */
	onRequest(request: TeamRequest): Promise<void> | void;
}

/** Starts the systems of a team. They only take requests with this header `Authorization`. */
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
