import { Readable } from 'node:stream';
import { type JsonObject, NodeApiError } from 'n8n-workflow';
import { createConnection } from '../../../nodes/WalletScreening/transport/connection';
import type { Credential } from '../../../nodes/WalletScreening/transport/credential';
import { Sender } from '../../../nodes/WalletScreening/transport/send';
import type { ServiceRequest } from '../../../nodes/WalletScreening/client/client';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { type ContextOptions, createContext, node } from '../../support/unit/context';
import { createStopButton } from '../../support/unit/stopButton';
import { settlePromises } from '../../support/unit/virtualClock';
import { errorOf } from '../../support/unit/errors';
import { helperAnswer } from '../../support/unit/httpAnswers';

const KEY = 'sk_live_0123456789';
const get: ServiceRequest = {
	method: 'GET',
	url: 'https://api.example.com/v1/reports/r',
	accept: 'application/json',
	maxBytes: 1000,
};
const post: ServiceRequest = { ...get, method: 'POST', body: { address: 'a' } };
const credential: Credential = { apiKey: KEY, baseUrl: 'https://api.example.com', plan: 'pro' };
const send = (options: ContextOptions, more: object = {}, baseUrl = credential.baseUrl) => {
	const connection = createConnection({ ...credential, baseUrl }, {});
	const sender = new Sender(createContext(options), connection, { requestTimeout: 64.1, ...more });
	return async (request: ServiceRequest) => await sender.send(request);
};
/** A helper of n8n that always answers so. */
const gives = (answer: unknown) => async () => await Promise.resolve(answer);

test('a request goes through the helper of n8n, for the full answer of any status', async () => {
	const seen: unknown[] = [];
	const http = async (request: object, withKey: boolean) => {
		seen.push([request, withKey]);
		return await Promise.resolve(helperAnswer(418, 'body', { 'retry-after': '1' }));
	};
	const body = Buffer.from('body');
	expect(await send({ http })(post)).toEqual({
		status: 418,
		headers: { 'retry-after': '1' },
		retryAfter: 1000,
		body,
	});
	const request = {
		method: 'POST',
		url: post.url,
		body: { address: 'a' },
		headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		// Whole milliseconds, which 64.1 * 1000 is not.
		timeout: 64_100,
	};
	expect(seen).toEqual([[expect.objectContaining(request), true]]);
});

test('what comes back holds no secret, in a header or a body', async () => {
	const headers = { location: `/${KEY}`, 'set-cookie': [KEY] };
	const sent = async (body: Buffer) =>
		await send({ http: gives(helperAnswer(302, body, headers)) })(post);
	expect(await sent(Buffer.from(`"${KEY}"`))).toEqual({
		status: 302,
		headers: { location: '/***', 'set-cookie': ['***'] },
		body: Buffer.from('"***"'),
	});
});

test('only a PDF that was asked for is no text, so that it stays as it came', async () => {
	const pdf = Buffer.from(`\n%PDF-1.7 ${KEY}`);
	const sent = async (status: number, accept: string) =>
		await send({ http: gives(helperAnswer(status, pdf)) })({ ...get, accept });
	expect(await sent(200, 'application/pdf')).toMatchObject({ body: pdf });
	const hidden = { body: Buffer.from('\n%PDF-1.7 ***') };
	expect(await sent(400, 'application/pdf')).toMatchObject(hidden);
	expect(await sent(200, 'application/json')).toMatchObject(hidden);
	const error = Buffer.from(`{"error":"no %PDF- ${KEY}"}`);
	const http = gives(helperAnswer(200, error));
	const request = { ...get, accept: 'application/pdf' };
	expect(await send({ http })(request)).toMatchObject({
		body: Buffer.from('{"error":"no %PDF- ***"}'),
	});
});

describe('an answer', () => {
	/** A stream that tells how many bytes of it were taken. */
	function streamOf(chunks: number, statusCode: number, chunk = Buffer.alloc(100, 'x')) {
		let taken = 0;
		const stream = Readable.from(
			(function* () {
				for (; taken < chunks * chunk.length; taken += chunk.length) yield chunk;
			})(),
			{ highWaterMark: 1 },
		);
		const http = gives({ statusCode, headers: {}, body: stream });
		return { stream, taken: () => taken, sent: async () => await send({ http })(get) };
	}

	test.each([
		[10, 200, { status: 200, body: Buffer.alloc(1000, 'x') }],
		[10_000, 200, { errorClass: 'invalid_response', httpCode: 200, faultCode: 'TOO_LARGE' }],
		// A refusal keeps its status, however long its explanation is.
		[10_000, 422, { status: 422 }],
	])(
		'is read up to the most bytes of its kind: %i chunks, %i',
		async (chunks, status, expected) => {
			const { stream, taken, sent } = streamOf(chunks, status);
			expect(await sent().catch((error: unknown) => error)).toMatchObject(expected);
			expect(taken()).toBeLessThan(100_000);
			expect(stream.destroyed).toBe(true);
		},
	);

	test('that breaks off is a fault of the network', async () => {
		const stream = new Readable({ read() {} });
		const sent = send({ http: gives({ statusCode: 200, headers: {}, body: stream }) })(get);
		stream.push('{"report');
		stream.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
		const ended = { errorClass: 'network', faultCode: 'ECONNRESET' };
		await expect(sent).rejects.toMatchObject(ended);
	});
});

test('a request whose run ended, or was stopped, is not sent', async () => {
	const reason = new Error('ended');
	const signal = AbortSignal.abort(reason);
	await expect(send({}, { signal })(post)).rejects.toBe(reason);
	await expect(send({ signal })(post)).rejects.toBe(reason);
});

test.each([
	[{ code: 'ECONNREFUSED' }, 'ECONNREFUSED'],
	[{ code: 'ETIMEDOUT' }, 'TIMEOUT'],
	[{ cause: { cause: { code: 'CERT_HAS_EXPIRED' } } }, 'CERT_HAS_EXPIRED'],
	[{ code: 17, cause: { code: 'EPIPE' } }, 'EPIPE'],
	[{ code: 'EHOSTUNREACH', syscall: 'connect' }, 'EHOSTUNREACH'],
	// The two shapes of axios 1.18: a host with one IP address, and one with several.
	[{ code: 'EHOSTUNREACH', cause: { code: 'EHOSTUNREACH', syscall: 'connect' } }, 'EHOSTUNREACH'],
	[
		{
			code: 'ETIMEDOUT',
			cause: { code: 'ETIMEDOUT', errors: [{ code: 'ETIMEDOUT', syscall: 'connect' }] },
		},
		'ETIMEDOUT',
	],
	// The connection is gone while the answer is waited for.
	[{ code: 'ETIMEDOUT', syscall: 'read' }, 'NO_ANSWER'],
	// A route that is lost while the answer is waited for: the service may have carried the request
	// out.
	[{ code: 'EHOSTUNREACH', syscall: 'read' }, 'NO_ANSWER'],
	[{ code: `Bearer ${KEY}` }, 'NO_ANSWER'],
	[{ code: 'FAILED' }, 'NO_ANSWER'],
	[{ cause: null }, 'NO_ANSWER'],
])('a fault %j has the code %s and says nothing of the request', async (properties, code) => {
	const raw = Object.assign(new Error(`Bearer ${KEY}`), properties, {
		config: { headers: { Authorization: `Bearer ${KEY}` } },
	});
	const fault = await errorOf(
		async () => await send({ http: async () => await Promise.reject(raw) })(get),
	);
	expect(fault).toMatchObject({ errorClass: 'network', faultCode: code });
	const { message, description, stack, details } = fault;
	expect(JSON.stringify([message, description, stack, details, { ...fault }])).not.toContain(KEY);
});

test("what n8n's protection against requests into its own network refuses has a code", async () => {
	const refusal = Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' });
	// n8n's helper wraps it if a credential is used, and gives it as it is if none is.
	for (const thrown of [refusal, new NodeApiError(node, refusal as unknown as JsonObject)]) {
		const fault = await errorOf(
			async () => await send({ http: async () => await Promise.reject(thrown) })(get),
		);
		expect(fault).toMatchObject({ errorClass: 'network', faultCode: 'SSRF' });
	}
});

describe('a redirect', () => {
	/** Requests to a service whose answers depend on the URL. */
	async function follow(request: ServiceRequest, places: Record<string, object>) {
		const seen: Array<[string, boolean]> = [];
		const http: ContextOptions['http'] = async ({ url }, withKey) => {
			seen.push([url, withKey]);
			return await Promise.resolve(places[url] ?? helperAnswer(200, url));
		};
		const sends = send({ http }, {}, new URL(request.url).origin);
		const answer = await sends(request).catch((error: unknown) => error);
		return { answer, seen };
	}
	const to = (location: unknown, status = 302) =>
		helperAnswer(status, '', { location: location as string });

	test.each([
		['/v2/reports/r', true],
		['https://api.example.com:8443/r', false],
		['https://api.example.com.evil.example/r', false],
		['https://api.example.com@evil.example/r', false],
		['//evil.example/r', false],
	])('of a GET to %s is followed; with the key: %s', async (target, withKey) => {
		const { href } = new URL(target, get.url);
		for (const status of [301, 308]) {
			const { answer, seen } = await follow(get, { [get.url]: to(target, status) });
			expect(Object.fromEntries(seen)).toEqual({ [get.url]: true, [href]: withKey });
			expect(answer).toMatchObject({ status: 200, body: Buffer.from(href) });
		}
	});

	test.each([
		'http://api.example.com/r',
		'http://localhost/r',
		'file:///etc/passwd',
		'https://',
		['https://api.example.com/r'],
	])('to %j is not followed, by way of another host either', async (target) => {
		const between = 'https://cdn.example.com/r';
		const { answer, seen } = await follow(get, { [get.url]: to(target) });
		expect([seen.length, answer]).toEqual([1, expect.objectContaining({ status: 302 })]);
		const longer = await follow(get, { [get.url]: to(between), [between]: to(target) });
		expect(longer.seen.map(([url]) => url)).toEqual([get.url, between]);
	});

	test('to http on this machine is followed only from a base URL on this machine', async () => {
		const local = { ...get, url: 'http://127.0.0.1:8080/v1/reports/r' };
		const target = 'http://localhost:9090/r';
		const { seen } = await follow(local, { [local.url]: to(target) });
		expect(Object.fromEntries(seen)).toEqual({ [local.url]: true, [target]: false });
	});

	// No key was sent there. A store of files answers 403 for one that is not there yet.
	test.each([401, 403, 404, 429])(
		'to a host that refuses is no refusal of the key (%i)',
		async (status) => {
			const elsewhere = 'https://files.example.com/r.pdf';
			const places = { [get.url]: to(elsewhere), [elsewhere]: helperAnswer(status) };
			const { answer } = await follow(get, places);
			expect(answer).toMatchObject({ errorClass: 'server', httpCode: status });
			expect(answer).toBeInstanceOf(ScreeningError);
			const own = await follow(get, { [get.url]: helperAnswer(status) });
			expect(own.answer).toMatchObject({ status });
		},
	);

	test('is followed five times at most, and of a POST never', async () => {
		for (const [request, most] of [
			[get, 5],
			[post, 0],
		] as const) {
			const { answer, seen } = await follow(request, { [request.url]: to(request.url, 307) });
			expect([seen.length, answer]).toEqual([1 + most, expect.objectContaining({ status: 307 })]);
		}
	});
});

test('the end of the run ends a GET on the wire, and no POST: only the stop button does, and the POST may be billed', async () => {
	const [ending, stop] = [new AbortController(), createStopButton()];
	const http = async () => await new Promise(() => {});
	const sends = send({ http, signal: stop.signal }, { signal: ending.signal });
	const outcomes = Promise.allSettled([sends(get), sends(post)]);
	await settlePromises();
	const ended = new Error('ended');
	ending.abort(ended);
	await settlePromises();
	stop.abort();
	const stopped = { errorClass: 'network', faultCode: 'STOPPED' };
	expect(await outcomes).toMatchObject([{ reason: ended }, { reason: stopped }]);
});

test('an answer whose body does not end is a time-out', async () => {
	const http = async () => await new Promise(() => {});
	const fault = await errorOf(async () => await send({ http }, { requestTimeout: 0.02 })(get));
	expect(fault).toMatchObject({ errorClass: 'network', faultCode: 'TIMEOUT' });
});
