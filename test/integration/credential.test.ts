/** Which key goes where: each item has its own, and no other origin, tenant or reader gets to see it. */
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import type { StoredCredential } from '../../tools/host/engine/credentials';
import { createEngine, type Engine, type RunResult } from '../../tools/host/engine';
import { until } from '../../tools/host/until';
import { startTenantService, type TenantService } from '../support/tenants';
import { inARow, start } from '../support/workflows';
import { CONTINUE } from './engine/items';
import { SCREENING, screeningWorkflow } from './engine/workflows';

const changing = { apiKey: 'key-of-first', baseUrl: '', plan: 'enterprise' };

/** Says of the credential of item 0 whether it is the same for all. */
const reader: INodeType = {
	description: {
		...{ displayName: 'Reader', name: 'reader', group: ['transform'], version: 1 },
		...{ description: '', defaults: { name: 'Reader' }, inputs: ['main'], outputs: ['main'] },
		credentials: [{ name: 'walletScreeningApi', required: true }],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		const { isSameForAll } = await this.getCredentials('walletScreeningApi', 0);
		return [[{ json: { isSameForAll } }]];
	},
};

let one: TenantService;
let other: TenantService;
let engine: Engine;
const stored: Record<string, StoredCredential> = {};

beforeAll(async () => {
	[one, other] = [await startTenantService(), await startTenantService()];
	const save = (name: string, data: Record<string, string>) =>
		(stored[name] = { type: 'walletScreeningApi', data: { plan: 'enterprise', ...data } });
	save('each', { apiKey: '={{ $json.key }}', baseUrl: '={{ $json.url }}' });
	save('first', { apiKey: 'key-of-first', baseUrl: one.baseUrl });
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
	stored['first']!.data = { ...changing, baseUrl: one.baseUrl };
});

const run = async (credential: string, parameters: object, input: object[]): Promise<RunResult> =>
	await engine.run(screeningWorkflow(parameters as never, { credential, onError: CONTINUE }), {
		input: input as INodeExecutionData['json'][],
	});
const jsonOf = (result: RunResult) => result.itemsOf(SCREENING)[0]!.map(({ json }) => json);
const bulk = { resource: 'bulkJob', addressField: 'address', options: { pollInterval: 0.05 } };

describe('items of three tenants at two services', () => {
	const tenants = () => [
		{ tenant: 'anna', key: 'key-of-anna', url: one.baseUrl },
		{ tenant: 'ben', key: 'key-of-ben', url: one.baseUrl },
		{ tenant: 'anna', key: 'key-of-anna', url: other.baseUrl },
	];
	/** Each address is asked for by all three, and each item is next to those of others. */
	const input = () =>
		['x', 'y', 'X', 'x'].flatMap((address, row) =>
			tenants().map((tenant) => ({ ...tenant, address: `${address}${row % 3}` })),
		);

	/** What each key was asked, at each service. */
	const seen = () =>
		[one, other].map(({ arrived }) => {
			const byKey: Record<string, string[]> = {};
			for (const { key = 'none', addresses } of arrived) (byKey[key] ??= []).push(...addresses);
			return Object.fromEntries(Object.entries(byKey).map(([key, all]) => [key, all.sort()]));
		});

	test.each([
		[{ resource: 'address', operation: 'screen', address: '={{ $json.address }}' }, ['x0', 'x0']],
		// In a bulk job of their own key, and no report is shared with another.
		[{ ...bulk, operation: 'screenAndWait' }, ['x0']],
	])('are screened each under its own key at its own service: %j', async (parameters, x0) => {
		const items = jsonOf(await run('each', parameters, input()));
		expect(items.map(({ report_id }) => report_id)).toEqual(
			input().map(({ tenant, address }) => `rep-${tenant}-${address}`),
		);
		const asked = ['X2', ...x0, 'y1'];
		expect(seen()).toEqual([
			{ 'key-of-anna': asked, 'key-of-ben': asked },
			{ 'key-of-anna': asked },
		]);
	});

	test('are submitted in a job for each key, paired with its own items', async () => {
		const result = await run('each', { ...bulk, operation: 'submit' }, input());
		const items = result.itemsOf(SCREENING)[0]!;
		expect(items.map(({ json }) => String(json['job_id']).slice(0, -2))).toEqual([
			'job-anna',
			'job-ben',
			'job-anna',
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((tenant) => [0, 3, 6, 9].map((row) => ({ item: row + tenant }))),
		);
	});

	test('do not get the report of another', async () => {
		const parameters = { resource: 'report', operation: 'get', reportId: 'rep-anna-x0' };
		const items = jsonOf(await run('each', parameters, tenants()));
		expect(items.map(({ report_id, details }) => report_id ?? (details as any).errorClass)).toEqual(
			['rep-anna-x0', 'not_found', 'rep-anna-x0'],
		);
	});

	test('fail alone if their credential is invalid', async () => {
		const items = jsonOf(
			await run('each', { ...bulk, operation: 'screenAndWait' }, [
				{ key: '', url: one.baseUrl, address: 'x0' },
				{ key: 'key-of-ben', url: 'http://api.example.com', address: 'x0' },
				{ key: 'key-of-ben', url: one.baseUrl, address: 'x0' },
			]),
		);
		expect(items.map(({ error, report_id }) => error ?? report_id)).toEqual([
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
	stored['first']!.data = { ...changing, ...data };
	const credentials = { walletScreeningApi: { id: 'first', name: 'first' } };
	const { items } = await engine.run(
		inARow(start, { name: 'Reader', type: 'test.reader', credentials }),
	);
	expect(items[0]![0]!.json).toEqual({ isSameForAll: expected });
});

test.each(['first', 'other'] as const)(
	'a run stays with its key if somebody puts that of %s into the credential',
	async (service) => {
		one.isReady = false;
		const running = run('first', { ...bulk, operation: 'screenAndWait' }, [{ address: 'x0' }]);
		await until('a look at the job', async () => one.arrived.length > 1 || undefined);
		const { baseUrl } = service === 'other' ? other : one;
		Object.assign(stored['first']!.data, { apiKey: `new-key-of-${service}`, baseUrl });
		one.revoked.add('key-of-first');
		one.isReady = true;
		expect(jsonOf(await running)[0]!['details']).toMatchObject({
			errorClass: 'unauthorized',
			job_ids: [expect.any(String)],
		});
		expect([...one.arrived, ...other.arrived].filter(({ key }) => key !== 'key-of-first')).toEqual(
			[],
		);
	},
);

test('no secret that a service repeats, in any spelling, is in what a run leaves', async () => {
	const key = 'key-of-first/+~0123';
	const secret = 'whsec~7';
	Object.assign(stored['first']!.data, { apiKey: key, webhookSecret: secret });
	const spellings = [key, secret].flatMap((text) => [
		text,
		encodeURIComponent(text),
		JSON.stringify(text).replaceAll('/', '\\/'),
		...['', 'a', 'ab'].flatMap((before) =>
			(['base64', 'base64url'] as const).map((form) => Buffer.from(before + text).toString(form)),
		),
	]);
	const said = spellings.join(' ');
	one.answer = ({ addresses: [address] }) =>
		address === 'x0'
			? {
					status: 400,
					headers: { location: `/v1/bulk/${encodeURIComponent(key)}` },
					body: { message: said },
				}
			: { status: 200, body: { report_id: said, address: said, [said]: said } };
	const parameters = [
		{ resource: 'address', operation: 'screen', address: '={{ $json.address }}' },
		{ ...bulk, operation: 'screenAndWait' },
		{ ...bulk, operation: 'submit' },
	];
	for (const given of parameters) {
		const result = await run('first', given, [{ address: 'x0' }, { address: 'y1' }]);
		const left = JSON.stringify(result);
		expect(left).toContain('***');
		for (const spelling of spellings) expect(left).not.toContain(spelling);
	}
});
