import type { IHttpRequestOptions } from 'n8n-workflow';
import { beginsAsPdf, type Request, type Send } from '../client/client';
import { ScreeningError, tooLarge } from '../shared/errors';
import { networkFault, refusedElsewhere } from '../client/faults';
import { type Mask, maskedBytes } from '../client/mask';
import { isLoopback, isPrivate, parseUrl } from '../shared/url';
import { type Context, stopSignal } from './context';
import { type Connection, credentialType } from './credential';
import { withSignal } from './quirks';
import { signalAfter, unlessAborted } from './time';
import { type Answer, isSuccess } from '../shared/http';

const mostRedirects = 5;
/** Enough for an explanation. */
const mostBytesOfRefusal = 2 ** 16;
/** Ends a request that may still be in progress. Without a reason given, each abort would make an error with a stack of its own. */
const requestOver = new Error('The request is over');

/**
 * The one place where a request leaves: through n8n's helper, so that the proxy, SSRF and credential rules of the instance
 * apply. Any status comes back as it is. Any transport failure becomes a `network` fault that carries no request data,
 * because n8n's own error holds its headers, the key among them. The key goes only to the origin of the connection, and no
 * secret of the connection is in what comes back. `signal` ends what was not sent yet, and a GET. A POST on the wire may be
 * billed: only the stop button ends it, which is a fault `STOPPED`, and its own time-out.
 */
export function createSend(
	context: Context,
	{ baseUrl, credential, mask }: Pick<Connection, 'baseUrl' | 'credential' | 'mask'>,
	{ requestTimeout, signal }: { requestTimeout: number; signal?: AbortSignal | undefined },
): Send {
	const stop = stopSignal(context);
	const own = new URL(baseUrl);
	// n8n's helper takes whole milliseconds, and 64.1 * 1000 is a fraction.
	const timeout = Math.ceil(requestTimeout * 1000);

	async function exchange(
		request: Request,
		url: string,
		withKey: boolean,
		signal: AbortSignal,
	): Promise<Answer> {
		const options: IHttpRequestOptions = {
			method: request.method,
			url,
			headers: {
				Accept: request.accept,
				...(request.body && { 'Content-Type': 'application/json' }),
			},
			...(request.body && { body: request.body }),
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout,
			abortSignal: signal,
		};
		const { statusCode, headers, body } = withKey
			? await context.helpers.httpRequestWithAuthentication.call(
					withSignal(context, signal),
					credentialType,
					options,
					{ credentialsDecrypted: credential },
				)
			: await context.helpers.httpRequest(options);
		const isRefusal = statusCode < 200 || statusCode > 299;
		const most = isRefusal ? mostBytesOfRefusal : request.mostBytes;
		const came = await readBytes(body as AsyncIterable<Buffer>, most);
		if (came.isCut && !isRefusal) throw tooLarge(statusCode, most);
		return { status: statusCode, headers, body: came.bytes };
	}

	async function follow(request: Request, signal: AbortSignal): Promise<Answer> {
		let { url } = request;
		for (let hops = 0; ; hops++) {
			const isOwn = new URL(url).origin === own.origin;
			const answer = await exchange(request, url, isOwn, signal);
			if (!isOwn && [401, 403].includes(answer.status)) throw refusedElsewhere(answer.status);
			const target = redirectTarget(answer, url, own);
			// Repeating a POST elsewhere would send the address, and maybe the bill, where nobody asked for it.
			if (!target || request.method !== 'GET' || hops === mostRedirects) return answer;
			url = target;
		}
	}

	return async (request) => {
		// The helper's own time-out ends with the first byte; this one covers a body that never ends.
		const deadline = signalAfter(timeout);
		const ended = new AbortController();
		const isPost = request.method === 'POST';
		const ends = [stop, isPost ? undefined : signal];
		for (const end of [stop, signal]) end?.throwIfAborted();
		try {
			const answer = await unlessAborted(follow(request, ended.signal), [...ends, deadline]);
			const isPdf =
				request.accept === 'application/pdf' && isSuccess(answer) && beginsAsPdf(answer.body);
			return masked(answer, mask, isPdf);
		} catch (error) {
			if (isPost && stop?.aborted) return networkFault('STOPPED');
			for (const end of ends) end?.throwIfAborted();
			if (deadline.aborted) return networkFault('TIMEOUT', requestTimeout);
			return error instanceof ScreeningError ? error : networkFault(codeOf(error), requestTimeout);
		} finally {
			ended.abort(requestOver);
		}
	};
}

/** The bytes of a stream, as they are after decompression. Of a longer one than `most` the rest is not read. */
async function readBytes(stream: AsyncIterable<Buffer>, most: number) {
	const chunks: Buffer[] = [];
	let length = 0;
	let isCut = false;
	for await (const chunk of stream) {
		length += chunk.length;
		isCut = length > most;
		// This ends the connection.
		if (isCut) break;
		chunks.push(chunk);
	}
	return { bytes: Buffer.concat(chunks), isCut };
}

/** The answer without the secrets. A PDF is no text, and goes only into a file. */
function masked({ status, headers, body }: Answer, mask: Mask, isPdf: boolean): Answer {
	const texts = Object.entries(headers).map(([name, value]) => [
		name,
		Array.isArray(value) ? value.map(mask) : value && mask(value),
	]);
	return {
		status,
		headers: Object.fromEntries(texts) as Answer['headers'],
		body: isPdf ? body : maskedBytes(body, mask),
	};
}

/**
 * Where a redirect leads, if it may be followed: the key and the report stay on encrypted connections, and a service
 * elsewhere leads to no `http:` address of this machine.
 */
function redirectTarget({ status, headers }: Answer, from: string, own: URL): string | undefined {
	const { location } = headers;
	if (status < 300 || status > 399 || typeof location !== 'string') return undefined;
	const target = parseUrl(location, from);
	if (!target || !isPrivate(target)) return undefined;
	return target.protocol === 'https:' || isLoopback(own) ? target.href : undefined;
}

/** No route, which a connection can also lose while the service already works on the request. */
const noRoute = ['EHOSTUNREACH', 'ENETUNREACH'];
const timeouts = ['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'];

/** The network's own code, from the error or from what it wraps; its message may hold anything and is not used. */
function codeOf(error: unknown): string {
	for (
		let inner = error;
		typeof inner === 'object' && inner !== null;
		inner = (inner as Error).cause
	) {
		const { name, code, syscall } = inner as { name?: unknown; code?: unknown; syscall?: unknown };
		if (typeof name === 'string' && /^ssrf/i.test(name)) return 'SSRF';
		if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) {
			if (noRoute.includes(code) && syscall !== 'connect') return 'NO_ANSWER';
			return timeouts.includes(code) ? 'TIMEOUT' : code;
		}
	}
	return 'NO_ANSWER';
}
