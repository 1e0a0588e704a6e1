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

describe('the test of the credential', () => {
	const { request: probe, rules = [] } = new WalletScreeningApi().test;
	const rulesFor = (status: number) =>
		rules.filter(({ properties }) => properties.value === status).map(({ type }) => type);

	// Of the statuses, n8n 2 asks `except` and the rules for a response code; n8n 1 asks the other rules.
	test.each([301, 302, 400, 401, 402, 403, 405, 429, 500, 502, 503, 504, 520, 599])(
		'fails for status %d, in either way that n8n has to find out',
		(status) => {
			expect(probe.ignoreHttpStatusErrors).toMatchObject({
				ignore: true,
				except: expect.arrayContaining([status]),
			});
			expect(rulesFor(status)).toEqual(['responseCode', 'responseSuccessBody']);
		},
	);

	test.each([200, 204, 404, 410, 422])('does not fail for status %d', (status) => {
		expect(probe.ignoreHttpStatusErrors).not.toMatchObject({
			except: expect.arrayContaining([status]),
		});
		expect(rulesFor(status)).toEqual([]);
	});

	test('has a message of its own for each trouble', () => {
		const messages = [302, 400, 401, 403, 429, 500, 503].map(
			(status) => rules.find(({ properties }) => properties.value === status)?.properties.message,
		);
		expect(new Set(messages).size).toBe(7);
		expect(messages).not.toContain(undefined);
	});

	test('does not blame the base URL for status 400, which a service may give for the ID', () => {
		const told = rules.flatMap(({ properties }) =>
			properties.value === 400 ? [properties.message] : [],
		);
		expect(told).toHaveLength(2);
		for (const message of told) {
			expect(message).toMatch(/inconclusive/);
			expect(message).not.toMatch(/base URL/i);
		}
	});
});
