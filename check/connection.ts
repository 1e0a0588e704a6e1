import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { createSend } from '../nodes/WalletScreening/n8n/send';
import type { Send } from '../nodes/WalletScreening/service/client';

/** Seconds. */
const requestTimeout = 60;

/**
 * Requests with the key, as the nodes make them: time-outs and redirects are the nodes' own. n8n's part, which adds the key
 * and sends, is done here, through the proxy that the environment names.
 */
export function connect(credential: { apiKey: string; baseUrl: string }): Send {
	const dispatcher = new EnvHttpProxyAgent();

	async function send(options: IHttpRequestOptions, headers: Record<string, string>) {
		const answer = await fetch(options.url, {
			method: options.method ?? 'GET',
			headers: { ...(options.headers as Record<string, string>), ...headers },
			...(options.body !== undefined && { body: JSON.stringify(options.body) }),
			redirect: 'manual',
			signal: options.abortSignal as AbortSignal,
			dispatcher,
		});
		return {
			statusCode: answer.status,
			headers: Object.fromEntries(answer.headers),
			body: Buffer.from(await answer.arrayBuffer()),
		};
	}

	const helpers = {
		httpRequest: async (options: IHttpRequestOptions) => await send(options, {}),
		httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
			await send(options, { Authorization: `Bearer ${credential.apiKey}` }),
	};
	const context = {
		helpers,
		getNode: () => ({}),
		getCredentials: async () => await Promise.resolve(credential),
		getExecutionCancelSignal: () => undefined,
	};
	return createSend(context as unknown as IExecuteFunctions, { requestTimeout });
}
