import type { IDataObject } from 'n8n-workflow';
import { type N8n, startFreshInstance } from '../../tools/host/instance';
import { type Execution, itemsOf, requireSuccess } from '../../tools/host/workflow';
import { proPlan } from '../../sandbox/rateLimit';
import { reportOn } from '../../sandbox/reports';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server';
import { numberedAddresses, numberedAddress } from '../support/data/addresses';
import { startNode, credentialsOf, workflowOf } from '../support/n8n/workflows';
import { screenedAddresses } from '../support/templates/screenedAddresses';
import { httpRequest, httpRequestNode, walletScreening } from './contenders';
import { watchMemory } from './residentMemory';

/** What is measured: a workflow that screens a list of addresses. */
export interface ScreeningSetup {
	addressCount: number;
	/**
	 * How many of the reports are not green. If it is absent, the addresses are taken as they come.
	 * `addressCount` is a multiple of it.
	 */
	notGreenCount?: number;
	sandbox: SandboxOptions;
	/** The parameters of this package's node. */
	parameters?: IDataObject;
	/** The plan in the credential, `pro` by default. */
	plan?: 'pro' | 'enterprise';
	/** The node that screens: n8n's HTTP Request node, or this package's node if absent. */
	node?: 'httpRequest';
	watchMemory?: boolean;
}

/** The figures of a measurement. */
export interface ScreeningFigures {
	/** The time of the node, as n8n measured it. */
	nodeMs: number;
	/** The number of items with a report. */
	reportCount: number;
	/** The addresses of all requests that succeeded, each as often as it was sent. */
	answeredAddresses: string[];
	/** Peak memory of n8n above its level before the run; 0 unless it was watched. */
	memoryBytes: number;
}

/** Measures a screening in a running n8n. */
export type MeasureScreening = (setup: ScreeningSetup) => Promise<ScreeningFigures>;

/** Returns the shortest time in which the limit of the Pro plan lets so many requests through. */
export const minSeconds = (requestCount: number) =>
	(requestCount - proPlan.burst) / proPlan.requestsPerSecond;

/** Starts a fresh n8n for the measurements of `work`, and stops it afterwards. */
export async function withFreshN8n<T>(work: (measure: MeasureScreening) => Promise<T>): Promise<T> {
	const n8n = await startFreshInstance('bench');
	try {
		return await work(async (setup) => await measureIn(n8n, setup));
	} finally {
		await n8n.stop();
	}
}

/**
 * @throws unless the service answered that many addresses, each of them once, and that many reports
 * came back
 */
export function expectAllReports(
	{ reportCount, answeredAddresses }: ScreeningFigures,
	{ addresses, reports }: { addresses: number; reports: number },
): void {
	const answered = answeredAddresses.length;
	const distinct = new Set(answeredAddresses).size;
	if (reportCount !== reports || answered !== addresses || distinct !== addresses) {
		throw new Error(
			`${addresses} addresses: ${reportCount} reports instead of ${reports}, ${answered} answered, ${distinct} distinct`,
		);
	}
}

/**
 * Returns addresses. The sandbox reports `notGreenCount` of them as not green, spread over the list.
 * `count` is a multiple of it.
 */
function createMixedAddresses(count: number, notGreenCount: number): string[] {
	const list: string[] = [];
	for (let index = 0; list.length < count; index++) {
		const address = numberedAddress(index);
		const isNotGreen = reportOn(address, undefined, '').risk.level !== 'green';
		// E.g. if one address in 100 is not green, it is the first of each hundred.
		const nextIsNotGreen = list.length % (count / notGreenCount) === 0;
		if (isNotGreen === nextIsNotGreen) list.push(address);
	}
	return list;
}

/**
 * Serves a list of addresses at a path of the sandbox. The node before the measured one reads it
 * there, and makes an item of each entry. If the list were pinned to that node instead, n8n would
 * store it with each execution. The sandbox calls every prescribed answer a fault, also this one.
 *
 * @returns the URL of the list
 */
function serveAddresses(sandbox: Sandbox, addresses: readonly string[]): string {
	const body = JSON.stringify(addresses.map((address) => ({ address })));
	const headers = { 'content-type': 'application/json' };
	sandbox.addFault({
		when: ({ path }) => path === '/addresses',
		effect: { kind: 'answer', status: 200, headers, body },
	});
	return `${sandbox.baseUrl}/addresses`;
}

async function measureIn(n8n: N8n, setup: ScreeningSetup): Promise<ScreeningFigures> {
	const { addressCount, notGreenCount } = setup;
	const addresses =
		notGreenCount === undefined
			? numberedAddresses(addressCount)
			: createMixedAddresses(addressCount, notGreenCount);
	const sandbox = await startSandbox(setup.sandbox);
	try {
		const { parameters = {}, plan = 'pro' } = setup;
		const contender =
			setup.node === 'httpRequest'
				? httpRequest(sandbox)
				: walletScreening(sandbox, parameters, plan);
		const saved = await n8n.saveCredential(contender.credential);
		const node = { ...contender.node, credentials: credentialsOf(saved) };
		const listUrl = serveAddresses(sandbox, addresses);
		const readList = httpRequestNode('Addresses', { url: listUrl, options: {} });
		const workflow = await n8n.saveWorkflow(workflowOf('Bench', startNode, readList, node));
		const readPeak = setup.watchMemory ? await watchMemory(await n8n.processId()) : () => 0;
		const id = await n8n.startExecution(workflow);
		await n8n.untilEnded(id);
		const memoryBytes = await readPeak();
		// n8n loads all data of the execution for this, which must not count as memory of the run.
		const execution = await n8n.finishedExecution(id);
		requireSuccess(execution);
		const succeeded = sandbox.requests.filter(({ status }) => status !== null && status < 300);
		const answeredAddresses = screenedAddresses(succeeded);
		return { ...readRun(execution, node.name), answeredAddresses, memoryBytes };
	} finally {
		await sandbox.close();
	}
}

/** Reads how long a node took, and how many reports it passed on. */
function readRun(
	execution: Execution,
	node: string,
): Pick<ScreeningFigures, 'nodeMs' | 'reportCount'> {
	// This package's node puts the report into a field. HTTP Request passes it on unchanged.
	const reports = itemsOf(execution, node).filter(
		({ json: { report, ...json } }) => 'report_id' in Object(report ?? json),
	);
	const [run] = execution.data.resultData.runData[node] ?? [];
	if (!run) throw new Error(`The node ${node} did not run`);
	return { nodeMs: run.executionTime, reportCount: reports.length };
}
