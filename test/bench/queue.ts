import { startFreshCluster } from '../../tools/host/queue/cluster';
import { startSandbox } from '../../sandbox/server';
import { itemsOf } from '../../tools/host/instance';
import {
	deliveredListWorkflow,
	deliverList,
	listsOfAddresses,
} from '../support/n8n/deliveredLists';
import { screeningNode, serviceCredential } from '../support/n8n/workflows';
import { type Row, shortestSeconds } from './bench';

const settings = [
	{ how: 'with Shared By', sharedBy: 4, meaning: 'Set Shared By to the number of workers.' },
	{ how: 'without Shared By', meaning: 'If you do not know the number of workers.' },
];

/** Rows on n8n in queue mode: workers that share a key, and know nothing of each other. */
export async function queueRows(): Promise<Row[]> {
	const rows: Row[] = [];
	for (const setting of settings) rows.push(await fourWorkers(setting));
	return rows;
}

async function fourWorkers(setting: (typeof settings)[number]): Promise<Row> {
	const { how, sharedBy, meaning } = setting;
	const lists = listsOfAddresses(8, 125);
	const limit = shortestSeconds(1000);
	const path = 'bench';
	const sandbox = await startSandbox({ latencyMs: 100 });
	const { requests } = sandbox;
	const cluster = await startFreshCluster('bench-queue', { workers: 4, concurrency: 2 });
	try {
		const { main } = cluster;
		const plain = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
		const data = { ...plain.data, plan: 'pro', ...(sharedBy && { sharedBy }) };
		const credential = await main.saveCredential({ ...plain, data });
		const workflow = await main.saveWorkflow(deliveredListWorkflow(credential, path));
		await main.publishWorkflow(workflow);
		await Promise.all(lists.map((list) => deliverList(main, path, list)));

		const listed = await main.executionsOf(workflow);
		const executions = await Promise.all(listed.map(({ id }) => main.finishedExecution(id)));
		const reports = executions.flatMap((execution) => itemsOf(execution, screeningNode));
		const answered = requests.filter(({ status }) => status === 200).length;
		const lost = new Set(lists.flat());
		for (const { json } of reports) lost.delete(String(json.address));
		if (lost.size > 0 || reports.length !== 1000 || answered !== 1000)
			throw new Error(`1,000 addresses: ${reports.length} reports, ${answered} answered`);
		const seconds = (requests.at(-1)!.at - requests[0]!.at) / 1000;
		const refused = requests.filter(({ status }) => status === 429).length;
		const share = (100 * refused) / requests.length;
		return {
			name: `Screen 1,000 addresses in queue mode ${how}: 4 workers, 8 executions, one key on the Pro plan, 100 ms latency`,
			measured: `${seconds.toFixed(1)} s, ${share.toFixed(1)} % answered 429, none lost`,
			against: `the shortest time that the limit allows: ${limit.toFixed(1)} s`,
			ratio: seconds / limit,
			meaning,
		};
	} finally {
		await cluster.stop();
		await sandbox.close();
	}
}
