import type { IDataObject } from 'n8n-workflow';
import { answering, serve } from '../../support/server';

/** A request that a workflow sent to a system of the team. */
export interface TeamRequest {
	path: string;
	key: string;
	body: IDataObject;
}

/** The systems of a team: payments, accounts, tickets. Each does what is asked once for each Idempotency-Key. */
export async function startTeamSystem(authorization: string) {
	const done = new Map<string, TeamRequest>();
	const listener = answering(async ({ url: path = '', headers }, answer, text) => {
		if (headers.authorization !== authorization) return answer(401, { message: 'Who?' });
		const key = String(headers['idempotency-key'] ?? '');
		const one = { path, key, body: JSON.parse(text || '{}') as IDataObject };
		system.requests.push(one);
		await system.onRequest(one);
		if (system.down.has(path)) return answer(503, { message: 'Out of order' });
		if (system.refusing.has(path)) return answer(422, { message: 'Not this one' });
		const id = `${path} ${key}`;
		if (!done.has(id)) done.set(id, one);
		answer(200, system.answer ?? { id: `T-${[...done.keys()].indexOf(id) + 1}`, done: true });
	});
	const system = {
		...(await serve(listener)),
		/** Each request that had the header, in order. */
		requests: [] as TeamRequest[],
		/** What a path was asked to do, once for each key. */
		done: (path: string) => [...done.values()].filter((one) => one.path === path),
		/** What it answers to what it does, instead of an ID. */
		answer: null as unknown,
		/** Paths that answer 503, and do nothing. */
		down: new Set<string>(),
		/** Paths that answer 422, and do nothing. */
		refusing: new Set<string>(),
		/** Called as soon as a request has come, before it is answered. */
		onRequest: (_request: TeamRequest): Promise<void> | void => {},
	};
	return system;
}
