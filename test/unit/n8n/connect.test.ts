import { advised } from '../../../nodes/WalletScreening/n8n/advice';
import { connect } from '../../../nodes/WalletScreening/n8n/connect';
import { errorOf, response } from '../support/answers';
import { createContext } from '../support/context';

const KEY = 'sk_live_0123456789';

const connecting = async (credential: Record<string, unknown>, body: unknown = '') => {
	const context = createContext({
		credential: { apiKey: KEY, baseUrl: 'https://api.example.com', plan: 'pro', ...credential },
		http: async () => await Promise.resolve(response(401, body)),
	});
	return await connect(context, { maxRetries: 0, resends: 0, requestTimeout: 30 });
};

/** What the user reads of the refusal. */
async function refusal(client: Awaited<ReturnType<typeof connect>>): Promise<string> {
	return advised(await errorOf(async () => await client.getReport('rep_1')), 'report.get');
}

test.each([KEY, `${KEY}\n`, `  ${KEY} `])(
	'the key %j is not shown when the service repeats it',
	async (apiKey) => {
		const client = await connecting({ apiKey }, { message: `Key ${KEY} is unknown` });
		const description = await refusal(client);
		expect(description).toContain('is unknown');
		expect(description).not.toContain(KEY);
	},
);

test('the webhook secrets are not shown when the service repeats them', async () => {
	const secrets = { webhookSecret: 'whsec_one', previousWebhookSecret: ' whsec_two' };
	const client = await connecting(secrets, { message: 'whsec_one and whsec_two' });
	const description = await refusal(client);
	expect(description).not.toMatch(/whsec_/);
});

test('a secret that came as a number, as from an expression, is not shown', async () => {
	const secrets = { webhookSecret: 918_273_645_546, previousWebhookSecret: 1_029_384_756 };
	const said = { message: 'a 918273645546 b 1029384756 c' };
	const client = await connecting(secrets, said);
	const description = await refusal(client);
	expect(description).toMatch(/a .* b .* c/);
	expect(description).not.toMatch(/918273645546|1029384756/);
});

test('empty secrets are not looked for', async () => {
	const secrets = { webhookSecret: '', previousWebhookSecret: ' ' };
	const client = await connecting(secrets, { message: 'a b' });
	const description = await refusal(client);
	expect(description).toMatch(/a b$/);
});

test.each([
	[{ requestsPerSecond: 0 }],
	[{ requestsPerSecond: -1 }],
	[{ requestsPerSecond: NaN }],
	[{ requestsPerSecond: Infinity }],
	[{ requestsPerSecond: 'ten' }],
	[{ requestsPerSecond: '' }],
	[{ requestsPerSecond: ' ' }],
	[{ requestsPerSecond: true }],
	[{ requestsPerSecond: [10] }],
	[{ requestsPerSecond: undefined }],
	[{ requestsPerSecond: null }],
	[{ burst: 0 }],
	[{ burst: 0.5 }],
	[{ burst: NaN }],
	[{ burst: Infinity }],
	[{ burst: undefined }],
])('the plan "Custom" with %j is refused', async (limit) => {
	const credential = { plan: 'custom', requestsPerSecond: 10, burst: 50, ...limit };
	expect((await errorOf(async () => await connecting(credential))).errorClass).toBe(
		'invalid_input',
	);
});

test.each([
	[{ plan: 'custom', requestsPerSecond: 0.01, burst: 1 }],
	[{ plan: 'custom', requestsPerSecond: '10', burst: ' 50 ' }],
	[{ plan: 'pro', requestsPerSecond: -1, burst: NaN }],
	[{ plan: 'enterprise', requestsPerSecond: NaN }],
	[{ plan: undefined }],
])('the plan of %j is taken', async (credential) => {
	await expect(connecting(credential)).resolves.toHaveProperty('screen');
});

test.each([
	['', 'The API key is empty'],
	[' \n', 'The API key is empty'],
	[undefined, 'The API key is empty'],
	['sk test', 'The API key contains invalid characters'],
	['sk_test\r\nX-Other: 1', 'The API key contains invalid characters'],
	['sk_tést', 'The API key contains invalid characters'],
])('the key %j is refused before any request', async (apiKey, message) => {
	expect(await errorOf(async () => await connecting({ apiKey }))).toMatchObject({
		errorClass: 'invalid_input',
		message,
	});
});
