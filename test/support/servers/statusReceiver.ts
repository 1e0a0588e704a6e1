import { createHmac, timingSafeEqual } from 'node:crypto';
import { createListener, type LocalServer, serve } from './server';

/** The status of a payment, as it came. */
export interface Callback {
	id: string;
	/** When it was sent, in seconds. */
	timestamp: string;
	body: string;
	/** Why its signature does not count; `undefined` where it does. */
	problem: string | undefined;
	status: string;
	payment_id: string;
	number: number;
}

/** The text that n8n signs with; a credential of n8n takes no bytes. */
export const signingText = 'a4x9KqT2mZ7vB1nC5rE8wY3uI6oP0sDf';
/** The same key, as the libraries of Standard Webhooks take it. */
const secret = `whsec_${Buffer.from(signingText).toString('base64')}`;
const toleranceSeconds = 5 * 60;

/**
 * What the specification asks of who verifies (standard-webhooks/spec, "Verifying webhook
 * authenticity"): the base64 of the HMAC-SHA256 of `id.timestamp.payload`, under the bytes that
 * `whsec_` holds, in one of the signatures of the header, and a time that is near.
 */
function problemOf(id: string, timestamp: string, header: string, body: string) {
	if (!/^\d+$/.test(timestamp)) return 'no timestamp in seconds';
	if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return 'too old';
	const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
	const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
	const isRight = header.split(' ').some((one) => {
		const [version, signature = ''] = one.split(',');
		const given = Buffer.from(signature, 'base64');
		return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
	});
	return isRight ? undefined : 'wrong signature';
}

/**
 * How a receiver fails: by a status, a redirect, or a connection that breaks before or after it
 * took what came.
 */
export type Failure = 500 | 404 | 302 | 'breaks' | 'takes it, and breaks';

/** A stand-in for a payment system that receives the statuses of payments. */
export interface StatusReceiver extends LocalServer {
	/** How many requests came. */
	requests: number;
	/** All that came, taken or not. */
	came: Callback[];
	/** What it took, in order, a repeated one each time. */
	taken: Callback[];
	/** What it took of a payment, in order, what came again left out. */
	statusesOf(payment: string): string[];
	/** How it fails at a request, counted from 1; `undefined` if it does not. */
	failure(request: number): Failure | undefined;
	/** Is called as soon as a request has come, before it is answered. */
	onRequest(request: number): Promise<void> | void;
	clear(): void;
}

export async function startStatusReceiver(): Promise<StatusReceiver> {
	const listener = createListener(async ({ headers, socket }, answer, body) => {
		const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
			String(headers[`webhook-${name}`]),
		) as [string, string, string];
		const { data } = JSON.parse(body) as {
			data: Pick<Callback, 'payment_id' | 'number' | 'status'>;
		};
		const problem = problemOf(id, timestamp, signature, body);
		const callback = { id, timestamp, body, problem, ...data };
		const failure = system.failure(++system.requests);
		if (!problem && typeof failure !== 'number' && failure !== 'breaks')
			system.taken.push(callback);
		system.came.push(callback);
		await system.onRequest(system.requests);
		if (typeof failure === 'string') socket.destroy();
		else if (problem) answer(401, { problem });
		else answer(failure ?? 204, '', failure === 302 ? { location: '/elsewhere' } : {});
	});
	const system: StatusReceiver = {
		...(await serve(listener)),
		requests: 0,
		came: [],
		taken: [],
		statusesOf: (payment) => {
			const its = system.taken.filter(({ payment_id }) => payment_id === payment);
			return its
				.filter(({ id }, at) => its.findIndex((one) => one.id === id) === at)
				.map(({ status }) => status);
		},
		failure: () => undefined,
		onRequest: () => {},
		clear() {
			Object.assign(system, { requests: 0, came: [], taken: [] });
			Object.assign(system, { failure: () => undefined, onRequest: () => {} });
		},
	};
	return system;
}
