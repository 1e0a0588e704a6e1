import { type Cluster, startFreshCluster } from '../../tools/host/queue/cluster';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import type { N8n } from '../../tools/host/instance';
import { itemsOf, requireSuccess } from '../../tools/host/workflow';
import {
	deliveredListWorkflow,
	deliverList,
	listsOfAddresses,
} from '../support/n8n/deliveredLists';
import { screeningNodeName, serviceCredential } from '../support/n8n/workflows';
import { minSeconds } from './measureScreening';
import { formatCount, type Row } from './row';

const listCount = 8;
const listLength = 125;
const addressCount = listCount * listLength;
const workerCount = 4;
const latencyMs = 100;

/** A setting of the credential that is measured. */
interface SharedBySetting {
	/** The setting in words. */
	how: string;
	/** The field Shared By of the credential; if absent, the nodes estimate it. */
	sharedBy?: number;
	meaning: string;
}

const settings: SharedBySetting[] = [
	{
		how: 'with Shared By',
		sharedBy: workerCount,
		meaning: 'Set Shared By to the number of workers.',
	},
	{ how: 'without Shared By', meaning: 'If you do not know the number of workers.' },
];

/** Measures rows about n8n in queue mode: workers share a key, and do not communicate. */
export async function queueRows(): Promise<Row[]> {
	const rows: Row[] = [];
	for (const setting of settings) rows.push(await workersRow(setting));
	return rows;
}

async function workersRow({ how, sharedBy, meaning }: SharedBySetting): Promise<Row> {
	const minimum = minSeconds(addressCount);
	const requests = await withCluster(async ({ main }, sandbox) => {
		await screenLists(main, sandbox, sharedBy);
		return sandbox.requests;
	});
	// The time is that between the first request and the last one, as the limit counts. The start and
	// the end of n8n's executions are not in it.
	const seconds = (requests.at(-1)!.at - requests[0]!.at) / 1000;
	const refused = requests.filter(({ status }) => status === 429).length;
	const percentRefused = (100 * refused) / requests.length;
	return {
		name: `Screen ${formatCount(addressCount)} addresses in queue mode ${how}: ${workerCount} workers, ${listCount} executions, one key on the Pro plan, ${latencyMs} ms latency`,
		// `screenLists` throws if an address is lost.
		measured: `${seconds.toFixed(1)} s, ${percentRefused.toFixed(1)} % answered 429, none lost`,
		against: `the shortest time that the limit allows: ${minimum.toFixed(1)} s`,
		ratio: seconds / minimum,
		meaning,
	};
}

/** Calls `work` with a fresh n8n in queue mode and a sandbox, which are stopped afterwards. */
async function withCluster<T>(
	work: (cluster: Cluster, sandbox: Sandbox) => Promise<T>,
): Promise<T> {
	const sandbox = await startSandbox({ latencyMs });
	try {
		const cluster = await startFreshCluster('bench-queue', {
			workers: workerCount,
			concurrency: 2,
		});
		try {
			return await work(cluster, sandbox);
		} finally {
			await cluster.stop();
		}
	} finally {
		await sandbox.close();
	}
}

/**
 * Screens all lists at once, each in an execution.
 *
 * @throws unless each address has a report, and the service answered each once
 */
async function screenLists(n8n: N8n, sandbox: Sandbox, sharedBy?: number): Promise<void> {
	const lists = listsOfAddresses(listCount, listLength);
	const path = 'bench';
	const unlimited = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
	const data = { ...unlimited.data, plan: 'pro', ...(sharedBy && { sharedBy }) };
	const credential = await n8n.saveCredential({ ...unlimited, data });
	const workflow = await n8n.saveWorkflow(deliveredListWorkflow(credential, path));
	await n8n.publishWorkflow(workflow);
	await Promise.all(lists.map((list) => deliverList(n8n, path, list)));

	const listed = await n8n.executionsOf(workflow);
	const executions = await Promise.all(listed.map(({ id }) => n8n.finishedExecution(id)));
	executions.forEach(requireSuccess);
	const reports = executions.flatMap((execution) => itemsOf(execution, screeningNodeName));
	const answered = sandbox.requests.filter(({ status }) => status === 200).length;
	const lost = new Set(lists.flat());
	for (const { json } of reports) lost.delete(String(json.address));
	if (lost.size > 0 || reports.length !== addressCount || answered !== addressCount)
		throw new Error(`${addressCount} addresses: ${reports.length} reports, ${answered} answered`);
}
