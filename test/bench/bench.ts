import { readFile } from 'node:fs/promises';
import type { IDataObject, INode } from 'n8n-workflow';
import { type Execution, itemsOf, type N8n, startFreshInstance } from '../../tools/host/instance';
import { proPlan } from '../../sandbox/rateLimit';
import { reportOn } from '../../sandbox/reports';
import {
	type RequestRecord,
	type Sandbox,
	type SandboxOptions,
	startSandbox,
} from '../../sandbox/server';
import { addressesOf, addressNumber } from '../support/data/addresses';
import { type PlainNode, start, using, workflowOf } from '../support/n8n/workflows';

/**
 * What to measure: a workflow that screens a list of addresses with this package's node or, if
 * `httpRequest` is given, with n8n's HTTP Request node.
 */
export interface Measurement {
	/** The number of addresses. */
	addresses: number;
	/** How many of the addresses have reports that are not green; by chance if absent. */
	notGreen?: number;
	sandbox: SandboxOptions;
	/** The parameters of this package's node. */
	parameters?: IDataObject;
	/** The plan in the credential, `pro` by default. */
	plan?: 'pro' | 'enterprise';
	/** The options of the HTTP Request node. */
	httpRequest?: IDataObject;
	watchMemory?: boolean;
}

/** What a measurement found. */
export interface Run {
	/** The time of the node, as n8n measured it. */
	nodeMs: number;
	/** The number of items with a report. */
	reports: number;
	/** The addresses of all requests that succeeded, each as often as it was sent. */
	answered: string[];
	/** Peak memory of n8n above its level before the run; 0 unless it was watched. */
	memoryBytes: number;
}

/** Makes a measurement in the n8n of the bench. */
export type Bench = (measurement: Measurement) => Promise<Run>;

/** The shortest time in which the limit of the Pro plan lets that many requests through. */
export const shortestSeconds = (requests: number) =>
	(requests - proPlan.burst) / proPlan.requestsPerSecond;

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
			`${count} addresses: ${reports} reports instead of ${expected}, ${answered.length} answered, ${distinct} distinct`,
		);
	}
}

/** Lists addresses. The sandbox reports `notGreen` of them as not green, spread over the list. */
function listMixedAddresses(count: number, notGreen: number): string[] {
	const list: string[] = [];
	let notGreenSoFar = 0;
	for (let index = 0; list.length < count; index++) {
		const address = addressNumber(index);
		const isNotGreen = reportOn(address, undefined, '').risk.level !== 'green';
		// The next address is one that is not green if the list has too few of them, else a green one.
		const hasTooFew = notGreenSoFar / notGreen <= list.length / count;
		if (isNotGreen === hasTooFew) {
			list.push(address);
			if (isNotGreen) notGreenSoFar++;
		}
	}
	return list;
}

/**
 * Serves a list of addresses at a path of the sandbox. The node before the measured one reads it
 * there, and makes an item of each entry.
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

async function measure(n8n: N8n, measurement: Measurement): Promise<Run> {
	const { addresses: count, notGreen, plan = 'pro' } = measurement;
	const list = notGreen === undefined ? addressesOf(count) : listMixedAddresses(count, notGreen);
	const sandbox = await startSandbox(measurement.sandbox);
	try {
		const { baseUrl, keys } = sandbox;
		const apiKey = keys.readWrite;
		const credential = measurement.httpRequest
			? { type: 'httpHeaderAuth', data: { name: 'Authorization', value: `Bearer ${apiKey}` } }
			: { type: 'walletScreeningApi', data: { apiKey, baseUrl, plan } };
		const saved = await n8n.saveCredential({ name: 'Bench', ...credential });
		const listUrl = serveAddresses(sandbox, list);
		const readList = httpRequest('Addresses', { url: listUrl, options: {} });
		const node = { ...nodeOf(measurement, baseUrl), credentials: using(saved) };
		const workflow = await n8n.saveWorkflow(workflowOf('Bench', start, readList, node));
		const memory = measurement.watchMemory ? await watchMemory(await n8n.processId()) : undefined;
		const execution = await n8n.runWorkflow(workflow).finally(() => memory?.stop());
		const memoryBytes = (await memory?.readPeak()) ?? 0;
		const answered = listAnswered(sandbox.requests);
		return { ...readRun(execution, node.name), answered, memoryBytes };
	} finally {
		await sandbox.close();
	}
}

/** Reads how long a node took, and how many reports it passed on. */
function readRun(execution: Execution, node: string): Pick<Run, 'nodeMs' | 'reports'> {
	// This package's node puts the report into a field. HTTP Request passes it on unchanged.
	const reports = itemsOf(execution, node).filter(
		({ json: { report, ...json } }) => 'report_id' in Object(report ?? json),
	);
	const [run] = execution.data.resultData.runData[node] ?? [];
	return { nodeMs: run?.executionTime ?? NaN, reports: reports.length };
}

/** Lists the addresses of all requests that succeeded, each as often as it was sent. */
function listAnswered(requests: readonly RequestRecord[]): string[] {
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

/** Returns the measured node. */
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

const memoryLookMs = 20;

/** Watches the resident memory of a process. */
async function watchMemory(pid: number) {
	const before = await readResidentBytes(pid);
	let peak = 0;
	const look = async () => {
		peak = Math.max(peak, await readResidentBytes(pid));
	};
	// If n8n ends meanwhile, the run fails, and tells more than this.
	const timer = setInterval(() => void look().catch(() => {}), memoryLookMs);
	return {
		stop: () => clearInterval(timer),
		/** @returns the peak, in bytes above the level at the beginning */
		async readPeak(): Promise<number> {
			await look();
			return peak - before;
		},
	};
}

async function readResidentBytes(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}
