import { type Execution, type N8n, startFreshInstance } from '../../host/instance';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { patience, screeningWorkflow, serviceCredential } from './workflow';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const invalidKey = 'key-that-nobody-issued-5e1d';

const screen = {
	resource: 'address',
	operation: 'screen',
	address: '={{ $json.address }}',
	options: { maxRetries: 1 },
};
const getReport = { resource: 'report', operation: 'get', reportId: 'rep_unknown', options: {} };

describe('a failure of the service in a real n8n', () => {
	let n8n: N8n;
	let sandbox: Sandbox;
	const executions: Record<string, Execution> = {};

	beforeAll(async () => {
		sandbox = await startSandbox({ limit: null });
		const stoppedSandbox = await startSandbox();
		await stoppedSandbox.close();
		// The log is read for secrets, so it shall say all that it can.
		n8n = await startFreshInstance('e2e-failures', { environment: { N8N_LOG_LEVEL: 'debug' } });

		const { readOnly, readWrite } = sandbox.keys;
		const cases = [
			['unauthorized', invalidKey, sandbox.baseUrl, screen],
			['forbidden', readOnly, sandbox.baseUrl, screen],
			['not_found', readOnly, sandbox.baseUrl, getReport],
			['network', readWrite, stoppedSandbox.baseUrl, screen],
		] as const;
		for (const [errorClass, key, baseUrl, parameters] of cases) {
			const credential = await n8n.saveCredential(serviceCredential(key, baseUrl));
			const workflow = screeningWorkflow([{ address }], parameters, credential);
			executions[errorClass] = await n8n.runWorkflow(await n8n.saveWorkflow(workflow));
		}
	}, patience);

	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
	});

	const errorOf = (errorClass: string) =>
		executions[errorClass]?.data.resultData.error as
			{ message: string; description: string; context: Record<string, unknown> } | undefined;

	test.each([
		['an invalid key', 'unauthorized'],
		['a read-only key', 'forbidden'],
		['an unknown report id', 'not_found'],
		['a stopped service', 'network'],
	])('%s shows as %s', (_cause, errorClass) => {
		expect(executions[errorClass]?.status).toBe('error');
		expect(errorOf(errorClass)).toMatchObject({
			message: expect.stringMatching(/\S/),
			description: expect.stringMatching(/\S/),
			context: { errorClass, itemIndex: 0 },
		});
	});

	test('each class has a message and a description of its own', () => {
		const errors = Object.keys(executions).map(errorOf);
		expect(new Set(errors.map((error) => error?.message)).size).toBe(4);
		expect(new Set(errors.map((error) => error?.description)).size).toBe(4);
	});

	test('no API key is in the execution data, the log or any file of n8n', async () => {
		const places = {
			executions: Buffer.from(JSON.stringify(Object.values(executions))),
			log: Buffer.from(await n8n.log()),
			stored: await n8n.stored(),
		};
		// What must be found where it belongs shows that the right bytes are looked at.
		for (const place of [places.executions, places.stored])
			expect(place.includes(address)).toBe(true);
		expect(places.log.includes('Wallet Screening')).toBe(true);

		for (const key of [invalidKey, ...Object.values(sandbox.keys)]) {
			for (const [place, bytes] of Object.entries(places)) {
				expect({ place, key, found: bytes.includes(key) }).toEqual({ place, key, found: false });
			}
		}
	});
});
