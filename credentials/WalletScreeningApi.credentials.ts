import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { normalizeBaseUrl } from '../nodes/WalletScreening/service/baseUrl';

/** A report ID that no report has, so that the test makes no screening request. */
const probeReport = 'credential-test';

/** Statuses for an accepted key and an unknown report. The specification does not show which of them (section 7). */
const unknownReport = [404, 410, 422];

/** Every status except success and those that concern only the report. */
const refusals = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
	(status) => !unknownReport.includes(status),
);

const messages: Partial<Record<number, string>> = {
	400: 'The test is inconclusive (status 400). Save the credential, then test the key with Report: Get.',
	401: 'The service does not accept this API key',
	403: "The key is not allowed here. Either this n8n's IP address is not on the key's allowlist, or the key lacks the required scope.",
	429: 'The key has reached its rate limit. Test again in a minute.',
};

function messageOf(status: number): string {
	const message = messages[status];
	if (message) return message;
	if (status >= 500) return `The service is unavailable (status ${status}). Test again later.`;
	return `The service rejected the request (status ${status}). Check 'Base URL'.`;
}

/**
 * n8n 2 takes a status for a refusal if `except` of the request lists it. n8n 1 takes no status for a refusal and shows
 * only the body to the rules. As a stream, the body is the answer itself. Decompressed, it would be another stream, which
 * is writable.
 */
const rules = [
	...refusals.flatMap((value) => {
		const message = messageOf(value);
		return [
			{ type: 'responseCode' as const, properties: { value, message } },
			{ type: 'responseSuccessBody' as const, properties: { key: 'statusCode', value, message } },
		];
	}),
	{
		type: 'responseSuccessBody' as const,
		properties: {
			key: 'writableObjectMode',
			value: false,
			message:
				"The response is compressed although the test asked for plain text. Check 'Base URL', and the proxy if this n8n uses one.",
		},
	},
];

export class WalletScreeningApi implements ICredentialType {
	name = 'walletScreeningApi';

	displayName = 'Wallet Screening API';

	icon: Icon = { light: 'file:walletScreening.svg', dark: 'file:walletScreening.dark.svg' };

	documentationUrl = 'https://github.com/wallet-screening/n8n-nodes-wallet-screening#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				"The key that the vendor's sales team issued. Screening and bulk jobs need write scope.",
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description: 'Address of the service, without /v1',
		},
		{
			displayName: 'Plan',
			name: 'plan',
			type: 'options',
			default: 'pro',
			description: 'Rate limit of the key. All workflows of this n8n together keep to it.',
			options: [
				{ name: 'Custom', value: 'custom', description: 'The rate in the fields below' },
				{ name: 'Enterprise', value: 'enterprise', description: 'No fixed limit' },
				{ name: 'Pro', value: 'pro', description: '10 requests per second, bursts of 50' },
			],
		},
		{
			displayName: 'Requests per Second',
			name: 'requestsPerSecond',
			type: 'number',
			typeOptions: { minValue: 0.01 },
			default: 10,
			displayOptions: { show: { plan: ['custom'] } },
			description: 'Sustained rate of the key',
		},
		{
			displayName: 'Burst',
			name: 'burst',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			displayOptions: { show: { plan: ['custom'] } },
			description: 'How many requests may go out at once after a pause',
		},
		{
			displayName: 'Shared By',
			name: 'sharedBy',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			displayOptions: { hide: { plan: ['enterprise'] } },
			description:
				'How many n8n processes use this key at the same time, for example workers of queue mode. With 0, the nodes find their share by themselves.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Only for the trigger: the secret that the service signs its webhooks with',
		},
		{
			displayName: 'Previous Webhook Secret',
			name: 'previousWebhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'The trigger still accepts it while you change the secret. Leave empty otherwise.',
		},
	];

	/** A function, because n8n would evaluate an expression for every request. */
	authenticate: IAuthenticate = async ({ apiKey, baseUrl }, request) => {
		normalizeBaseUrl(baseUrl, 'Base URL');
		return {
			...request,
			headers: { ...request.headers, Authorization: `Bearer ${String(apiKey).trim()}` },
		};
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: "={{ $credentials.baseUrl.trim().replace(/\\/+$/, '').replace(/\\/v1$/, '') }}",
			url: `/v1/reports/${probeReport}`,
			headers: { 'Accept-Encoding': 'identity' },
			timeout: 15000,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: refusals },
			encoding: 'stream',
		},
		// n8n's type knows rules of one kind in a list, n8n itself those of both.
		rules: rules as NonNullable<ICredentialTestRequest['rules']>,
	};
}
