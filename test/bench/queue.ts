import { type Cluster, startFreshCluster } from '../../tools/host/queue/cluster';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { itemsOf, type N8n, requireSuccess } from '../../tools/host/instance';
import {
	deliveredListWorkflow,
	deliverList,
	listsOfAddresses,
} from '../support/n8n/deliveredLists';
import { screeningNodeName, serviceCredential } from '../support/n8n/workflows';
import { shortestSeconds } from './measureScreening';
import { formatCount, type Row } from './row';

const listCount = 8;
const listLength = 125;
const addressCount = listCount * listLength;
const workers = 4;
const latencyMs = 100;

interface Setting {
	how: string;
	/** The field Shared By of the credential; if absent, the nodes estimate it. */
	sharedBy?: number;
	meaning: string;
}

const settings: Setting[] = [
	{ how: 'with Shared By', sharedBy: workers, meaning: 'Set Shared By to the number of workers.' },
	{ how: 'without Shared By', meaning: 'If you do not know the number of workers.' },
];

/** Measures rows about n8n in queue mode: workers share a key, and do not communicate. */
export async function queueRows(): Promise<Row[]> {
	const rows: Row[] = [];
	for (const setting of settings) rows.push(await workersRow(setting));
	return rows;
}

async function workersRow({ how, sharedBy, meaning }: Setting): Promise<Row> {
	const shortest = shortestSeconds(addressCount);
	const requests = await withCluster(async ({ main }, sandbox) => {
		await screenLists(main, sandbox, sharedBy);
		return sandbox.requests;
	});
	// From the first request to the last, as the limit counts: n8n's own start and end are left out.
	const seconds = (requests.at(-1)!.at - requests[0]!.at) / 1000;
	const refused = requests.filter(({ status }) => status === 429).length;
	const percentRefused = (100 * refused) / requests.length;
	return {
		name: `Screen ${formatCount(addressCount)} addresses in queue mode ${how}: ${workers} workers, ${listCount} executions, one key on the Pro plan, ${latencyMs} ms latency`,
		// `screenLists` throws if an address is lost.
		measured: `${seconds.toFixed(1)} s, ${percentRefused.toFixed(1)} % answered 429, none lost`,
		against: `the shortest time that the limit allows: ${shortest.toFixed(1)} s`,
		ratio: seconds / shortest,
		meaning,
	};
}

/** Calls `work` with a fresh n8n in queue mode and a sandbox, which are stopped afterwards. */
async function withCluster<T>(
	work: (cluster: Cluster, sandbox: Sandbox) => Promise<T>,
): Promise<T> {
	const sandbox = await startSandbox({ latencyMs });
	try {
		const cluster = await startFreshCluster('bench-queue', { workers, concurrency: 2 });
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
	const plain = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
	const data = { ...plain.data, plan: 'pro', ...(sharedBy && { sharedBy }) };
	const credential = await n8n.saveCredential({ ...plain, data });
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
