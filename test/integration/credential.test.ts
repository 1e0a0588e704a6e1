/**
 * Tests that the key of each item is sent to its own service, and to no other origin, tenant or
 * reader.
 */
import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import type { Credential } from '../../nodes/WalletScreening/transport/credential';
import { isSameForAll } from '../../nodes/WalletScreening/transport/credentialReader';
import { createEngine, type Engine } from '../../tools/host/engine/engine';
import { startTenantService, type TenantService } from '../support/servers/tenants';
import { connectInRow, startNode } from '../support/n8n/workflows';
import {
	CONTINUE,
	SCREEN,
	engineWorkflow,
	SUBMIT,
	SCREEN_AND_WAIT,
} from '../support/engine/workflows';

/** Says of the credential of item 0 whether it is the same for all. */
const reader = {
	description: {
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
		credentials: [{ name: 'walletScreeningApi', required: true }],
	},
	async execute(this: IExecuteFunctions) {
		const credential = await this.getCredentials<Credential>('walletScreeningApi', 0);
		return [[{ json: { isSameForAll: isSameForAll(credential) } }]];
	},
} as unknown as INodeType;

let service: TenantService;
let engine: Engine;
/**
 * A credential whose key is that of each item, and the credential of one tenant, which a test may
 * change.
 */
const saved = {
	each: { name: 'each', type: 'walletScreeningApi', data: {} },
	first: { name: 'first', type: 'walletScreeningApi', data: {} },
};

beforeAll(async () => {
	service = await startTenantService();
	engine = await createEngine({
		credentials: Object.values(saved),
		nodeTypes: { 'test.reader': reader },
	});
});
afterAll(async () => {
	await engine.close();
	await service.close();
});
beforeEach(() => {
	service.answer = undefined;
	const plan = 'enterprise';
	saved.each.data = { plan, apiKey: '={{ $json.key }}', baseUrl: '={{ $json.url }}' };
	saved.first.data = { plan, apiKey: 'key-of-first', baseUrl: service.baseUrl };
});

async function run(credential: keyof typeof saved, parameters: object, input: IDataObject[]) {
	const workflow = engineWorkflow(parameters as never, { credential, onError: CONTINUE });
	const result = await engine.run(workflow, { input });
	return { ...result, json: result.items[0]!.map(({ json }) => json as any) };
}

/** e2e/credential.test.ts holds that a run stays with its key. */
describe('items of two tenants', () => {
	const itemOf = (tenant: string, address = 'x0') => ({
		key: tenant && `key-of-${tenant}`,
		url: service.baseUrl,
		address,
	});

	test.each([SCREEN, SCREEN_AND_WAIT])(
		'are screened each by its own key: $operation',
		async (parameters) => {
			const tenants = ['anna', 'ben', 'anna'];
			const { json } = await run(
				'each',
				parameters,
				tenants.map((tenant) => itemOf(tenant)),
			);
			expect(json.map(({ report }) => report.report_id)).toEqual(
				tenants.map((tenant) => `rep-${tenant}-x0`),
			);
		},
	);

	test('are submitted in a job for each key, paired with its own items', async () => {
		const input = ['x0', 'y1', 'x0'].flatMap((address) => [
			itemOf('anna', address),
			itemOf('ben', address),
		]);
		const { items } = await run('each', SUBMIT, input);
		const job = (tenant: string) => expect.stringContaining(`job-${tenant}-`) as string;
		expect(items[0]).toMatchObject([
			{ json: { job_id: job('anna') }, pairedItem: [0, 2, 4].map((item) => ({ item })) },
			{ json: { job_id: job('ben') }, pairedItem: [1, 3, 5].map((item) => ({ item })) },
		]);
	});

	test('fail alone if their credential is invalid', async () => {
		const url = 'http://api.example.com';
		const input = [itemOf(''), { ...itemOf('ben'), url }, itemOf('ben')];
		const { json } = await run('each', SCREEN_AND_WAIT, input);
		expect(json.map(({ error, report }) => error ?? report.report_id)).toEqual([
			'The API key is empty',
			"'Base URL' is not an address with https://",
			'rep-ben-x0',
		]);
	});
});

test.each<[data: object, expected: boolean, because: string]>([
	[{}, true, 'it has no expression'],
	[{ apiKey: '={{ $secrets.vault.screening-key }}' }, true, 'the expression reads no item'],
	[{ apiKey: '={{ $json.key }}' }, false, 'the expression reads the item'],
	[{ baseUrl: '={{ $vars[$json.region] }}' }, false, 'a part of the expression reads the item'],
	[{ serviceNames: { complete: ['={{ $json.word }}'] } }, false, 'an entry of a list reads it'],
])('the credential with %j is the same for all items: %s, because %s', async (data, expected) => {
	Object.assign(saved.first.data, data);
	const credentials = { walletScreeningApi: { id: 'first', name: 'first' } };
	const node = { name: 'Reader', type: 'test.reader', credentials };
	const { items } = await engine.run(connectInRow(startNode, node));
	expect(items[0]![0]!.json).toEqual({ isSameForAll: expected });
});

test('no secret that a service repeats, plain or with the escapes of JSON, is in what a run leaves', async () => {
	const secrets = ['key-of-first/+~0123', 'whsec~7', '918273645'];
	const [apiKey, webhookSecret, previous] = secrets as [string, string, string];
	const previousWebhookSecret = Number(previous);
	const others = { webhookSecret: `${webhookSecret} `, previousWebhookSecret };
	Object.assign(saved.first.data, { apiKey: ` ${apiKey}\n`, ...others });
	const spellings = secrets.flatMap((text) => [text, text.replaceAll('/', '\\/')]);
	const everySpelling = spellings.join(' ');
	service.answer = ({ addresses: [address] }) =>
		address === 'x0'
			? { status: 400, body: { message: everySpelling } }
			: {
					status: 200,
					body: {
						report_id: everySpelling,
						address: everySpelling,
						[everySpelling]: everySpelling,
					},
				};
	const input = [{ address: 'x0' }, { address: 'y1' }];
	const left = JSON.stringify([
		await run('first', SCREEN, input),
		await run('first', SCREEN_AND_WAIT, input),
	]);
	expect(left).toContain('***');
	for (const spelling of spellings) expect(left).not.toContain(spelling);
});
