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
		normalizeBaseUrl(baseUrl);
		return {
			...request,
			headers: { ...request.headers, Authorization: `Bearer ${String(apiKey).trim()}` },
		};
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: "={{ $credentials.baseUrl.trim().replace(/\\/+$/, '').replace(/\\/v1$/, '') }}",
			url: `/v1/reports/${probeReport}`,
			timeout: 15000,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: {
				ignore: true,
				except: [400, 401, 403, 429, 500, 501, 502, 503, 504],
			},
		},
		rules: [
			{
				type: 'responseCode',
				properties: { value: 401, message: 'The service does not accept this API key' },
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The service knows the key, but does not let it in from the IP address of this n8n, or it lacks the scope',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 429,
					message: 'The service limits the rate of this key just now. Test again in a minute.',
				},
			},
			...[500, 501, 502, 503, 504].map((value) => ({
				type: 'responseCode' as const,
				properties: {
					value,
					message: `The service is not able to answer at the moment (status ${value})`,
				},
			})),
		],
	};
}
