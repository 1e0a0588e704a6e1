import type { IHttpRequestOptions } from 'n8n-workflow';
import { WalletScreeningApi } from '../../../credentials/WalletScreeningApi.credentials';

const request: IHttpRequestOptions = {
	url: 'https://api.example.com/v1/reports/rep_1',
	headers: { Accept: 'application/json' },
};
const authenticate = async (credential: Record<string, string>) => {
	const { authenticate: sign } = new WalletScreeningApi();
	if (typeof sign !== 'function') throw new Error('It was expected to be a function');
	return await sign({ baseUrl: 'https://api.example.com', ...credential }, request);
};

test.each(['sk_test', ' sk_test\n'])(
	'the key %j goes with the request as a bearer, and changes nothing else',
	async (apiKey) => {
		expect(await authenticate({ apiKey })).toEqual({
			...request,
			headers: { Accept: 'application/json', Authorization: 'Bearer sk_test' },
		});
		expect(request.headers).toEqual({ Accept: 'application/json' });
	},
);

test('the key never goes to an address that is not encrypted', async () => {
	await expect(
		authenticate({ apiKey: 'sk_test', baseUrl: 'http://api.example.com' }),
	).rejects.toThrow();
});

test('the test of the credential costs nothing and is not led elsewhere', () => {
	const { request: probe } = new WalletScreeningApi().test;
	expect(probe.method ?? 'GET').toBe('GET');
	expect(probe.url).toMatch(/^\/v1\/reports\//);
	expect(probe.disableFollowRedirect).toBe(true);
});

test.each([401, 403, 429, 500, 502, 503, 504])(
	'the test of the credential fails for status %d with a message of its own',
	(status) => {
		const { request: probe, rules = [] } = new WalletScreeningApi().test;
		expect(probe.ignoreHttpStatusErrors).toMatchObject({
			ignore: true,
			except: expect.arrayContaining([status]),
		});
		const messages = rules.map(({ properties }) =>
			'value' in properties && properties.value === status ? [properties.message] : [],
		);
		expect(messages.flat()).toHaveLength(1);
	},
);
