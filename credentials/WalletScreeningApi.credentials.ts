import {
	type IAuthenticate,
	type ICredentialTestRequest,
	type ICredentialType,
	type Icon,
	type IHttpRequestOptions,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';
import { choice, field, select, shownIf } from '../nodes/WalletScreening/description/fields';
import { readServiceNames } from '../nodes/WalletScreening/transport/credential';
import { normalizeBaseUrl, parseUrl } from '../nodes/WalletScreening/shared/http';

/** A report ID that no report has, so that the test makes no screening request. */
const probeReport = 'credential-test';

const otherServer =
	"The address answers for a report that does not exist, so it may be another web server. Check 'Base URL', then screen one address.";
const unavailable = 'The service is unavailable. Test again later.';
const serverErrors = Array.from({ length: 100 }, (_, index) => 500 + index);

/**
 * The statuses with which the test fails (section 7), each with its message. A success or a redirect comes from another server.
 * Each other status rejects only the ID of the report, so the service accepted the key. The specification does not name that
 * status; 404 is likely.
 */
const failingStatuses: Array<[status: number, message: string]> = [
	...[200, 301, 302, 307, 308].map((status): [number, string] => [status, otherServer]),
	[400, 'The test is inconclusive. Save the credential, then test the key with Report: Get.'],
	[401, 'The service does not accept this API key.'],
	[
		403,
		"Access denied. Either this n8n's IP address is not on the key's allowlist, or the key lacks the required scope.",
	],
	[429, 'The key has reached its rate limit. Test again in a minute.'],
	...serverErrors.map((status): [number, string] => [status, unavailable]),
];

/** The URL that n8n sends a request to. Of n8n's two helpers, one names it `url` and the other `uri`. */
function targetOf(request: IHttpRequestOptions & { uri?: string }): URL | undefined {
	return parseUrl(String(request.url ?? request.uri ?? ''), request.baseURL);
}

/** Each of n8n's two helpers has names of its own for the same. */
const withoutRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

export class WalletScreeningApi implements ICredentialType {
	name = 'walletScreeningApi';

	displayName = 'Wallet Screening API';

	icon: Icon = { light: 'file:walletScreening.svg', dark: 'file:walletScreening.dark.svg' };

	documentationUrl = 'https://github.com/wallet-screening/n8n-nodes-wallet-screening#credentials';

	properties: INodeProperties[] = [
		field('API Key', 'apiKey', {
			typeOptions: { password: true },
			required: true,
			description:
				"The key that the vendor's sales team issued. Screening and bulk jobs need write scope.",
		}),
		field('Base URL', 'baseUrl', {
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'Address of the service, without /v1',
		}),
		field(
			'The test makes no screening. It shows that the service knows the key. It does not show that the key may screen: screen one address to be sure.',
			'testNotice',
			{ type: 'notice' },
		),
		select(
			'Plan',
			'plan',
			'pro',
			[
				choice('Custom', 'custom', 'The rate in the fields below'),
				choice('Enterprise', 'enterprise', 'No fixed limit'),
				choice('Pro', 'pro', '10 requests per second, bursts of 50'),
			],
			{ description: 'Rate limit of the key. All workflows of this n8n together keep to it.' },
		),
		...shownIf({ plan: ['custom'] }, [
			field('Requests per Second', 'requestsPerSecond', {
				type: 'number',
				typeOptions: { minValue: 0.01 },
				default: 10,
				description: 'Sustained rate of the key',
			}),
			field('Burst', 'burst', {
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				description: 'How many requests may go out at once after a pause',
			}),
		]),
		field('Shared By', 'sharedBy', {
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			displayOptions: { hide: { plan: ['enterprise'] } },
			description:
				'How many n8n processes use this key at the same time, for example workers of queue mode. With 0, the nodes find their share by themselves.',
		}),
		field('Service Names', 'serviceNames', {
			type: 'json',
			default: '{}',
			description:
				'Names and words of this service that the node does not know, as JSON, e.g. {"complete": ["scored"]}. Error messages tell you what to add.',
		}),
		field('Webhook Secret', 'webhookSecret', {
			typeOptions: { password: true },
			description: 'Only for the trigger: the secret that the service signs its webhooks with',
		}),
		field('Previous Webhook Secret', 'previousWebhookSecret', {
			typeOptions: { password: true },
			description:
				'The trigger still accepts it while you change the secret. Leave empty otherwise.',
		}),
		// Whether no field that is always shown holds an expression, except the name of a secret or variable of n8n. Rate fields
		// are not looked at: a key has one rate.
		field('Is Same for All', 'isSameForAll', {
			type: 'hidden',
			default:
				'={{ ["apiKey", "baseUrl", "plan", "serviceNames", "webhookSecret", "previousWebhookSecret"].every((name) => /^(?!=|[[]object)|^=[{]{2}\\s*[$](secrets|vars)([.][\\w-]+)+\\s*[}]{2}$/.test(String($rawParameter["&" + name]))) }}',
		}),
	];

	/**
	 * Adds the key to a request to the origin of the base URL. It throws for a request to another origin, which another node of
	 * n8n may make. n8n follows no redirect of such a request, because it would take the key along. `authenticate` is a function,
	 * because n8n would evaluate expressions again for each request.
	 */
	authenticate: IAuthenticate = async ({ apiKey, baseUrl, serviceNames }, request) => {
		// Refuses unreadable names when the user saves, because the test calls this function.
		readServiceNames(serviceNames);
		const { origin } = new URL(normalizeBaseUrl(baseUrl, 'Base URL'));
		const target = targetOf(request);
		if (target?.origin !== origin) {
			throw new UserError(
				`This credential is only for ${origin}, so nothing was sent to ${target?.origin ?? 'the URL'}`,
				{
					description:
						"Correct the URL in this node, or choose another credential. The origin is that of 'Base URL' in the credential.",
				},
			);
		}
		return {
			...request,
			...withoutRedirects,
			headers: { ...request.headers, Authorization: `Bearer ${String(apiKey).trim()}` },
		};
	};

	test: ICredentialTestRequest = {
		request: {
			// The same rule as `normalizeBaseUrl`, which an expression cannot call.
			baseURL: "={{ $credentials.baseUrl.trim().replace(/\\/+$/, '').replace(/\\/v1$/, '') }}",
			url: `/v1/reports/${probeReport}`,
			timeout: 15000,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: failingStatuses.map(([status]) => status) },
		},
		rules: failingStatuses.map(([status, message]) => ({
			type: 'responseCode',
			properties: { value: status, message: `${message} (Status ${status})` },
		})),
	};
}
