import { EnvHttpProxyAgent, fetch } from 'undici';
import type { Send } from '../../nodes/WalletScreening/client/client';

/** A function that sends requests with the key, through the proxy of the environment, and follows no redirect. */
export function sendWith(apiKey: string): Send {
	const dispatcher = new EnvHttpProxyAgent();
	return async ({ method, url, accept, body }) => {
		const type = body && { 'content-type': 'application/json' };
		const headers = { authorization: `Bearer ${apiKey}`, accept, ...type };
		const content = { redirect: 'manual', ...(body && { body: JSON.stringify(body) }) } as const;
		const signal = AbortSignal.timeout(60_000);
		const answer = await fetch(url, { method, headers, signal, dispatcher, ...content });
		const { status } = answer;
		return {
			status,
			headers: Object.fromEntries(answer.headers),
			body: Buffer.from(await answer.bytes()),
		};
	};
}
