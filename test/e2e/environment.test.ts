import { type N8n, startFreshInstance } from '../../host/instance';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { patience, screeningWorkflow, serviceCredential } from './workflow';

describe("a key that n8n's operator keeps in the environment", () => {
	let n8n: N8n;
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox();
		const walletScreeningApi = { apiKey: sandbox.keys.readWrite, baseUrl: sandbox.baseUrl };
		n8n = await startFreshInstance('e2e-environment', {
			environment: { CREDENTIALS_OVERWRITE_DATA: JSON.stringify({ walletScreeningApi }) },
		});
	}, patience);

	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
	});

	test(
		'screens for a credential that holds none',
		async () => {
			const credential = await n8n.saveCredential(serviceCredential('', ''));
			const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
			const parameters = { resource: 'address', operation: 'screen', address };
			const workflow = screeningWorkflow([{ address }], parameters, credential);
			const { status, data } = await n8n.runWorkflow(await n8n.saveWorkflow(workflow));
			expect(data.resultData.error).toBeUndefined();
			expect(status).toBe('success');
			expect(sandbox.requests.map(({ path, status: answered }) => [path, answered])).toEqual([
				['/v1/screen', 200],
			]);
		},
		patience,
	);
});
