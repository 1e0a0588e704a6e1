import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { normalizeBaseUrl } from '../nodes/WalletScreening/service/baseUrl';

/** A report ID that no report has: the test must not cost anything. */
const probeReport = 'credential-test';

/**
 * What a service may say to an accepted key of a report that does not exist: which of these, the specification does not
 * show (section 7).
 */
const unknownReport = [404, 410, 422];

/** Every status but success, and those that tell of the report alone. */
const refusals = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
	(status) => !unknownReport.includes(status),
);

const messages: Partial<Record<number, string>> = {
	400: 'The service does not take the report ID of this test (status 400), which leaves open whether it accepts the key. Save the credential, and get a report of yours by its ID to see.',
	401: 'The service does not accept this API key',
	403: 'The service knows the key, but does not let it in from the IP address of this n8n, or it lacks the scope',
	429: 'The service limits the rate of this key just now. Test again in a minute.',
};

function messageOf(status: number): string {
	const message = messages[status];
	if (message) return message;
	if (status >= 500) return `The service is not able to answer at the moment (status ${status})`;
	return `The service does not take the request (status ${status}). Check the base URL.`;
}

/**
 * n8n 2 takes a status for a refusal where `except` of the request lists it. n8n 1 takes none for one, and shows to the
 * rules the body alone, which is the answer itself where it comes as a stream; decompressed it would be another stream,
 * one that can be written to.
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
				'The answer came compressed, against the request, and cannot be read. Check the base URL, and any proxy on the way to it.',
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
			description: 'Rate limit of the key. The nodes keep to it, over all workflows of this n8n.',
			options: [
				{ name: 'Custom', value: 'custom', description: 'The rate below' },
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
				'How many n8n processes use this key at the same time, for example workers of queue mode. With 0 the nodes find their share by themselves.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Needed by the trigger alone: the secret with which the service signs its webhooks',
		},
		{
			displayName: 'Previous Webhook Secret',
			name: 'previousWebhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Still accepted while the secret is being changed. Leave empty otherwise.',
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
