import { name } from '../../package.json';
import type { N8n } from '../../tools/host/instance';
import {
	type Credential,
	type Execution,
	itemsOf,
	type Saved,
	type Workflow,
} from '../../tools/host/workflow';
import { type Cluster, startFreshCluster } from '../../tools/host/queue/cluster';
import { logIn } from '../../tools/host/rest';
import { until } from '../../tools/host/until';
import { reportOn } from '../../sandbox/reports';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { ethereum } from '../support/data/knownAddresses';
import {
	readStartedExecutions,
	deliveredListWorkflow,
	deliverList,
	deliveryNodeName,
	listsOfAddresses,
} from '../support/n8n/deliveredLists';
import {
	completion,
	deliver,
	hookCredential,
	readOutcomes,
	report,
	secrets,
	startTrigger,
} from '../support/n8n/triggers';
import { itemOf } from '../support/data/items';
import { withPackage } from '../support/n8n/unpackedPackage';
import { type Internet, startInternet } from '../support/servers/internet';
import { createRegistry } from '../support/servers/registry';
import { screeningNodeName, serviceCredential, workflowOf } from '../support/n8n/workflows';
import { mcpTests } from './mcp';

/** With these settings n8n notices the death of a worker in a third of the usual time. */
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
	let internet: Internet;
	let sandbox: Sandbox;
	let credential: Saved<Credential>;

	beforeAll(async () => {
		const registry = await createRegistry();
		await withPackage(async (folder) => await registry.publish(folder));
		internet = await startInternet(registry.sites);
		sandbox = await startSandbox({ latencyMs: 100 });
		cluster = await startFreshCluster('e2e-queue', {
			workers: 1,
			concurrency: 2,
			omitsPackage: true,
			environment: { ...vigilance, ...internet.environment },
		});
		n8n = cluster.main;
		await installFromPage();
		const service = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
		credential = await n8n.saveCredential({ ...service, data: { ...service.data, plan: 'pro' } });
	});

	afterAll(async () => {
		await cluster?.stop();
		await internet?.close();
		await sandbox?.close();
	});

	/** Installs the package in main, as an owner does, and waits until the worker has it. */
	async function installFromPage(): Promise<void> {
		const rest = await logIn(n8n.url, n8n.login);
		await rest('POST', '/community-packages', { name });
		await until('the worker to install the package', async () => {
			const log = await cluster.workers[0]!.log();
			return log.includes(`Community package installed: ${name}`) || undefined;
		});
	}

	test('an installation from the page has reached the running worker, which screens with it', async () => {
		const workflow = await n8n.saveWorkflow(deliveredListWorkflow(credential, 'installed'));
		await n8n.publishWorkflow(workflow);
		await deliverList(n8n, 'installed', [ethereum]);
		const id = await until('the execution', async () => (await n8n.executionsOf(workflow))[0]?.id);
		const execution = await n8n.finishedExecution(id);
		expect(itemsOf(execution, screeningNodeName).map(({ json }) => json)).toEqual([
			itemOf(reportOn(ethereum, undefined, sandbox.baseUrl)),
		]);
		expect(await readStartedExecutions(cluster.workers[0]!)).toEqual([id]);
	});

	describe('with four workers and two webhook processors', () => {
		beforeAll(async () => await cluster.grow({ workers: 3, webhookProcessors: 2 }));

		const finishedExecutionsOf = async (workflow: Saved<Workflow>) =>
			Promise.all((await n8n.executionsOf(workflow)).map(({ id }) => n8n.finishedExecution(id)));

		test('starts one execution for a delivery and its repeats, whichever process they come to', async () => {
			const trigger = await startTrigger(
				n8n,
				await n8n.saveCredential(hookCredential(secrets.body)),
			);
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

			expect(await readOutcomes(n8n, trigger)).toEqual(delivered);
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
			await deliverList(n8n, 'pdf', [ethereum]);

			const [execution] = await finishedExecutionsOf(workflow);
			const begun = (await Promise.all(cluster.workers.map(readStartedExecutions))).flat();
			expect(begun).toContain(execution?.id);
			const [item] = itemsOf(execution!, screeningNodeName);
			const pdf = await n8n.binary(item!.binary!.data!);
			expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
		});

		describe('behind the MCP Server Trigger', () => {
			mcpTests(() => n8n);
		});

		test('loses no address silently and pays none twice when a worker is killed', async () => {
			sandbox.requests.length = 0;
			const lists = listsOfAddresses(8, 50);
			/** The addresses that the service has made a report on, as often as it has. */
			const screened = () =>
				sandbox.requests
					.filter(({ status }) => status === 200)
					.map(({ body }) => (body as { address: string }).address);
			const listOf = (execution: Execution) =>
				(itemsOf(execution, deliveryNodeName)[0]?.json.body as { addresses: string[] } | undefined)
					?.addresses ?? [];
			const expectReports = (execution: Execution) => {
				expect(execution.status).toBe('success');
				expect(itemsOf(execution, screeningNodeName).map(({ json }) => json)).toEqual(
					listOf(execution).map((address) => itemOf(reportOn(address, undefined, sandbox.baseUrl))),
				);
			};
			const onError = { name: 'Error Trigger', type: 'n8n-nodes-base.errorTrigger' };
			const errorWorkflow = await n8n.saveWorkflow(workflowOf('Tell', onError));
			await n8n.publishWorkflow(errorWorkflow);
			const screening = deliveredListWorkflow(credential, 'lists');
			const settings = { ...screening.settings, errorWorkflow: errorWorkflow.id };
			const workflow = await n8n.saveWorkflow({ ...screening, settings });
			await n8n.publishWorkflow(workflow);
			await Promise.all(lists.map((list) => deliverList(n8n, 'lists', list)));

			const third = async () => screened().length >= lists.flat().length / 3 || undefined;
			await until('a third of the addresses to be screened', third);
			const victim = await until('a worker at work', async () => {
				const listed = await n8n.executionsOf(workflow);
				const running = listed.filter(({ status }) => status === 'running').map(({ id }) => id);
				for (const worker of cluster.workers)
					if ((await readStartedExecutions(worker)).some((id) => running.includes(id)))
						return worker;
				return undefined;
			});
			process.kill(await victim.processId(), 'SIGKILL');
			const killed = await readStartedExecutions(victim);
			const executions = await finishedExecutionsOf(workflow);
			expect(executions).toHaveLength(lists.length);

			const failed = executions.filter(({ status }) => status === 'error');
			expect(killed).toEqual(expect.arrayContaining(failed.map(({ id }) => id)));
			expect(failed.length).toBeGreaterThan(0);
			expect(await n8n.executionsOf(errorWorkflow)).toHaveLength(failed.length);
			const others = executions.filter((execution) => !failed.includes(execution));
			for (const execution of others) expectReports(execution);
			expect(new Set(screened()).size).toBe(screened().length);

			const done = others.flatMap(listOf);
			const lost = lists.filter(([first]) => !done.includes(first!));
			expect(lost).toHaveLength(failed.length);
			const before = new Set(executions.map(({ id }) => id));
			await Promise.all(lost.map((list) => deliverList(n8n, 'lists', list)));
			const again = (await finishedExecutionsOf(workflow)).filter(({ id }) => !before.has(id));
			expect(again.flatMap(listOf).sort()).toEqual(lost.flat().sort());
			for (const execution of again) expectReports(execution);
		});
	});
});
