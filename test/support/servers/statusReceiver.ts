import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createListener, type LocalServer, serve } from './server';

/** A request with the status of a payment. */
interface Callback {
	id: string;
	/** When it was sent, in seconds of Unix time, as the header has it. */
	timestamp: string;
	body: string;
	/** Why the receiver refuses the signature; `undefined` if it accepts it. */
	problem: string | undefined;
	status: string;
	payment_id: string;
	number: number;
}

/** The key with which n8n signs. It is a text, because n8n's credential takes no other bytes. */
export const signingText = 'a4x9KqT2mZ7vB1nC5rE8wY3uI6oP0sDf';
/** The same key in the form of Standard Webhooks. */
const secret = `whsec_${Buffer.from(signingText).toString('base64')}`;
/** How far the time of a request may be from now. */
const maxSecondsApart = 5 * 60;

/**
 * Verifies a request as the specification asks of a receiver (standard-webhooks/spec, "Verifying
 * webhook authenticity"). The time must be near, and one of the signatures in the header must be
 * the base64 of the HMAC-SHA256 of `id.timestamp.payload` under the key.
 *
 * @returns why the receiver refuses the request; `undefined` if it does not
 */
function findProblem(id: string, timestamp: string, header: string, body: string) {
	if (!/^\d+$/.test(timestamp)) return 'no timestamp in seconds';
	if (Math.abs(Date.now() / 1000 - Number(timestamp)) > maxSecondsApart) return 'too old';
	const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
	const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
	const isRight = header.split(' ').some((one) => {
		const [version, signature = ''] = one.split(',');
		const given = Buffer.from(signature, 'base64');
		return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
	});
	return isRight ? undefined : 'wrong signature';
}

/** How a receiver fails: by a status, or by breaking off the connection. */
export type Failure = 500 | 404 | 302 | 'breaks before it accepts' | 'breaks after it accepts';

/** A stand-in for a payment system that receives the statuses of payments. */
export interface StatusReceiver extends LocalServer {
	/** How many requests have arrived. */
	requestCount: number;
	/** All requests in order, accepted or not. */
	callbacks: Callback[];
	/** The accepted ones in order. A repeated one is here each time. */
	accepted: Callback[];
	/** The accepted statuses of a payment, in order and without repeats. */
	statusesOf(payment: string): string[];
	/** Returns how it fails on a request, counted from 1; `undefined` if it does not. */
	failure(request: number): Failure | undefined;
	/** Is called with the number of each request that arrives, before the answer. */
	onRequest(request: number): Promise<void> | void;
	/** Forgets all requests, and ends all failures. */
	clear(): void;
}

/** What a receiver has before the first request. */
const untouched = (): Pick<
	StatusReceiver,
	'requestCount' | 'callbacks' | 'accepted' | 'failure' | 'onRequest'
> => ({
	requestCount: 0,
	callbacks: [],
	accepted: [],
	failure: () => undefined,
	onRequest: () => {},
});

/** Reads a request, and verifies its signature. */
function readCallback(headers: IncomingHttpHeaders, body: string): Callback {
	const readHeader = (name: string) => String(headers[`webhook-${name}`]);
	const id = readHeader('id');
	const timestamp = readHeader('timestamp');
	const problem = findProblem(id, timestamp, readHeader('signature'), body);
	const { data } = JSON.parse(body) as {
		data: Pick<Callback, 'payment_id' | 'number' | 'status'>;
	};
	return { id, timestamp, body, problem, ...data };
}

export async function startStatusReceiver(): Promise<StatusReceiver> {
	const listener = createListener(async ({ headers, socket }, answer, body) => {
		const callback = readCallback(headers, body);
		const { problem } = callback;
		const failure = receiver.failure(++receiver.requestCount);
		const accepts = failure === undefined || failure === 'breaks after it accepts';
		if (accepts && !problem) receiver.accepted.push(callback);
		receiver.callbacks.push(callback);
		await receiver.onRequest(receiver.requestCount);
		if (typeof failure === 'string') socket.destroy();
		else if (problem) answer(401, { problem });
		else answer(failure ?? 204, '', failure === 302 ? { location: '/elsewhere' } : {});
	});
	const receiver: StatusReceiver = {
		...(await serve(listener)),
		...untouched(),
		statusesOf(payment) {
			const ofPayment = receiver.accepted.filter(({ payment_id }) => payment_id === payment);
			const isFirst = ({ id }: Callback, index: number) =>
				ofPayment.findIndex((one) => one.id === id) === index;
			return ofPayment.filter(isFirst).map(({ status }) => status);
		},
		clear: () => void Object.assign(receiver, untouched()),
	};
	return receiver;
}
