import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { connectionOf, type Credential } from '../../nodes/WalletScreening/n8n/credential';
import { createSend } from '../../nodes/WalletScreening/n8n/send';
import type { Send } from '../../nodes/WalletScreening/service/client';

/** Seconds. */
const requestTimeout = 60;

/**
 * Requests with the key, as the nodes make them: time-outs and redirects are the nodes' own. n8n's part, which adds the key
 * and sends, is done here, through the proxy that the environment names.
 */
export function connect(
	credential: Pick<Credential, 'apiKey' | 'baseUrl' | 'webhookSecret'>,
): Send {
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
		const { status: statusCode, headers: received, body } = answer;
		return { statusCode, headers: Object.fromEntries(received), body: body ?? [] };
	}

	const helpers = {
		httpRequest: async (options: IHttpRequestOptions) => await send(options, {}),
		httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
			await send(options, { Authorization: `Bearer ${credential.apiKey}` }),
	};
	const context = {
		helpers,
		getExecutionCancelSignal: () => undefined,
	};
	const connection = connectionOf({ plan: 'pro', ...credential }, {});
	return createSend(context as unknown as IExecuteFunctions, connection, { requestTimeout });
}
