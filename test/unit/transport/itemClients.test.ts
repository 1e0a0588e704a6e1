import { ExpressionError, type IAdditionalCredentialOptions } from 'n8n-workflow';
import { createItemClients } from '../../../nodes/WalletScreening/transport/itemClients';
import { createContext, withStreamedBody } from '../../support/unit/context';
import { errorOf } from '../../support/unit/errors';
import { helperAnswer } from '../../support/unit/httpAnswers';

const KEY = 'sk_live_0123456789';
const requests = { maxRetries: 0, resends: 0, requestTimeout: 30 };

type Given = Record<string, unknown> | Error;

/** Clients of items with these credentials. */
function clientsOf(
	read: (itemIndex: number) => Given,
	http: () => object = () => helperAnswer(401),
) {
	const reads: number[] = [];
	const asked: unknown[] = [];
	const context = createContext();
	Object.assign(context, {
		getCredentials: async (_type: string, itemIndex: number) => {
			reads.push(itemIndex);
			const given = read(itemIndex);
			if (given instanceof Error) throw given;
			const usual = { apiKey: KEY, baseUrl: 'https://api.example.com', plan: 'enterprise' };
			return await Promise.resolve({ ...usual, ...given });
		},
		helpers: {
			async httpRequestWithAuthentication(
				...[, , more]: [string, object, IAdditionalCredentialOptions]
			) {
				const key = more.credentialsDecrypted?.data?.['apiKey'];
				asked.push(key);
				return withStreamedBody(http());
			},
		},
	});
	return { clientOf: createItemClients(context, requests), reads, asked };
}

const connecting = async (credential: Given) => await clientsOf(() => credential).clientOf(0);

describe('the credential is read', () => {
	test('once, if it is the same for all items', async () => {
		const { clientOf, reads } = clientsOf(() => ({ expressions: '[]' }));
		expect(await clientOf(3)).toBe(await clientOf(7));
		expect(reads).toEqual([3]);
	});

	test('for each item, if it may differ', async () => {
		const keyOf = (itemIndex: number) => `key-${itemIndex % 2}`;
		const { clientOf, reads } = clientsOf((index) => ({ apiKey: keyOf(index) }));
		const [first, second, third] = [await clientOf(0), await clientOf(1), await clientOf(2)];
		expect(reads).toEqual([0, 1, 2]);
		expect([third === first, second === first]).toEqual([true, false]);
	});

	const described = { description: 'The store is gone' };
	test.each<[Error, RegExp]>([
		[new Error('connect 127.0.0.1:5432'), /^Nothing was sent\. .*127.0.0.1:5432/],
		[new ExpressionError('Could not load', described), /The store is gone/],
	])('in vain, and then nothing was sent: %s', async (thrown, words) => {
		const fault = await errorOf(async () => await clientsOf(() => thrown).clientOf(0));
		expect(fault).toMatchObject({
			errorClass: 'network',
			faultCode: 'CREDENTIAL',
			description: expect.stringMatching(words) as string,
			message: 'n8n could not read the credential of this node',
		});
		expect(fault.details).not.toHaveProperty('sent');
	});
});

test('after a 401 nothing else is sent with the key of the run, and each request has the error', async () => {
	const { clientOf, asked } = clientsOf(
		(index) => ({ apiKey: `key-${index}` }),
		() => helperAnswer(401, { message: 'Expired' }),
	);
	const [client, other] = [await clientOf(0), await clientOf(1)];
	const errors = [await errorOf(async () => await client.screen('a0'))];
	const addresses = ['a1', 'a2'];
	for (const one of addresses) errors.push(await errorOf(async () => await client.screen(one)));
	await errorOf(async () => await other.screen('a3'));
	expect(asked).toEqual(['key-0', 'key-1']);
	expect(errors).toMatchObject(
		['a0', ...addresses].map((address) => ({
			errorClass: 'unauthorized',
			httpCode: 401,
			serviceMessage: 'Expired',
			details: { address },
		})),
	);
	for (const { details } of errors) expect(details).not.toHaveProperty('sent');
});

test('requests that wait for their turn are not sent after a 401 either', async () => {
	const { clientOf, asked } = clientsOf(() => ({ plan: 'custom', requestsPerSecond: 1, burst: 1 }));
	const client = await clientOf(0);
	const errors = await Promise.all(
		['a0', 'a1', 'a2'].map(async (one) => await errorOf(async () => await client.screen(one))),
	);
	expect(errors.map(({ errorClass }) => errorClass)).toEqual(Array(3).fill('unauthorized'));
	expect(asked).toHaveLength(1);
});

test('a run stays with the key that it began with', async () => {
	let apiKey = KEY;
	const { clientOf, asked } = clientsOf(
		() => ({ apiKey, expressions: '[]' }),
		() => helperAnswer(404),
	);
	const first = await clientOf(0);
	apiKey = 'new-key';
	for (const client of [first, await clientOf(1)]) {
		const error = await errorOf(async () => await client.getBulk('job_1'));
		expect(error.errorClass).toBe('not_found');
	}
	expect(asked).toEqual([KEY, KEY]);
});

test.each([
	{ plan: 'custom', requestsPerSecond: 0.01, burst: 1 },
	{ plan: 'custom', requestsPerSecond: '10', burst: ' 50 ' },
	{ plan: 'pro', requestsPerSecond: -1, burst: NaN },
	{ plan: undefined },
])('the plan of %j is taken', async (credential) => {
	await expect(connecting(credential)).resolves.toHaveProperty('screen');
});

test('an API key is taken with what a paste leaves around it, and as the number of an import', async () => {
	await expect(connecting({ apiKey: 'sk_test\u200b\n' })).resolves.toHaveProperty('screen');
	await expect(connecting({ apiKey: 20250102 })).resolves.toHaveProperty('screen');
});

const custom = { plan: 'custom', requestsPerSecond: 10, burst: 50 };
test.each<[object, string]>([
	...[0, Infinity, 'ten', true, undefined].map((requestsPerSecond): [object, string] => [
		{ ...custom, requestsPerSecond },
		'Requests',
	]),
	...[0.5, NaN, undefined].map((burst): [object, string] => [{ ...custom, burst }, 'Burst']),
	[{ apiKey: ' \n' }, 'The API key is empty'],
	[{ apiKey: undefined }, 'The API key is empty'],
	[{ apiKey: null }, 'The API key is empty'],
	[{ apiKey: true }, 'The API key is not a text'],
	[{ apiKey: { key: 'sk_test' } }, 'The API key is not a text'],
	[{ apiKey: 'sk_test\r\nX-Other: 1' }, 'The API key contains invalid characters'],
	[{ apiKey: 'sk_tést' }, 'The API key contains invalid characters'],
	[{ baseUrl: 'http://api.example.com' }, "'Base URL' is not an address with https://"],
])('the credential %j is refused before any request', async (credential, words) => {
	const message = expect.stringContaining(words) as string;
	const error = await errorOf(async () => await connecting(credential as Given));
	expect(error).toMatchObject({ errorClass: 'invalid_input', message });
});
