import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { dialects } from '../../../sandbox/dialects';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { run } from '../../../tools/check/run';
import { itemsOf } from '../../../tools/host/instance';
import { until } from '../../../tools/host/until';
import {
	hookCredential,
	outcomesOf,
	productionUrl,
	secrets,
	startTrigger,
} from '../../support/triggers';
import { screeningNode } from '../../support/workflows';
import { n8n, runScreening } from './n8n';

const addresses = [
	'0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	'0x7e57000000000000000000000000000000000006',
];
const input = addresses.map((address) => ({ address }));
const item = '={{ $json.address }}';
const submit = { resource: 'bulkJob', operation: 'submit' };
const wait = {
	resource: 'bulkJob',
	operation: 'screenAndWait',
	options: { pollInterval: 0.05, timeout: 0.05 },
};

export function dialectTests(): void {
	const id = randomUUID();
	let sandbox: Sandbox;
	let setting: string;

	beforeAll(async () => {
		const webhook = {
			url: productionUrl(n8n, id),
			secret: secrets.body,
			scheme: 'body' as const,
		};
		sandbox = await startSandbox({
			...{ limit: null, jobDurationMs: 1200, dialect: dialects.foreign, webhook },
		});
	});

	afterAll(() => sandbox?.close());

	const service = () => ({ apiKey: sandbox.keys.readWrite, baseUrl: sandbox.baseUrl });
	const credentialWith = async (serviceNames: string) =>
		await n8n.saveCredential(hookCredential(secrets.body, { serviceNames }, service()));

	async function execute(serviceNames: string, parameters: object): Promise<IDataObject[]> {
		const credential = await credentialWith(serviceNames);
		const execution = await runScreening(addresses, parameters, credential);
		return itemsOf(execution, screeningNode).map(({ json }) => json);
	}

	const screen = { resource: 'address', operation: 'screen', address: item };
	const getReport = (reportId: string) => ({ resource: 'report', operation: 'get', reportId });
	const getJob = (jobId: string) => ({ resource: 'bulkJob', operation: 'get', jobId });
	const jobId = async () => {
		const [job] = await execute('{"jobId":["ticket"]}', submit);
		return String(job?.job_id);
	};

	test.each([
		['Submit', submit],
		['Screen and Wait', wait],
	])('%s names what it cannot read, and says what to add', async (_, parameters) => {
		const items = await execute('', parameters);
		expect(items).not.toEqual([]);
		for (const { details, error, ...rest } of items) {
			const { description, add } = details as IDataObject;
			expect(`${String(error)} ${String(description)}`).toContain('ticket');
			expect(add).toEqual({ jobId: ['ticket'] });
			expect(rest).not.toHaveProperty('level');
		}
	});

	test('Get gives no report of a job whose state it does not know, and names the state', async () => {
		const job = await jobId();
		await until('the delivery', async () => sandbox.deliveries[0]);
		const [only] = await execute('{"jobId":["ticket"]}', getJob(job));
		expect(JSON.stringify(only?.unread)).toMatch(/lifecycle/);
		expect(only).toMatchObject({ completed: false });
		expect(only).not.toHaveProperty('level');
	});

	test('check-service writes the setting with which every operation and the trigger work', async () => {
		const lines: string[] = [];
		const environment = {
			WALLET_SCREENING_API_KEY: sandbox.keys.readWrite,
			WALLET_SCREENING_BASE_URL: sandbox.baseUrl,
		};
		const given = addresses.flatMap((address) => ['--address', address]);
		const terminal = { print: (text: string) => void lines.push(text), ask: async () => false };
		await run(['--yes', '--wait', '20', ...given], environment, terminal);
		[setting = ''] = /^\{.*\}$/m.exec(lines.join('\n')) ?? [];
		expect(JSON.parse(setting)).toEqual({
			...{ jobId: ['ticket'], state: ['lifecycle'], complete: ['scored'] },
		});

		const reports = input.map((one) => ({ ...one, level: 'green' }));
		const [screened, ...others] = await execute(setting, screen);
		expect([screened, ...others]).toMatchObject(reports);
		const again = await execute(
			setting,
			getReport(String((screened?.report as IDataObject).report_id)),
		);
		expect(again).toMatchObject([reports[0], reports[0]]);
		expect(await execute(setting, { ...wait, options: {} })).toMatchObject(reports);
		sandbox.deliveries.length = 0;
		const trigger = await startTrigger(n8n, await credentialWith(setting), {}, id);
		const [job] = await execute(setting, submit);
		await until('the delivery', async () => sandbox.deliveries[0]);
		expect(await execute(setting, getJob(String(job?.job_id)))).toMatchObject([{}, {}]);
		const received = await outcomesOf(n8n, trigger);
		// The service may deliver the jobs from before once more.
		const sent = input.map((one) => ({ ...one, risk: { level: 'green' } }));
		expect(received).toMatchObject(received.map(() => sent));
		expect(received).not.toEqual([]);
	});
}
