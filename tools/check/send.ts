import { EnvHttpProxyAgent, fetch } from 'undici';
import type { Send } from '../../nodes/WalletScreening/client/client';
import { readRetryAfter } from '../../nodes/WalletScreening/client/answerHeaders';
import { type Mask, maskBytes } from '../../nodes/WalletScreening/transport/mask';
import { findRedirect } from '../../nodes/WalletScreening/transport/send';

const maxRedirects = 5;

/**
 * A function that sends requests through the proxy of the environment, with the key only to the
 * origin of the service. It follows the redirects of a GET, as the nodes do, and none of a POST.
 * Each answer is masked before it can be shortened, because the start of a key would not be masked.
 */
export function sendWith(apiKey: string, baseUrl: string, hideKey: Mask): Send {
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
			}).catch((error: Error) => {
				throw new Error(`${method} ${target} got no answer: ${reasonOf(error)}`);
			});
			const received = Object.fromEntries(answer.headers);
			const bytes = Buffer.from(await answer.bytes());
			const next = findRedirect({ status: answer.status, headers: received }, target, service);
			if (!next || method !== 'GET' || hops === maxRedirects) {
				return {
					status: answer.status,
					headers: received,
					body: maskBytes(bytes, hideKey),
					retryAfter: readRetryAfter(received, Date.now()),
				};
			}
			target = next;
		}
	};
}

/** Why `fetch` failed. An error that stands for one of each IP address has a code, but no message. */
function reasonOf(error: Error): string {
	const { message, code } = (error.cause ?? error) as NodeJS.ErrnoException;
	return message || String(code);
}
