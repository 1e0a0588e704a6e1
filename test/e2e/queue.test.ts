import type { Credential, Execution, N8n, Saved, Workflow } from '../../tools/host/instance';
import { itemsOf } from '../../tools/host/instance';
import type { HostProcess } from '../../tools/host/process';
import { type Cluster, startFreshCluster } from '../../tools/host/queue/cluster';
import { until } from '../../tools/host/until';
import { reportOn } from '../../sandbox/reports';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import {
	begunBy,
	deliveredListWorkflow,
	deliverList,
	deliveryNode,
	listsOfAddresses,
} from '../support/queueDeliveries';
import {
	completion,
	deliver,
	hookCredential,
	outcomesOf,
	report,
	secrets,
	startTrigger,
} from '../support/triggers';
import { itemOf } from '../support/items';
import { screeningNode, serviceCredential, workflowOf } from '../support/workflows';
import { mcpTests } from './together/mcp';

/** How soon n8n notices that a worker has died; three times as soon as usual. */
const vigilance = {
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
	QUEUE_WORKER_STALLED_INTERVAL: '10000',
	// n8n 2.41 waits at its end for executions of tools that failed.
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1',
};

describe('n8n in queue mode', () => {
	let cluster: Cluster;
	let n8n: N8n;
	let sandbox: Sandbox;
	let credential: Saved<Credential>;

	beforeAll(async () => {
		sandbox = await startSandbox({ latencyMs: 100 });
		cluster = await startFreshCluster('e2e-queue', {
			workers: 4,
			concurrency: 2,
			webhookProcessors: 2,
			environment: vigilance,
		});
		n8n = cluster.main;
		const service = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
		credential = await n8n.saveCredential({ ...service, data: { ...service.data, plan: 'pro' } });
	});

	afterAll(async () => {
		await cluster?.stop();
		await sandbox?.close();
	});

	const finishedExecutionsOf = async (workflow: Saved<Workflow>) =>
		Promise.all((await n8n.executionsOf(workflow)).map(({ id }) => n8n.finishedExecution(id)));

	test('starts one execution for a delivery and its repeats, whichever process they come to', async () => {
		const trigger = await startTrigger(n8n, await n8n.saveCredential(hookCredential(secrets.body)));
		const { pathname } = new URL(trigger.url);
		const doors = [n8n, ...cluster.webhookProcessors].map(({ url }) => ({ url: url + pathname }));
		const delivered = [];

		for (const door of doors) {
			const result = report();
			const body = completion(result);
			expect(await deliver(door, body)).toMatchObject({ status: 200, text: 'accepted' });
			for (const other of doors) {
				expect(await deliver(other, body)).toMatchObject({ status: 200, text: 'repeat' });
			}
			delivered.push([result]);
		}

		expect(await outcomesOf(n8n, trigger)).toEqual(delivered);
		const [, ...rest] = doors;
		for (const door of rest) {
			expect(await deliver(door, completion(report()), {})).toMatchObject({ status: 401 });
		}
		expect(await n8n.executionsOf(trigger.workflow)).toHaveLength(doors.length);
	});

	test('hands the PDF that a worker has fetched to everybody who asks main for it', async () => {
		const workflow = await n8n.saveWorkflow(
			deliveredListWorkflow(credential, 'pdf', { includePdf: true, binaryPropertyName: 'data' }),
		);
		await n8n.publishWorkflow(workflow);
		await deliverList(n8n, 'pdf', ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045']);

		const [execution] = await finishedExecutionsOf(workflow);
		const begun = (await Promise.all(cluster.workers.map(begunBy))).flat();
		expect(begun).toContain(execution?.id);
		const [item] = itemsOf(execution!, screeningNode);
		const pdf = await n8n.binary(item!.binary!.data!);
		expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
	});

	describe('behind the MCP Server Trigger', () => {
		mcpTests(() => n8n);
	});

	describe('with workers that share a key, one of which is killed', () => {
		const lists = listsOfAddresses(8, 50);
		const addresses = lists.flat();
		const path = 'lists';
		let workflow: Saved<Workflow>;
		let errorWorkflow: Saved<Workflow>;
		let executions: Execution[];
		let killed: string[];

		/** The addresses that the service has made a report on, as often as it has. */
		const screened = () =>
			sandbox.requests
				.filter(({ status }) => status === 200)
				.map(({ body }) => (body as { address: string }).address);
		const timesScreened = (address: string) => screened().filter((one) => one === address).length;
		const listOf = (execution: Execution) =>
			(itemsOf(execution, deliveryNode)[0]?.json.body as { addresses: string[] } | undefined)
				?.addresses;
		const reportsOf = (execution: Execution) =>
			itemsOf(execution, screeningNode).map(({ json }) => json);
		const rightReports = (list: readonly string[]) =>
			list.map((address) => itemOf(reportOn(address, undefined, sandbox.baseUrl)));
		const withStatus = (status: string) => executions.filter((one) => one.status === status);
		const lostLists = () =>
			lists.filter((list) => !withStatus('success').some((one) => listOf(one)?.[0] === list[0]));

		const workerAtWork = async (): Promise<HostProcess> => {
			const all = await n8n.executionsOf(workflow);
			const running = all.filter(({ status }) => status === 'running');
			for (const worker of cluster.workers) {
				const begun = await begunBy(worker);
				if (running.some(({ id }) => begun.includes(id))) return worker;
			}
			throw new Error('No worker is at work');
		};

		beforeAll(async () => {
			sandbox.requests.length = 0;
			const onError = { name: 'Error Trigger', type: 'n8n-nodes-base.errorTrigger' };
			errorWorkflow = await n8n.saveWorkflow(workflowOf('Tell', onError));
			await n8n.publishWorkflow(errorWorkflow);
			const screening = deliveredListWorkflow(credential, path);
			workflow = await n8n.saveWorkflow({
				...screening,
				settings: { ...screening.settings, errorWorkflow: errorWorkflow.id },
			});
			await n8n.publishWorkflow(workflow);
			await Promise.all(lists.map((list) => deliverList(n8n, path, list)));

			const third = async () => screened().length >= addresses.length / 3 || undefined;
			await until('a third of the addresses to be screened', third);
			const victim = await workerAtWork();
			process.kill(await victim.processId(), 'SIGKILL');
			killed = await begunBy(victim);
			executions = await finishedExecutionsOf(workflow);
		});

		test('every worker has its share', async () => {
			const ids = executions.map(({ id }) => id);
			for (const worker of cluster.workers) {
				expect((await begunBy(worker)).some((id) => ids.includes(id))).toBe(true);
			}
		});

		test('the executions of the others give every address its own report, asked for once', () => {
			const others = executions.filter(({ id }) => !killed.includes(id));
			expect(others.length).toBeGreaterThan(0);
			for (const execution of others) {
				const list = listOf(execution) ?? [];
				expect(execution.status).toBe('success');
				expect(list).toHaveLength(50);
				expect(reportsOf(execution)).toEqual(rightReports(list));
				expect(list.map(timesScreened)).toEqual(list.map(() => 1));
			}
		});

		test('those of the killed one end visibly in an error, and nothing is asked for again', () => {
			const failed = withStatus('error');
			expect(failed.length).toBeGreaterThan(0);
			expect(withStatus('success').length + failed.length).toBe(lists.length);
			expect(lostLists()).toHaveLength(failed.length);
			for (const { id, data } of failed) {
				expect(killed).toContain(id);
				expect(data.resultData.error?.message).toContain('failed to be processed too many times');
			}
			for (const address of lostLists().flat()) expect(timesScreened(address)).toBeLessThan(2);
		});

		test('the error workflow runs for each', async () => {
			const told = await n8n.executionsOf(errorWorkflow);
			expect(told).toHaveLength(withStatus('error').length);
		});

		test('the button Retry has nothing left to start from, and says so', async () => {
			const before = sandbox.requests.length;
			for (const { id } of withStatus('error')) {
				const again = await n8n.finishedExecution(await n8n.retryExecution(id));
				expect(again.status).toBe('error');
				expect(reportsOf(again)).toEqual([]);
			}
			expect(sandbox.requests).toHaveLength(before);
		});

		test('the lists that are lost give their reports when they are handed in again', async () => {
			const lost = lostLists();
			const before = new Set((await n8n.executionsOf(workflow)).map(({ id }) => id));
			await Promise.all(lost.map((list) => deliverList(n8n, path, list)));
			const again = (await finishedExecutionsOf(workflow)).filter(({ id }) => !before.has(id));

			expect(again.map(({ status }) => status)).toEqual(lost.map(() => 'success'));
			expect(new Set(again.map((one) => listOf(one)?.[0]))).toEqual(
				new Set(lost.map(([first]) => first)),
			);
			for (const execution of again) {
				expect(reportsOf(execution)).toEqual(rightReports(listOf(execution) ?? []));
			}
			expect(addresses.filter((address) => timesScreened(address) === 0)).toEqual([]);
		});
	});
});
