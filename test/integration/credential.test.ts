/** Which key goes where: each item has its own, and no other origin, tenant or reader gets to see it. */
import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import type { StoredCredential } from '../../tools/host/engine/credentials';
import { createEngine, type Engine } from '../../tools/host/engine';
import { until } from '../../tools/host/until';
import { startTenantService, type TenantService } from '../support/tenants';
import { inARow, start } from '../support/workflows';
import { CONTINUE, SCREEN, screeningWorkflow, SUBMIT, WAIT } from './engine/workflows';

/** Says of the credential of item 0 whether it is the same for all. */
const reader = {
	description: {
		...{ inputs: ['main'], outputs: ['main'], properties: [] },
		credentials: [{ name: 'walletScreeningApi', required: true }],
	},
	async execute(this: IExecuteFunctions) {
		const { isSameForAll } = await this.getCredentials('walletScreeningApi', 0);
		return [[{ json: { isSameForAll } }]];
	},
} as unknown as INodeType;

let one: TenantService;
let other: TenantService;
let engine: Engine;
/** Of each item its own; and that of one tenant, who may change it. */
const stored: Record<'each' | 'first', StoredCredential> = {
	each: { type: 'walletScreeningApi', data: {} },
	first: { type: 'walletScreeningApi', data: {} },
};

beforeAll(async () => {
	[one, other] = [await startTenantService(), await startTenantService()];
	engine = await createEngine({ credentials: stored, nodeTypes: { 'test.reader': reader } });
});
afterAll(async () => {
	await engine.close();
	await Promise.all([one.close(), other.close()]);
});
beforeEach(() => {
	for (const service of [one, other]) {
		Object.assign(service, { arrived: [], answer: undefined, isReady: true });
		service.revoked.clear();
	}
	const plan = 'enterprise';
	stored.each.data = { plan, apiKey: '={{ $json.key }}', baseUrl: '={{ $json.url }}' };
	stored.first.data = { plan, apiKey: 'key-of-first', baseUrl: one.baseUrl };
});

async function run(credential: keyof typeof stored, parameters: object, input: IDataObject[]) {
	const workflow = screeningWorkflow(parameters as never, { credential, onError: CONTINUE });
	const result = await engine.run(workflow, { input });
	return { ...result, json: result.items[0]!.map(({ json }) => json as any) };
}
const keysAt = ({ arrived }: TenantService) => [...new Set(arrived.map(({ key }) => key))];

describe('items of three tenants at two services', () => {
	/** Each address is asked for by all three, and each item is next to those of others. */
	const input = () =>
		['x0', 'y1', 'X2', 'x0'].flatMap((address) => [
			{ tenant: 'anna', key: 'key-of-anna', url: one.baseUrl, address },
			{ tenant: 'ben', key: 'key-of-ben', url: one.baseUrl, address },
			{ tenant: 'anna', key: 'key-of-anna', url: other.baseUrl, address },
		]);

	test.each([
		['address: screen', SCREEN, ['x0', 'x0']],
		// In a bulk job of their own key, and no report is shared with another.
		['bulkJob: screenAndWait', WAIT, ['x0']],
	])('are screened each under its own key at its own service: %s', async (...given) => {
		const [, parameters, x0] = given;
		const { json } = await run('each', parameters, input());
		expect(json.map(({ report_id }) => report_id)).toEqual(
			input().map(({ tenant, address }) => `rep-${tenant}-${address}`),
		);
		const askedOf = ({ arrived }: TenantService, by: string) =>
			arrived.flatMap(({ key, addresses }) => (key === by ? addresses : [])).sort();
		const asked = ['X2', ...x0, 'y1'];
		expect(askedOf(one, 'key-of-anna')).toEqual(asked);
		expect(askedOf(one, 'key-of-ben')).toEqual(asked);
		expect(askedOf(other, 'key-of-anna')).toEqual(asked);
		expect(keysAt(one).length + keysAt(other).length).toBe(3);
	});

	test('are submitted in a job for each key, paired with its own items', async () => {
		const { items, json } = await run('each', SUBMIT, input());
		const owners = json.map(({ job_id }) => job_id.slice(0, -2));
		expect(owners).toEqual(['job-anna', 'job-ben', 'job-anna']);
		expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((tenant) => [0, 3, 6, 9].map((row) => ({ item: row + tenant }))),
		);
	});

	test('fail alone if their credential is invalid', async () => {
		const address = 'x0';
		const { json } = await run('each', WAIT, [
			{ key: '', url: one.baseUrl, address },
			{ key: 'key-of-ben', url: 'http://api.example.com', address },
			{ key: 'key-of-ben', url: one.baseUrl, address },
		]);
		expect(json.map(({ error, report_id }) => error ?? report_id)).toEqual([
			'The API key is empty',
			"'Base URL' does not start with https://",
			'rep-ben-x0',
		]);
	});
});

test.each([
	[{}, true],
	[{ apiKey: '={{ $secrets.vault.screening-key }}' }, true],
	[{ apiKey: '={{ $json.key }}' }, false],
	[{ baseUrl: '={{ $vars[$json.region] }}' }, false],
])('the credential knows whether it is the same for all items: %j, %s', async (data, expected) => {
	Object.assign(stored.first.data, data);
	const credentials = { walletScreeningApi: { id: 'first', name: 'first' } };
	const node = { name: 'Reader', type: 'test.reader', credentials };
	const { items } = await engine.run(inARow(start, node));
	expect(items[0]![0]!.json).toEqual({ isSameForAll: expected });
});

test.each(['first', 'other'] as const)(
	'a run stays with its key if somebody puts that of %s into the credential',
	async (service) => {
		one.isReady = false;
		const running = run('first', WAIT, [{ address: 'x0' }]);
		await until('a look at the job', async () => one.arrived.length > 1 || undefined);
		const { baseUrl } = service === 'other' ? other : one;
		Object.assign(stored.first.data, { apiKey: `new-key-of-${service}`, baseUrl });
		one.revoked.add('key-of-first');
		one.isReady = true;
		const { details } = (await running).json[0];
		const job_ids = [expect.any(String) as string];
		expect(details).toMatchObject({ errorClass: 'unauthorized', job_ids });
		expect([keysAt(one), keysAt(other)]).toEqual([['key-of-first'], []]);
	},
);

test.each([SCREEN, WAIT, SUBMIT])(
	'no secret that a service repeats, in any spelling, is in what a run leaves: $operation',
	async (parameters) => {
		const secrets = ['key-of-first/+~0123', 'whsec~7'];
		const [apiKey, webhookSecret] = secrets as [string, string];
		Object.assign(stored.first.data, { apiKey, webhookSecret });
		const spellings = secrets.flatMap((text) => [
			...[text, encodeURIComponent(text), JSON.stringify(text).replaceAll('/', '\\/')],
			...['base64', 'base64url'].map((form) => Buffer.from(`a${text}`).toString(form as 'base64')),
		]);
		const said = spellings.join(' ');
		const headers = { location: `/v1/bulk/${encodeURIComponent(apiKey)}` };
		one.answer = ({ addresses: [address] }) =>
			address === 'x0'
				? { status: 400, headers, body: { message: said } }
				: { status: 200, body: { report_id: said, address: said, [said]: said } };
		const left = JSON.stringify(
			await run('first', parameters, [{ address: 'x0' }, { address: 'y1' }]),
		);
		expect(left).toContain('***');
		for (const spelling of spellings) expect(left).not.toContain(spelling);
	},
);
