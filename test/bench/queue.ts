import { startFreshCluster } from '../../tools/host/queue/cluster';
import { startSandbox } from '../../sandbox/server';
import { itemsOf } from '../../tools/host/instance';
import { deliveredListWorkflow, deliverList, listsOfAddresses } from '../support/queueDeliveries';
import { screeningNode, serviceCredential } from '../support/workflows';
import type { Row } from './bench';

/** Rows about n8n in queue mode: workers that share a key without talking to each other. */
export async function queueRows(): Promise<Row[]> {
	return [
		await fourWorkers('with Shared By', {
			sharedBy: 4,
			meaning: 'Set Shared By to the number of workers.',
		}),
		await fourWorkers('without Shared By', {
			meaning: 'If you do not know the number of workers.',
		}),
		await fourWorkers('without Shared By, the service says in headers what is left', {
			rateLimitHeaders: true,
			meaning: 'Some services send these headers. Then the workers need no setting.',
		}),
	];
}

interface Setting {
	sharedBy?: number;
	rateLimitHeaders?: boolean;
	meaning: string;
}

async function fourWorkers(
	how: string,
	{ sharedBy, rateLimitHeaders = false, meaning }: Setting,
): Promise<Row> {
	const lists = listsOfAddresses(8, 125);
	const limit = (1000 - 50) / 10;
	const path = 'bench';
	const sandbox = await startSandbox({ latencyMs: 100, rateLimitHeaders });
	const cluster = await startFreshCluster('bench-queue', { workers: 4, concurrency: 2 });
	try {
		const { main } = cluster;
		const { name, type, data } = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
		const credential = await main.saveCredential({
			name,
			type,
			data: { ...data, plan: 'pro', ...(sharedBy && { sharedBy }) },
		});
		const workflow = await main.saveWorkflow(deliveredListWorkflow(credential, path));
		await main.publishWorkflow(workflow);
		await Promise.all(lists.map((list) => deliverList(main, path, list)));

		const listed = await main.executionsOf(workflow);
		const executions = await Promise.all(listed.map(({ id }) => main.finishedExecution(id)));
		const reports = executions
			.flatMap((execution) => itemsOf(execution, screeningNode))
			.map(({ json }) => String(json.address));
		const answered = sandbox.requests
			.filter(({ status }) => status === 200)
			.map(({ body }) => (body as { address: string }).address);
		const lost = new Set(lists.flat());
		for (const address of reports) lost.delete(address);
		if (lost.size > 0 || reports.length !== 1000 || answered.length !== 1000)
			throw new Error(`1,000 addresses: ${reports.length} reports, ${answered.length} answered`);
		const times = sandbox.requests.map(({ at }) => at);
		const seconds = (times.at(-1)! - times[0]!) / 1000;
		const refused = sandbox.requests.filter(({ status }) => status === 429).length;
		const share = (100 * refused) / sandbox.requests.length;
		return {
			name: `Queue mode, 4 workers, 8 executions of 125 addresses, one key on the Pro plan, 100 ms latency, Screen, ${how}`,
			measured: `${seconds.toFixed(1)} s, ${share.toFixed(1)} % answered 429, 0 lost`,
			against: `the least that the limit allows: ${limit.toFixed(1)} s`,
			ratio: seconds / limit,
			meaning,
		};
	} finally {
		await cluster.stop();
		await sandbox.close();
	}
}
