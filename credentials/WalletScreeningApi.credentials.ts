import {
	type IAuthenticate,
	type Icon,
	type ICredentialTestRequest,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';
import { choice, field, select, shownIf } from '../nodes/WalletScreening/description/fields';
import { baseUrlEnd, normalizeBaseUrl, parseUrl } from '../nodes/WalletScreening/shared/http';
import { readServiceNames } from '../nodes/WalletScreening/transport/serviceNames';

/** A report ID that no report has, so that the test makes no screening request. */
const probeReport = 'credential-test';

/** A status with which the test fails. */
interface FailingStatus {
	status: number;
	message: string;
}

const otherServer =
	"The address answers for a report that does not exist, so it may be another web server. Check 'Base URL', then screen one address.";
const unavailable = 'The service is unavailable. Test again later.';
const serverErrors = Array.from({ length: 100 }, (_, index) => 500 + index);

/**
 * The statuses with which the test fails (section 7), each with its message. A success or a
 * redirect comes from another server. Each other status rejects only the ID of the report, so the
 * service accepted the key. The specification does not name that status; 404 is likely.
 */
const failingStatuses: FailingStatus[] = [
	...[200, 201, 202, 203, 204, 301, 302, 303, 307, 308].map((status) => ({
		status,
		message: otherServer,
	})),
	{
		status: 400,
		message: 'The test is inconclusive. Save the credential, then test the key with Report: Get.',
	},
	{ status: 401, message: 'The service does not accept this API key.' },
	{
		status: 403,
		message:
			"Access denied. Either this n8n's IP address is not on the key's allowlist, or the key lacks the required scope.",
	},
	{ status: 429, message: 'The key has reached its rate limit. Test again in a minute.' },
	...serverErrors.map((status) => ({ status, message: unavailable })),
];

/**
 * The fields in which an expression may give each item another value. The fields of a rate of one's
 * own are not among them: a key has one rate.
 */
const itemFields = [
	'apiKey',
	'baseUrl',
	'plan',
	'serviceNames',
	'webhookSecret',
	'previousWebhookSecret',
];

/**
 * Matches what the user entered in a field if each item has the same value: no expression, or only
 * the name of a secret or a variable of n8n. The pattern holds no two braces beside each other,
 * because they would end the expression that it is a part of.
 *
 * @example
 *
 *     entered                             as a text          the same for all
 *     abc                                 abc                yes
 *     ={{ $secrets.vault.key }}           as entered         yes
 *     ={{ $json.key }}                    as entered         no
 *     an object, e.g. { "a": "={{…}}" }   [object Object]    no: a text in it may be an expression
 */
const sameForAll = /^(?!=|\[object)|^=[{]{2}\s*\$(secrets|vars)(\.[\w-]+)+\s*[}]{2}$/;

/**
 * An expression that is true if each item has the same credential. n8n's `$rawParameter` gives what
 * was entered, before expressions are resolved: under a name, of the node that uses the credential;
 * under a name after `&`, of the credential (n8n 2.41).
 */
const isSameForAll = `={{ ${JSON.stringify(itemFields)}.every((name) => ${sameForAll}.test(String($rawParameter["&" + name]))) }}`;

/** Finds the URL of a request of n8n: one of n8n's two helpers calls it `url`, the other `uri`. */
function findTarget(request: IHttpRequestOptions & { uri?: string }): URL | undefined {
	return parseUrl(String(request.url ?? request.uri ?? ''), request.baseURL);
}

/**
 * Keeps n8n from following redirects. Each of its two helpers has another name for this setting.
 */
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
			{
				description:
					'Rate limit of the key. All workflows of this n8n together keep to it, if each credential with this key states the same.',
			},
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
		field('Is Same for All', 'isSameForAll', {
			type: 'hidden',
			default: isSameForAll,
		}),
	];

	/**
	 * Adds the key to a request to the origin of the base URL. n8n follows no redirect of such a
	 * request, because it would take the key along. `authenticate` is a function, because n8n would
	 * evaluate expressions again for each request.
	 * @throws {UserError} for a request to another origin, which another node of n8n may make
	 * @throws {ScreeningError} `invalid_input` for an unusable base URL or unreadable names of the
	 * service
	 */
	authenticate: IAuthenticate = async ({ apiKey, baseUrl, serviceNames }, request) => {
		// Refuses unreadable names when the user saves, because the test calls this function.
		readServiceNames(serviceNames);
		const { origin } = new URL(normalizeBaseUrl(baseUrl, 'Base URL'));
		const target = findTarget(request);
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
			// An expression cannot call `normalizeBaseUrl`, but has its rule.
			baseURL: `={{ $credentials.baseUrl.trim().replace(${baseUrlEnd}, '') }}`,
			url: `/v1/reports/${probeReport}`,
			timeout: 15000,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: failingStatuses.map(({ status }) => status) },
		},
		rules: failingStatuses.map(({ status, message }) => ({
			type: 'responseCode',
			properties: { value: status, message: `${message} (Status ${status})` },
		})),
	};
}
