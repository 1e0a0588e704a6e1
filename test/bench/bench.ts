import { readFile } from 'node:fs/promises';
import type { IDataObject, INode } from 'n8n-workflow';
import { type Execution, itemsOf, type N8n, startFreshInstance } from '../../tools/host/instance';
import { proPlan } from '../../sandbox/rateLimit';
import { reportOn } from '../../sandbox/reports';
import { type RequestRecord, type SandboxOptions, startSandbox } from '../../sandbox/server';
import { addressesOf, addressNumber } from '../support/data/addresses';
import { type PlainNode, start, using, workflowOf } from '../support/n8n/workflows';

/** A row of the table: a figure, and another one of the same run with which it is compared. */
export interface Row {
	name: string;
	measured: string;
	against: string;
	/**
	 * The first figure divided by the second. A ratio below 1 is better, unless the name of the row has "more is better".
	 * Undefined without a second figure.
	 */
	ratio: number | undefined;
	/** What the row means for a user of the nodes; it names no figure. */
	meaning: string;
}

/**
 * A workflow over many addresses: this package's node with `parameters`, or n8n's HTTP Request node
 * with its options.
 */
export interface Measurement {
	addresses: number;
	/** The number of addresses whose reports are not green; by chance if absent. */
	notGreen?: number;
	sandbox: SandboxOptions;
	parameters?: IDataObject;
	plan?: 'pro' | 'enterprise';
	httpRequest?: IDataObject;
	watchMemory?: boolean;
}

export interface Run {
	/** The time of the node, as n8n measured it. */
	nodeMs: number;
	/** The number of items with a report. */
	reports: number;
	/** The addresses of all requests that succeeded, each as often as it was sent. */
	answered: string[];
	/** Peak memory of n8n above its level before the run. */
	memoryBytes: number;
}

/** Makes a measurement in the n8n of the bench. */
export type Bench = (measurement: Measurement) => Promise<Run>;

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] as number;
}

/** The shortest time in which the limit of the Pro plan lets so many requests through. */
export const shortestSeconds = (requests: number) =>
	(requests - proPlan.burst) / proPlan.requestsPerSecond;

/** Milliseconds that `work` takes, the median of some rounds. */
export function medianMs(rounds: number, work: () => unknown): number {
	const times = Array.from({ length: rounds }, () => {
		const start = performance.now();
		work();
		return performance.now() - start;
	});
	return median(times);
}

export const inSeconds = (ms: number, digits = 2) => `${(ms / 1000).toFixed(digits)} s`;

/** Calls `work` with a fresh n8n, which is stopped afterwards. */
export async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
	const n8n = await startFreshInstance('bench');
	try {
		return await work(async (measurement) => await measure(n8n, measurement));
	} finally {
		await n8n.stop();
	}
}

/**
 * @param expected the number of reports, if the node leaves some out
 * @throws unless the service answered each of `count` addresses once, and all expected reports came
 * back
 */
export function expectAll({ reports, answered }: Run, count: number, expected = count) {
	const distinct = new Set(answered).size;
	if (reports !== expected || answered.length !== count || distinct !== count) {
		throw new Error(
			`${count} addresses: ${reports} reports, ${answered.length} answered, ${distinct} distinct`,
		);
	}
}

/**
 * A list of addresses. The sandbox reports `notGreen` of them as not green, spread over the list.
 */
function mixture(count: number, notGreen: number): string[] {
	const list: string[] = [];
	let notGreenSoFar = 0;
	for (let index = 0; list.length < count; index++) {
		const address = addressNumber(index);
		const isGreen = reportOn(address, undefined, '').risk.level === 'green';
		const wantsNotGreen = notGreenSoFar / notGreen <= list.length / count;
		if (isGreen === wantsNotGreen) continue;
		list.push(address);
		if (!isGreen) notGreenSoFar++;
	}
	return list;
}

async function measure(n8n: N8n, measurement: Measurement): Promise<Run> {
	const sandbox = await startSandbox(measurement.sandbox);
	const { addresses: count, notGreen, plan = 'pro' } = measurement;
	const list = notGreen === undefined ? addressesOf(count) : mixture(count, notGreen);
	// A list of addresses for n8n's HTTP Request node, which makes an item of each entry.
	const body = JSON.stringify(list.map((address) => ({ address })));
	const headers = { 'content-type': 'application/json' };
	sandbox.addFault({
		when: ({ path }) => path === '/addresses',
		effect: { kind: 'answer', status: 200, headers, body },
	});
	try {
		const { baseUrl, keys } = sandbox;
		const apiKey = keys.readWrite;
		const credential = measurement.httpRequest
			? { type: 'httpHeaderAuth', data: { name: 'Authorization', value: `Bearer ${apiKey}` } }
			: { type: 'walletScreeningApi', data: { apiKey, baseUrl, plan } };
		const saved = await n8n.saveCredential({ name: 'Bench', ...credential });
		const addresses = httpRequest('Addresses', { url: `${baseUrl}/addresses`, options: {} });
		const node = { ...nodeOf(measurement, baseUrl), credentials: using(saved) };
		const workflow = await n8n.saveWorkflow(workflowOf('Bench', start, addresses, node));
		const memory = measurement.watchMemory ? watchMemory(await n8n.processId()) : undefined;
		const execution = await n8n.runWorkflow(workflow);
		const memoryBytes = (await memory?.stop()) ?? 0;
		const answered = answeredAddresses(sandbox.requests);
		return { ...countReports(execution, node.name), answered, memoryBytes };
	} finally {
		await sandbox.close();
	}
}

/** Counts the reports that a node passed on, and reads its time. */
function countReports(execution: Execution, node: string): Pick<Run, 'nodeMs' | 'reports'> {
	// The node has the report under `report`; HTTP Request has it as it came.
	const reports = itemsOf(execution, node).filter(
		({ json: { report, ...json } }) => 'report_id' in Object(report ?? json),
	);
	const [run] = execution.data.resultData.runData[node] ?? [];
	return { nodeMs: run?.executionTime ?? NaN, reports: reports.length };
}

/** The addresses of all requests that succeeded, each as often as it was sent. */
function answeredAddresses(requests: readonly RequestRecord[]): string[] {
	const succeeded = requests.filter(
		({ status, method }) => method === 'POST' && status !== null && status < 300,
	);
	return succeeded.flatMap(({ body }) => {
		const { address, addresses } = body as { address?: string; addresses?: string[] };
		return addresses ?? [address as string];
	});
}

const httpRequest = (name: string, parameters: IDataObject): PlainNode => ({
	name,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: parameters as INode['parameters'],
});

function nodeOf(
	{ httpRequest: options, parameters = {} }: Measurement,
	baseUrl: string,
): PlainNode {
	const name = 'Measured';
	if (!options) {
		const type = 'n8n-nodes-wallet-screening.walletScreening';
		return { name, type, parameters: parameters as INode['parameters'] };
	}
	const given = {
		method: 'POST',
		url: `${baseUrl}/v1/screen`,
		options,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendBody: true,
		bodyParameters: { parameters: [{ name: 'address', value: '={{ $json.address }}' }] },
	};
	return { ...httpRequest(name, given), onError: 'continueRegularOutput' };
}

/** Looks at the resident memory of a process every 20 ms. */
function watchMemory(pid: number) {
	const level = residentBytes(pid);
	let peak = 0;
	const look = async () => {
		peak = Math.max(peak, await residentBytes(pid));
	};
	const timer = setInterval(() => void look(), 20);
	return {
		async stop() {
			clearInterval(timer);
			await look();
			return peak - (await level);
		},
	};
}

async function residentBytes(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}
