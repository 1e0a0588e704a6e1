/** Tests what remains of paid jobs when n8n is killed while Screen and Wait waits for them. */
import { itemsOf, type N8n, startFreshInstance, startInstance } from '../../tools/host/instance';
import { until } from '../../tools/host/until';
import { reportOn } from '../../sandbox/reports';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { addressesOf } from '../support/data/addresses';
import { itemOf } from '../support/data/items';
import { screeningNode, runnableWorkflow, serviceCredential } from '../support/n8n/workflows';

const addresses = addressesOf(30);
const input = addresses.map((address) => ({ address }));
const waiting = {
	resource: 'bulkJob',
	operation: 'screenAndWait',
	addressField: 'address',
	options: { addressesPerJob: 10, pollInterval: 0.1 },
};

describe('n8n that is killed during Screen and Wait', () => {
	let n8n: N8n;
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ limit: null, jobDurationMs: 0 });
		n8n = await startFreshInstance('e2e-killed-wait');
	});
	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
	});

	test('leaves the ID of each job in its log, and Get returns all reports without another job', async () => {
		const credential = await n8n.saveCredential(
			serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl),
		);
		sandbox.addFault({
			when: ({ method }) => method === 'GET',
			effect: { kind: 'answer', status: 200, body: JSON.stringify({ status: 'processing' }) },
		});
		const workflow = await n8n.saveWorkflow(runnableWorkflow(input, waiting, credential));
		const id = await n8n.startExecution(workflow);
		const requestsBy = (method: string) =>
			sandbox.requests.filter((request) => request.method === method);
		await until('the node to wait for three jobs', async () => {
			const looked = new Set(requestsBy('GET').map(({ path }) => path));
			return looked.size === 3 || undefined;
		});
		process.kill(await n8n.processId(), 'SIGKILL');
		await n8n.stop();
		const log = await n8n.log();

		n8n = await startInstance({ userFolder: n8n.userFolder });
		const killed = await n8n.finishedExecution(id);
		expect(killed.status).toBe('crashed');
		expect(killed.data.resultData.runData[screeningNode]?.[0]?.data).toBeUndefined();
		const accepted = /Execution (\d+): the service accepted bulk job (\S+)/g;
		const noted = [...log.matchAll(accepted)].map(([, execution, job]) => ({ execution, job }));
		const jobs = requestsBy('POST').map(({ job_id }) => job_id);
		expect(jobs).toHaveLength(3);
		expect(noted.map(({ job }) => job).sort()).toEqual([...jobs].sort());
		expect(new Set(noted.map(({ execution }) => execution))).toEqual(new Set([id]));
		expect(addresses.filter((address) => log.includes(address))).toEqual([]);

		sandbox.clearFaults();
		const getting = {
			resource: 'bulkJob',
			operation: 'get',
			jobId: '={{ $json.job_id }}',
			output: 'reports',
			addresses: addresses.join('\n'),
		};
		const found = noted.map(({ job }) => ({ job_id: job }));
		const get = runnableWorkflow(found, getting, credential, 'continueRegularOutput');
		const items = itemsOf(await n8n.runWorkflow(await n8n.saveWorkflow(get)), screeningNode);
		const reports = items.map(({ json }) => json).filter(({ report }) => report);
		const byAddress = (one: { address?: unknown }, other: { address?: unknown }) =>
			String(one.address).localeCompare(String(other.address));
		expect(reports.sort(byAddress)).toEqual(
			addresses
				.map((address) => itemOf(reportOn(address, undefined, sandbox.baseUrl)))
				.sort(byAddress),
		);
		expect(requestsBy('POST')).toHaveLength(3);
	});
});
