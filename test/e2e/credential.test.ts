/**
 * Tests in a real n8n to which addresses a key is sent. Which key screens which item is tested in
 * integration/credential.
 */
import type { IDataObject } from 'n8n-workflow';
import { type N8n, startFreshInstance } from '../../tools/host/instance';
import { type Credential, type Execution, itemsOf, type Saved } from '../../tools/host/workflow';
import { until } from '../../tools/host/until';
import { startTenantService, type TenantService } from '../support/servers/tenants';
import {
	screenEach,
	screeningNodeName,
	runnableWorkflow,
	startNode,
	credentialsOf,
	workflowOf,
} from '../support/n8n/workflows';
import { withoutEditor } from '../support/n8n/environment';

describe('the key of a credential in a real n8n', () => {
	let one: TenantService;
	let other: TenantService;
	let n8n: N8n;

	beforeAll(async () => {
		[one, other] = [await startTenantService(), await startTenantService()];
		const overwritten = { apiKey: 'key-of-operator', baseUrl: one.baseUrl };
		n8n = await startFreshInstance('credential', {
			environment: {
				...withoutEditor,
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
		for (const service of [one, other]) Object.assign(service, { requests: [], isReady: true });
	});

	const save = async (data: IDataObject): Promise<Saved<Credential>> =>
		await n8n.saveCredential({
			name: 'Wallet Screening API',
			type: 'walletScreeningApi',
			data: { plan: 'enterprise', ...data } as Credential['data'],
		});
	const saveScreening = async (parameters: IDataObject, credential: Saved<Credential>) =>
		await n8n.saveWorkflow(runnableWorkflow([{ address: 'x0' }], parameters as never, credential));
	const keysAt = ({ requests }: TenantService) =>
		[...new Set(requests.map(({ key }) => key))].sort();

	test('does not go elsewhere with an HTTP Request node', async () => {
		const credential = await save({ apiKey: 'key-of-first', baseUrl: one.baseUrl });
		const request = async ({ baseUrl }: TenantService): Promise<Execution> => {
			const authentication = 'predefinedCredentialType';
			const url = `${baseUrl}/v1/reports/rep-first-x0`;
			const node = {
				name: 'HTTP Request',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: { url, authentication, nodeCredentialType: credential.type },
				credentials: credentialsOf(credential),
			};
			return await n8n.runWorkflow(await n8n.saveWorkflow(workflowOf('Request', startNode, node)));
		};
		const own = itemsOf(await request(one), 'HTTP Request');
		expect(own).toMatchObject([{ json: { report_id: 'rep-first-x0' } }]);
		expect((await request(other)).data.resultData.error?.message).toBe(
			`This credential is only for ${one.baseUrl}, so nothing was sent to ${other.baseUrl}`,
		);
		expect(keysAt(one)).toEqual(['key-of-first']);
		expect(other.requests).toEqual([]);
	});

	test('stays with its service when a user changes the credential in the middle of a run', async () => {
		one.isReady = false;
		const credential = await save({ apiKey: 'key-of-first', baseUrl: one.baseUrl });
		const options = { pollInterval: 0.2 };
		const bulk = { resource: 'bulkJob', operation: 'screenAndWait', options };
		const id = await n8n.startExecution(await saveScreening(bulk, credential));
		await until('a look at the job', async () => one.requests.length > 1 || undefined);
		const change = { apiKey: 'key-of-other', baseUrl: other.baseUrl };
		await n8n.changeCredential(credential, { ...credential.data, ...change });
		const looks = one.requests.length;
		await until('another look', async () => one.requests.length > looks || undefined);
		one.isReady = true;
		const items = itemsOf(await n8n.finishedExecution(id), screeningNodeName);
		expect(items).toMatchObject([{ json: { report: { report_id: 'rep-first-x0' } } }]);
		expect(keysAt(one)).toEqual(['key-of-first']);
		expect(other.requests).toEqual([]);
		expect((await n8n.bytesOfUserFolder()).includes('key-of-first')).toBe(false);
	});

	test('of the environment goes only to the address that comes with it', async () => {
		const atOwn = await save({ apiKey: '', baseUrl: '' });
		const atOthers = await save({ apiKey: '', baseUrl: other.baseUrl });
		const own = await n8n.runWorkflow(await saveScreening(screenEach, atOwn));
		expect(itemsOf(own, screeningNodeName)).toMatchObject([
			{ json: { report: { report_id: 'rep-operator-x0' } } },
		]);
		expect(await n8n.testCredential(atOwn)).toMatchObject({ status: 'OK' });
		expect(await n8n.testCredential(atOthers)).toMatchObject({ status: 'Error' });
		const screened = await n8n.runWorkflow(await saveScreening(screenEach, atOthers));
		expect(screened.data.resultData.error?.message).toBe('The API key is empty');
		expect(keysAt(one)).toEqual(['key-of-operator']);
		expect(keysAt(other)).not.toContain('key-of-operator');
	});
});
