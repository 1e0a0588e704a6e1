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
	/** Returns the requests that a path has carried out: the first one for each key. */
	carriedOut(path: string): TeamRequest[];
	/** The body of each answer to a request that was carried out. For `null`, it has a new ID. */
	answer: unknown;
	/** Paths that answer 503, and do nothing. */
	readonly downPaths: Set<string>;
	/** Paths that answer 422, and do nothing. */
	readonly refusingPaths: Set<string>;
	/** Paths that do what they are asked, and then break off the connection. */
	readonly breakingPaths: Set<string>;
	/** Lets all paths answer again. */
	mend(): void;
	/** Is called with each request before it is carried out. */
	onRequest(request: TeamRequest): Promise<void> | void;
}

/** Starts the systems of a team. They take only requests with this header `Authorization`. */
export async function startTeamSystem(authorization: string): Promise<TeamSystem> {
	const requestsById = new Map<string, TeamRequest>();
	const listener = createListener(async ({ url: path = '', headers, socket }, answer, text) => {
		if (headers.authorization !== authorization) return answer(401, { message: 'Who?' });
		const key = String(headers['idempotency-key'] ?? '');
		const request = { path, key, body: JSON.parse(text || '{}') as IDataObject };
		system.requests.push(request);
		await system.onRequest(request);
		if (system.downPaths.has(path)) return answer(503, { message: 'Out of order' });
		if (system.refusingPaths.has(path)) return answer(422, { message: 'Not this one' });
		const id = `${path} ${key}`;
		if (!requestsById.has(id)) requestsById.set(id, request);
		if (system.breakingPaths.has(path)) return socket.destroy();
		answer(
			200,
			system.answer ?? { id: `T-${[...requestsById.keys()].indexOf(id) + 1}`, done: true },
		);
	});
	const system: TeamSystem = {
		...(await serve(listener)),
		requests: [],
		carriedOut: (path) => [...requestsById.values()].filter((request) => request.path === path),
		answer: null,
		downPaths: new Set(),
		refusingPaths: new Set(),
		breakingPaths: new Set(),
		mend: () =>
			[system.downPaths, system.refusingPaths, system.breakingPaths].forEach((paths) =>
				paths.clear(),
			),
		onRequest: () => {},
	};
	return system;
}
