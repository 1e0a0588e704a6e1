import { EnvHttpProxyAgent, fetch } from 'undici';
import type { Send } from '../../nodes/WalletScreening/client/client';
import { readRetryAfter } from '../../nodes/WalletScreening/client/retryAfter';

/**
 * A function that sends requests with the key, through the proxy of the environment, and follows no
 * redirect.
 */
export function sendWith(apiKey: string): Send {
	const dispatcher = new EnvHttpProxyAgent();
	return async ({ method, url, accept, body }) => {
		const type = body && { 'content-type': 'application/json' };
		const headers = { authorization: `Bearer ${apiKey}`, accept, ...type };
		const content = { redirect: 'manual', ...(body && { body: JSON.stringify(body) }) } as const;
		const signal = AbortSignal.timeout(60_000);
		const answer = await fetch(url, { method, headers, signal, dispatcher, ...content });
		const received = Object.fromEntries(answer.headers);
		return {
			status: answer.status,
			headers: received,
			body: Buffer.from(await answer.bytes()),
			retryAfter: readRetryAfter(received, Date.now()),
		};
	};
}
