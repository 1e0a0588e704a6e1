/**
 * The package in queue mode, as an owner installs it from n8n's page: main passes the installation
 * on to the other processes.
 */
import { name } from '../../package.json';
import { itemsOf } from '../../tools/host/instance';
import { type Cluster, startFreshCluster } from '../../tools/host/queue/cluster';
import { logIn } from '../../tools/host/rest';
import { until } from '../../tools/host/until';
import { reportOn } from '../../sandbox/reports';
import { startSandbox } from '../../sandbox/server';
import { ethereum as address } from '../support/data/known';
import { startInternet } from '../support/servers/internet';
import { itemOf } from '../support/data/items';
import { withPackage } from '../support/n8n/package';
import {
	readStartedExecutions,
	deliveredListWorkflow,
	deliverList,
} from '../support/n8n/deliveredLists';
import { createRegistry } from '../support/servers/registry';
import { screeningNode, serviceCredential } from '../support/n8n/workflows';

test('an installation from the page reaches the running worker, which screens with it', async () => {
	const sandbox = await startSandbox();
	const registry = await createRegistry();
	const internet = await startInternet(registry.sites);
	let cluster: Cluster | undefined;
	try {
		await withPackage(async (folder) => await registry.publish(folder));
		const environment: Record<string, string> = internet.environment;
		const size = { workers: 1, concurrency: 2 };
		cluster = await startFreshCluster('e2e-queue-install', {
			...size,
			omitsPackage: true,
			environment,
		});
		const { main, workers } = cluster;
		const [worker] = workers;
		const rest = await logIn(main.url, main.login);
		await rest('POST', '/community-packages', { name });
		await until('the worker to install the package', async () => {
			const log = await worker!.log();
			return log.includes(`Community package installed: ${name}`) || undefined;
		});

		const service = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
		const credential = await main.saveCredential(service);
		const workflow = await main.saveWorkflow(deliveredListWorkflow(credential, 'lists'));
		await main.publishWorkflow(workflow);
		await deliverList(main, 'lists', [address]);
		const id = await until('the execution', async () => (await main.executionsOf(workflow))[0]?.id);
		const execution = await main.finishedExecution(id);
		expect(itemsOf(execution, screeningNode).map(({ json }) => json)).toEqual([
			itemOf(reportOn(address, undefined, sandbox.baseUrl)),
		]);
		expect(await readStartedExecutions(worker!)).toEqual([id]);
	} finally {
		await cluster?.stop();
		await internet.close();
		await sandbox.close();
	}
});
