import type { ICredentialsDecrypted, IHttpRequestOptions } from 'n8n-workflow';
import type { Answer } from '../pace/retry';
import { isLoopback, isPrivate, normalizeBaseUrl } from '../service/baseUrl';
import type { Request, Send } from '../service/client';
import { networkFault, refusedElsewhere, ScreeningError } from '../service/errors';
import { parseUrl } from '../service/url';
import { type Context, stopSignal } from './context';
import { credentialType, notRead, readCredential } from './credential';
import { withSignal } from './quirks';
import { unlessAborted } from './time';

const mostRedirects = 5;
/** Milliseconds for which a read of the credential serves. */
const longestUse = 1000;
/** Ends a request that may still be in progress. Without a reason given, each abort would make an error with a stack of its own. */
const over = new Error('The request is over');

/**
 * The one place where a request leaves: through n8n's helper, so that the proxy, SSRF and credential rules of the instance
 * apply. Any status comes back as it is. Any transport failure becomes a `network` fault that carries no request data,
 * because n8n's own error holds its headers, the key among them. `signal` ends what was not sent yet, and a GET; a POST on
 * the wire may be billed, so that only the stop button and its own time-out end it.
 */
export function createSend(
	context: Context,
	{ requestTimeout, signal }: { requestTimeout: number; signal?: AbortSignal | undefined },
): Send {
	const stop = stopSignal(context);
	// Timers refuse fractions, and 64.1 * 1000 is one.
	const timeout = Math.ceil(requestTimeout * 1000);
	const currentCredential = createReading(context);

	async function exchange(
		request: Request,
		url: string,
		credentialsDecrypted: ICredentialsDecrypted | undefined,
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
			encoding: 'arraybuffer',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout,
			abortSignal: signal,
		};
		const { statusCode, headers, body } = credentialsDecrypted
			? await context.helpers.httpRequestWithAuthentication.call(
					withSignal(context, signal),
					credentialType,
					options,
					{ credentialsDecrypted },
				)
			: await context.helpers.httpRequest(options);
		return { status: statusCode, headers, body: Buffer.from(body ?? '') };
	}

	async function follow(
		request: Request,
		credential: ICredentialsDecrypted,
		signal: AbortSignal,
	): Promise<Answer> {
		const asked = new URL(request.url);
		let url = request.url;
		for (let hops = 0; ; hops++) {
			const key = new URL(url).origin === asked.origin ? credential : undefined;
			const answer = await exchange(request, url, key, signal).catch((error: unknown) => {
				// What n8n's rules forbid is then not the address in the credential.
				throw hops > 0 && codeOf(error) === 'SSRF' ? networkFault('SSRF_REDIRECT') : error;
			});
			if (!key && [401, 403].includes(answer.status)) throw refusedElsewhere(answer.status);
			const target = redirectTarget(answer, url, asked);
			// Repeating a POST elsewhere would send the address, and maybe the bill, where nobody asked for it.
			if (!target || request.method !== 'GET' || hops === mostRedirects) return answer;
			url = target;
		}
	}

	return async (request) => {
		// The helper's own time-out ends with the first byte; this one covers a body that never ends.
		const deadline = AbortSignal.timeout(timeout);
		const ended = new AbortController();
		let ends = [stop, signal];
		let isSent = false;
		try {
			const credential = await unlessAborted(currentCredential(), [...ends, deadline]);
			isSent = true;
			if (request.method === 'POST') ends = [stop];
			return await unlessAborted(follow(request, credential, ended.signal), [...ends, deadline]);
		} catch (error) {
			for (const end of ends) end?.throwIfAborted();
			if (deadline.aborted) {
				return isSent
					? networkFault('TIMEOUT', requestTimeout)
					: notRead(`It took longer than ${requestTimeout} seconds.`);
			}
			return error instanceof ScreeningError ? error : networkFault(codeOf(error));
		} finally {
			ended.abort(over);
		}
	};
}

/**
 * Reads the credential for n8n's helper, at most once a second: n8n takes milliseconds for it, and a key that somebody
 * changes is to hold for the next requests of a long run. Throws as `connect`.
 */
function createReading(context: Context): () => Promise<ICredentialsDecrypted> {
	let readAt = -Infinity;
	let latest: Promise<ICredentialsDecrypted>;

	async function read(): Promise<ICredentialsDecrypted> {
		const { id, name = '' } = context.getNode().credentials?.[credentialType] ?? {};
		const data = { ...(await readCredential(context)) };
		// The credential itself refuses an invalid one too, but n8n's helper hides its error.
		normalizeBaseUrl(data.baseUrl, 'Base URL');
		return { id: id ?? '', name, type: credentialType, data };
	}

	return async () => {
		const now = performance.now();
		if (now - readAt >= longestUse) {
			readAt = now;
			latest = read();
		}
		return await latest;
	};
}

/**
 * Where a redirect leads, if it may be followed: the key and the report stay on encrypted connections, and a service
 * elsewhere leads to no `http:` address of this machine.
 */
function redirectTarget({ status, headers }: Answer, from: string, asked: URL): string | undefined {
	const { location } = headers;
	if (status < 300 || status > 399 || typeof location !== 'string') return undefined;
	const target = parseUrl(location, from);
	if (!target || !isPrivate(target)) return undefined;
	return target.protocol === 'https:' || isLoopback(asked) ? target.href : undefined;
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
