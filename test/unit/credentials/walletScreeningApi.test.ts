import { Expression, type IDataObject, type IHttpRequestOptions } from 'n8n-workflow';
import { WalletScreeningApi } from '../../../credentials/WalletScreeningApi.credentials';
import { normalizeBaseUrl } from '../../../nodes/WalletScreening/transport/baseUrl';

const authenticate = async (
	request: Partial<IHttpRequestOptions> & { uri?: string },
	credential: Record<string, string> = {},
) => {
	const { authenticate: sign } = new WalletScreeningApi();
	if (typeof sign !== 'function') throw new Error('It was expected to be a function');
	return await sign(
		{ apiKey: 'sk_test', baseUrl: 'https://api.example.com/screening', ...credential },
		request as IHttpRequestOptions,
	);
};

/** How parts of n8n name the address of a request. */
const targets: Array<[target: Parameters<typeof authenticate>[0], because: string]> = [
	[{ url: 'https://api.example.com/v1/reports/rep_1' }, "n8n's HTTP helper names it so"],
	[{ uri: 'https://api.example.com/v1/screen' }, "n8n's older HTTP helper names it so"],
	[
		{ url: '/v1/reports/credential-test', baseURL: 'https://api.example.com/screening' },
		"n8n's test of a credential names it so",
	],
	[{ url: '', baseURL: 'https://api.example.com' }, 'the path may be empty'],
];
test.each(targets)('the key goes with %j, to its own origin only: %s', async (target) => {
	const headers = { Accept: 'application/json' };
	expect(await authenticate({ ...target, headers }, { apiKey: ' \u200bsk_test\n' })).toEqual({
		...target,
		headers: { Accept: 'application/json', Authorization: 'Bearer sk_test' },
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	});
	expect(headers).toEqual({ Accept: 'application/json' });
});

test.each<[target: Parameters<typeof authenticate>[0], because: string]>([
	[{ url: 'https://evil.example/v1/screen' }, 'the host is another'],
	[{ url: 'https://api.example.com@evil.example/' }, 'the name of the host is a user here'],
	[{ url: 'http://api.example.com/' }, 'it is not encrypted'],
	[{ url: '//evil.example/', baseURL: 'https://api.example.com' }, 'the URL has a host of its own'],
	[{ url: '/v1/screen', baseURL: 'https://evil.example' }, 'the host is another'],
	[{ url: '/v1/screen' }, 'the host is missing'],
	[{}, 'the address is missing'],
])('the key does not go with %j, because %s: the error names its host', async (target) => {
	await expect(authenticate(target)).rejects.toThrow(
		/^This credential is only for https:\/\/api\.example\.com, so nothing was sent to /,
	);
});

test('the key never goes to an address that is not encrypted', async () => {
	const baseUrl = 'http://api.example.com';
	await expect(authenticate({ url: `${baseUrl}/v1/screen` }, { baseUrl })).rejects.toThrow(
		"'Base URL' is not an address with https://",
	);
});

test.each([
	[' \u200b', 'The API key is empty'],
	['sk_test\r\nX-Other: 1', 'The API key contains invalid characters'],
])('the key %j, which the nodes refuse, goes nowhere: %s', async (apiKey, message) => {
	await expect(authenticate(targets[0]![0], { apiKey })).rejects.toThrow(message);
});

describe('the test of the credential', () => {
	const { request: probe, rules = [] } = new WalletScreeningApi().test;

	test.each<[baseUrl: string, because: string]>([
		['https://api.example.com', 'it is the usual form'],
		['  https://api.example.com//v1//\n', 'it is pasted with the version and slashes'],
		['HTTPS://API.Example.COM:443/', 'a host has no case'],
		['https://gateway.example.com:8443/screening/v1', 'a gateway has a path'],
		['https://v1.example.com/v10/dev1', 'v1 is only a part of names'],
		['https://v1/v1', 'a host may be called v1'],
		['https://bücher.example/v1', 'the host is not ASCII'],
	])('goes to the address of the nodes for %j, because %s', (baseUrl) => {
		const code = String(probe.baseURL).replace(/^=\{\{|\}\}$/g, '');
		const evaluate = new Function('$credentials', `return ${code}`) as (given: object) => string;
		const url = (base: string) => new URL(`${base}${probe.url}`).href;
		expect(url(evaluate({ baseUrl }))).toBe(url(normalizeBaseUrl(baseUrl, 'Base URL')));
	});

	test('costs nothing and is not led elsewhere', () => {
		expect(probe.method ?? 'GET').toBe('GET');
		expect(probe).toMatchObject({ disableFollowRedirect: true });
		expect(probe.url).toMatch(/^\/v1\/reports\//);
	});

	test('refuses each status that speaks against the key or the address, and passes any other', () => {
		const { ignore, except } = probe.ignoreHttpStatusErrors as { ignore: true; except: number[] };
		expect(ignore).toBe(true);
		const refused = [200, 302, 308, 400, 401, 403, 429, 500, 503, 520];
		const accepted = [404, 405, 410, 422];
		expect([...refused, ...accepted].filter((status) => except.includes(status))).toEqual(refused);
		const rulesByStatus = rules.map(({ type, properties }) => [type, properties.value]);
		expect(rulesByStatus).toEqual(except.map((status) => ['responseCode', status]));
	});
});

test.each<[entered: IDataObject, expressions: string[], because: string]>([
	[{ apiKey: 'abc', plan: 'pro' }, [], 'a text is no expression'],
	[{ apiKey: '={{ $json.key }}' }, ['={{ $json.key }}'], 'n8n resolves a text that begins so'],
	[{ previousWebhookSecret: 7 }, [], 'a number is no expression'],
	[
		{ baseUrl: '=a', plan: '=b', serviceNames: '=c', webhookSecret: '=d' },
		['=a', '=b', '=c', '=d'],
		'each of these fields may have one',
	],
	[{ serviceNames: { complete: ['={{ 1 }}'] } }, ['[object Object]'], 'one may be in an object'],
	[{ requestsPerSecond: '={{ $json.rate }}' }, [], 'a key has one rate'],
])('of what was entered, %j, the expressions are %j: %s', (entered, expected) => {
	const { properties } = new WalletScreeningApi();
	const field = properties.find(({ name }) => name === 'expressions')!;
	const $rawParameter = Object.fromEntries(
		properties.map(({ name }) => [`&${name}`, entered[name] ?? '']),
	);
	// n8n's guard of computed names is not in question here.
	const data = { $rawParameter, __sanitize: (key: unknown) => key };
	Expression.initializeGlobalContext(data as never);
	const code = String(field.default).slice(1);
	const listed = Expression.resolveWithoutWorkflow(code, data as never);
	expect(JSON.parse(String(listed))).toEqual(expected);
});
