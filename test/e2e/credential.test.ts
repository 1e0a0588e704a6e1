/** Where a key goes, in a real n8n: only to its own origin, and only with the items that it belongs to. */
import type { IDataObject } from 'n8n-workflow';
import {
	type Credential,
	type Execution,
	itemsOf,
	type N8n,
	type Saved,
	startFreshInstance,
} from '../../tools/host/instance';
import { until } from '../../tools/host/until';
import { addressNumber } from '../support/addresses';
import { startTenantService, type TenantService } from '../support/tenants';
import {
	screenEach,
	screeningNode,
	screeningWorkflow,
	start,
	using,
	workflowOf,
} from '../support/workflows';

const bulk = {
	resource: 'bulkJob',
	operation: 'screenAndWait',
	addressField: 'address',
	options: { pollInterval: 0.2 },
};

describe('the key of a credential in a real n8n', () => {
	let one: TenantService;
	let other: TenantService;
	let n8n: N8n;

	beforeAll(async () => {
		[one, other] = [await startTenantService(), await startTenantService()];
		const overwritten = { apiKey: 'key-of-operator', baseUrl: one.baseUrl };
		n8n = await startFreshInstance('credential', {
			environment: {
				CREDENTIALS_OVERWRITE_DATA: JSON.stringify({ walletScreeningApi: overwritten }),
				N8N_SKIP_CREDENTIAL_OVERWRITE: 'walletScreeningApi',
			},
		});
	});
	afterAll(async () => {
		await n8n?.stop();
		await Promise.all([one, other].map(async (service) => await service?.close()));
	});
	beforeEach(() => {
		for (const service of [one, other])
			Object.assign(service, { arrived: [], answer: undefined, isReady: true });
	});

	const save = async (data: IDataObject): Promise<Saved<Credential>> =>
		await n8n.saveCredential({
			name: 'Wallet Screening API',
			type: 'walletScreeningApi',
			data: { plan: 'enterprise', ...data } as Credential['data'],
		});
	const keysAt = ({ arrived }: TenantService) => [...new Set(arrived.map(({ key }) => key))].sort();

	test('is that of the item, for three tenants at two services', async () => {
		const tenants = [
			{ tenant: 'anna', key: 'key-of-anna', url: one.baseUrl },
			{ tenant: 'ben', key: 'key-of-ben', url: one.baseUrl },
			{ tenant: 'anna', key: 'key-of-anna', url: other.baseUrl },
		];
		const input = ['x0', 'y1', 'x0'].flatMap((address) =>
			tenants.map((tenant) => ({ ...tenant, address })),
		);
		const credential = await save({ apiKey: '={{ $json.key }}', baseUrl: '={{ $json.url }}' });
		for (const parameters of [screenEach, bulk]) {
			const workflow = await n8n.saveWorkflow(screeningWorkflow(input, parameters, credential));
			const items = itemsOf(await n8n.runWorkflow(workflow), screeningNode);
			expect(items.map(({ json }) => (json['report'] as IDataObject)['report_id'])).toEqual(
				input.map(({ tenant, address }) => `rep-${tenant}-${address}`),
			);
		}
		expect(keysAt(one)).toEqual(['key-of-anna', 'key-of-ben']);
		expect(keysAt(other)).toEqual(['key-of-anna']);
		// Equal addresses of a tenant are in one job once.
		expect(
			other.arrived.map(({ addresses }) => addresses).filter(({ length }) => length > 1),
		).toEqual([['x0', 'y1']]);
	});

	test('does not go elsewhere with an HTTP Request node, or by a redirect of its answer', async () => {
		const credential = await save({ apiKey: 'key-of-first', baseUrl: one.baseUrl });
		const request = async (url: string): Promise<Execution> => {
			const authentication = 'predefinedCredentialType';
			const node = {
				name: 'HTTP Request',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: { url, authentication, nodeCredentialType: credential.type },
				credentials: using(credential),
			};
			return await n8n.runWorkflow(await n8n.saveWorkflow(workflowOf('Request', start, node)));
		};
		const own = await request(`${one.baseUrl}/v1/reports/rep-first-x0`);
		expect(itemsOf(own, 'HTTP Request')[0]?.json).toMatchObject({ report_id: 'rep-first-x0' });
		const elsewhere = await request(`${other.baseUrl}/v1/reports/rep-first-x0`);
		expect(elsewhere.data.resultData.error?.message).toBe(
			`This credential is only for ${one.baseUrl}, so nothing was sent to ${other.baseUrl}`,
		);
		one.answer = () => ({ status: 302, headers: { location: `${other.baseUrl}/v1/screen` } });
		const redirected = await request(`${one.baseUrl}/v1/reports/rep-first-x0`);
		expect(redirected.data.resultData.error).toBeDefined();
		expect(keysAt(one)).toEqual(['key-of-first']);
		expect(other.arrived).toEqual([]);
	});

	test('stays with its service when somebody changes the credential in the middle of a run', async () => {
		one.isReady = false;
		const credential = await save({ apiKey: 'key-of-first', baseUrl: one.baseUrl });
		const input = [{ address: addressNumber(1) }];
		const workflow = await n8n.saveWorkflow(screeningWorkflow(input, bulk, credential));
		const id = await n8n.startExecution(workflow);
		await until('a look at the job', async () => one.arrived.length > 1 || undefined);
		const change = { apiKey: 'key-of-other', baseUrl: other.baseUrl };
		await n8n.changeCredential(credential, { ...credential.data, ...change });
		const looks = one.arrived.length;
		await until('another look', async () => one.arrived.length > looks || undefined);
		one.isReady = true;
		const items = itemsOf(await n8n.finishedExecution(id), screeningNode);
		const report_id = `rep-first-${addressNumber(1)}`;
		expect(items[0]?.json).toMatchObject({ report: { report_id } });
		expect(keysAt(one)).toEqual(['key-of-first']);
		expect(other.arrived).toEqual([]);
		expect((await n8n.stored()).includes('key-of-first')).toBe(false);
	});

	test('of the environment goes only to the address that comes with it', async () => {
		const atOwn = await save({ apiKey: '', baseUrl: '' });
		const atOthers = await save({ apiKey: '', baseUrl: other.baseUrl });
		one.answer = () => ({ status: 404, body: {} });
		expect(await n8n.testCredential(atOwn)).toMatchObject({ status: 'OK' });
		expect(await n8n.testCredential(atOthers)).toMatchObject({ status: 'Error' });
		expect(keysAt(one)).toEqual(['key-of-operator']);
		expect(keysAt(other)).not.toContain('key-of-operator');
		const input = [{ address: addressNumber(1) }];
		const workflow = await n8n.saveWorkflow(screeningWorkflow(input, screenEach, atOthers));
		expect((await n8n.runWorkflow(workflow)).data.resultData.error?.message).toBe(
			'The API key is empty',
		);
		expect(keysAt(other)).not.toContain('key-of-operator');
	});
});
