import { EnvHttpProxyAgent, fetch } from 'undici';
import type { Send } from '../../nodes/WalletScreening/client/client';
import { readRetryAfter } from '../../nodes/WalletScreening/client/retryAfter';
import { isEncryptedOrLocal, isLoopback, parseUrl } from '../../nodes/WalletScreening/shared/http';

const maxRedirects = 5;

/**
 * A function that sends requests through the proxy of the environment, with the key only to the
 * origin of the service. It follows the redirects of a GET, as the nodes do, and none of a POST.
 */
export function sendWith(apiKey: string, baseUrl: string): Send {
	const dispatcher = new EnvHttpProxyAgent();
	const service = new URL(baseUrl);
	return async ({ method, url, accept, body }) => {
		const signal = AbortSignal.timeout(60_000);
		let target = url;
		for (let hops = 0; ; hops++) {
			const isOwn = new URL(target).origin === service.origin;
			const headers = {
				accept,
				...(isOwn && { authorization: `Bearer ${apiKey}` }),
				...(body && { 'content-type': 'application/json' }),
			};
			const answer = await fetch(target, {
				method,
				headers,
				signal,
				dispatcher,
				redirect: 'manual',
				...(body && { body: JSON.stringify(body) }),
			});
			const received = Object.fromEntries(answer.headers);
			const bytes = Buffer.from(await answer.bytes());
			const isRedirect = answer.status >= 300 && answer.status <= 399;
			const next = isRedirect ? findTarget(received.location, target, service) : undefined;
			if (!next || method !== 'GET' || hops === maxRedirects) {
				return {
					status: answer.status,
					headers: received,
					body: bytes,
					retryAfter: readRetryAfter(received, Date.now()),
				};
			}
			target = next;
		}
	};
}

/**
 * Finds the URL that a redirect leads to, if the nodes follow it: they stay on encrypted
 * connections, and a service elsewhere sends them to no `http:` address of this machine.
 */
function findTarget(location: string | undefined, from: string, service: URL): string | undefined {
	const target = location === undefined ? undefined : parseUrl(location, from);
	if (!target || !isEncryptedOrLocal(target)) return undefined;
	return target.protocol === 'https:' || isLoopback(service) ? target.href : undefined;
}
