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
import { parseUrl } from '../nodes/WalletScreening/shared/http';
import { baseUrlEnd, normalizeBaseUrl } from '../nodes/WalletScreening/transport/baseUrl';
import { requireApiKey } from '../nodes/WalletScreening/transport/credential';
import { readServiceNames } from '../nodes/WalletScreening/transport/serviceNames';

/** A report ID that no report has, so that the test makes no screening request. */
const probeReport = 'credential-test';

/** Statuses with which the test fails, and the message for them. */
interface Failure {
	statuses: number[];
	message: string;
}

const serverErrors = Array.from({ length: 100 }, (_, index) => 500 + index);

/**
 * What the test fails with (section 7). Each other status is taken to be about the ID of the report
 * only. It does not prove that the service looked at the key. The specification does not name the
 * status for an unknown ID; 404 is likely.
 *
 * n8n 2.41 can list the statuses that fail, one by one, but not those that pass, both in
 * `ignoreHttpStatusErrors` and in a rule.
 */
const failures: Failure[] = [
	{
		// A success or a redirect comes from another server.
		statuses: [200, 201, 202, 203, 204, 301, 302, 303, 307, 308],
		message:
			"The address answers for a report that does not exist, so it may be another web server. Check 'Base URL', then screen one address.",
	},
	{
		statuses: [400],
		message: 'The test is inconclusive. Save the credential, then test the key with Report: Get.',
	},
	{ statuses: [401], message: 'The service does not accept this API key.' },
	{
		statuses: [403],
		message:
			"Access denied. Either this n8n's IP address is not on the key's allowlist, or the key lacks the required scope.",
	},
	{ statuses: [429], message: 'The key has reached its rate limit. Test again in a minute.' },
	{ statuses: serverErrors, message: 'The service is unavailable. Test again later.' },
];

/** The fields that the user fills in. */
const enteredFields: INodeProperties[] = [
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
	// A notice shows its display name as text.
	field(
		'The test makes no screening. It shows that the key is not refused. It does not show that the key may screen: screen one address to be sure.',
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
		description: 'The trigger still accepts it while you change the secret. Leave empty otherwise.',
	}),
];

/**
 * Whether an expression in a field may give each item another value. A notice has no value. The
 * fields of the rate, which n8n shows for some plans only, are left out: a key has one rate, so those
 * of the first item count.
 */
const mayDiffer = ({ type, displayOptions }: INodeProperties): boolean =>
	type !== 'notice' && displayOptions === undefined;

/**
 * Makes the expression that lists, in JSON, the expressions that the user entered in these fields, as
 * they are before n8n resolves them. `isSameForAll` in `transport/credentialReader.ts` reads the
 * list. A field that holds an object is listed as `[object Object]`, because a text inside may be an
 * expression.
 *
 * A node gets only resolved values, so the hidden field of this expression records which fields hold
 * expressions. n8n 2.41 gives an expression in a credential the entered text of field `x` as
 * `$rawParameter["&x"]`. The list is JSON text, because n8n resolves the credential of a trigger
 * twice, and would evaluate expressions inside a list.
 *
 * @example
 *
 *     entered                               in the list
 *     abc                                   -
 *     ={{ $json.key }}                      ={{ $json.key }}
 *     { "complete": ["={{ $json.x }}"] }    [object Object]
 */
function listExpressions(fields: INodeProperties[]): string {
	const names = fields.filter(mayDiffer).map(({ name }) => name);
	return `={{ JSON.stringify(${JSON.stringify(names)}
	.map((name) => String($rawParameter["&" + name]))
	.filter((entered) => entered.startsWith("=") || entered.startsWith("[object "))) }}`;
}

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
		...enteredFields,
		field('Expressions', 'expressions', {
			type: 'hidden',
			default: listExpressions(enteredFields),
		}),
	];

	/**
	 * Adds the key to a request to the origin of the base URL. n8n follows no redirect of such a
	 * request, because it would take the key along. `authenticate` is a function, because n8n would
	 * evaluate expressions again for each request.
	 * @throws {UserError} for a request to another origin, which another node of n8n may make
	 * @throws {ScreeningError} `invalid_input` for an unusable key or base URL, and for unreadable names
	 * of the service
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
			headers: { ...request.headers, Authorization: `Bearer ${requireApiKey(apiKey)}` },
		};
	};

	test: ICredentialTestRequest = {
		request: {
			// An expression cannot call `normalizeBaseUrl`, so this repeats its rule.
			baseURL: `={{ $credentials.baseUrl.trim().replace(${baseUrlEnd}, '') }}`,
			url: `/v1/reports/${probeReport}`,
			timeout: 15000,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: {
				ignore: true,
				except: failures.flatMap(({ statuses }) => statuses),
			},
		},
		rules: failures.flatMap(({ statuses, message }) =>
			statuses.map((status) => ({
				type: 'responseCode',
				properties: { value: status, message: `${message} (Status ${status})` },
			})),
		),
	};
}
