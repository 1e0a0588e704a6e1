import type { IHttpRequestOptions } from 'n8n-workflow';
import { WalletScreeningApi } from '../../../credentials/WalletScreeningApi.credentials';
import { normalizeBaseUrl } from '../../../nodes/WalletScreening/shared/http';

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

// n8n's two HTTP helpers, its test of a credential and its HTTP Request node name the address of a
// request in these ways.
test.each([
	[{ url: 'https://api.example.com/v1/reports/rep_1' }],
	[{ uri: 'https://api.example.com/v1/screen' }],
	[{ url: '/v1/reports/credential-test', baseURL: 'https://api.example.com/screening' }],
	[{ url: '', baseURL: 'https://api.example.com' }],
])('the key goes with %j, to its own origin, and with no redirect', async (target) => {
	const headers = { Accept: 'application/json' };
	expect(await authenticate({ ...target, headers }, { apiKey: ' sk_test\n' })).toEqual({
		...target,
		headers: { Accept: 'application/json', Authorization: 'Bearer sk_test' },
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	});
	expect(headers).toEqual({ Accept: 'application/json' });
});

test.each([
	[{ url: 'https://evil.example/v1/screen' }],
	[{ url: 'https://api.example.com@evil.example/' }],
	[{ url: 'http://api.example.com/' }],
	[{ url: '//evil.example/', baseURL: 'https://api.example.com' }],
	[{ url: '/v1/screen', baseURL: 'https://evil.example' }],
	[{ url: '/v1/screen' }],
	[{}],
])('the key does not go with %j, and the error says where it belongs', async (target) => {
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

describe('the test of the credential', () => {
	const { request: probe, rules = [] } = new WalletScreeningApi().test;

	test.each<[baseUrl: string, because: string]>([
		['https://api.example.com', 'it is the usual form'],
		['  https://api.example.com//v1//\n', 'it is pasted with the version and slashes'],
		['HTTPS://API.Example.COM:443/', 'a host has no case'],
		['https://gateway.example.com:8443/screening/v1', 'a gateway has a path'],
		['https://v1.example.com/v10/dev1', 'v1 is only a part of names'],
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
