import { randomUUID } from 'node:crypto';
import type { FaultEffect } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import {
	type Credential,
	type N8n,
	type Saved,
	startFreshInstance,
} from '../../tools/host/instance';
import { type Cluster, startFreshCluster } from '../../tools/host/queue/cluster';
import { connectMcp, type McpClient } from '../support/mcp';
import { patience, serviceCredential, using, workflowOf } from '../support/workflows';

const green = '0x7e57000000000000000000000000000000000006';
const given = "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('value', '', 'string') }}";

const operations: Record<string, Record<string, unknown>> = {
	screen: {
		resource: 'address',
		operation: 'screen',
		address: given,
		options: { maxRetries: 0 },
	},
	report: { resource: 'report', operation: 'get', reportId: given },
	list: {
		resource: 'bulkJob',
		operation: 'screenAndWait',
		addressSource: 'list',
		addresses: given,
		options: { pollInterval: 0.05, timeout: 0.01 },
	},
};

function serverWorkflow(path: string, credential: Saved<Credential>) {
	const tools = Object.entries(operations).map(([name, parameters]) => ({
		id: name,
		name,
		type: 'n8n-nodes-wallet-screening.walletScreeningTool',
		typeVersion: 1,
		position: [0, 200] as [number, number],
		parameters: { toolDescription: name, ...parameters } as never,
		credentials: using(credential),
	}));
	const server = {
		name: 'Server',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		webhookId: randomUUID(),
		parameters: { path },
	};
	const workflow = workflowOf('MCP', server);
	return {
		...workflow,
		nodes: [...workflow.nodes, ...tools],
		connections: Object.fromEntries(
			tools.map(({ name }) => [
				name,
				{ ai_tool: [[{ node: 'Server', type: 'ai_tool' as never, index: 0 }]] },
			]),
		),
	};
}

const answer = (status: number, body = '{}'): FaultEffect => ({ kind: 'answer', status, body });

/** Each class that the service can cause, with the call and the fault that causes it. */
const failures: Array<[errorClass: string, tool: string, value: string, effect?: FaultEffect]> = [
	['invalid_input', 'screen', 'two words'],
	['bad_request', 'screen', green, answer(400)],
	['unauthorized', 'screen', green, answer(401)],
	['forbidden', 'screen', green, answer(403)],
	['not_found', 'report', 'rep_0'],
	['server', 'screen', green, answer(500)],
	['network', 'screen', green, { kind: 'reset', at: 'beforeAnswer' }],
	['invalid_response', 'screen', green, answer(200, '{"risk":')],
	[
		'job_failed',
		'list',
		green,
		{ kind: 'rewrite', rewrite: (job) => ({ ...job, status: 'failed' }) },
	],
	['job_timeout', 'list', '0x7e57000000000000000000000000000000000012'],
	['missing_result', 'list', '0x7e57000000000000000000000000000000000014'],
	// The last one: it stops the key for the rest.
	[
		'rate_limited',
		'screen',
		green,
		{ kind: 'answer', status: 429, headers: { 'retry-after': '3600' }, body: '' },
	],
];

function failsAloud(start: () => Promise<{ n8n: N8n; stop: () => Promise<unknown> }>): void {
	let host: Awaited<ReturnType<typeof start>>;
	let sandbox: Sandbox;
	let client: McpClient;

	beforeAll(async () => {
		sandbox = await startSandbox({ limit: null, jobDurationMs: 0 });
		host = await start();
		const service = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
		const credential = await host.n8n.saveCredential(service);
		const path = randomUUID();
		const workflow = await host.n8n.saveWorkflow(serverWorkflow(path, credential));
		await host.n8n.publishWorkflow(workflow);
		client = await connectMcp(`${host.n8n.url}/mcp/${path}`);
	}, patience);
	afterEach(() => sandbox.clearFaults());
	afterAll(async () => {
		await client?.close();
		await host?.stop();
		await sandbox?.close();
	}, 60_000);

	const call = async (name: string, value: string) => {
		const { isError = false, content } = await client.callTool({ name, arguments: { value } });
		return { isError, text: content.map(({ text }) => text).join('\n') };
	};

	test('a green report is no error', async () => {
		const { isError, text } = await call('screen', green);
		expect(text).toContain('"level":"green"');
		expect(isError).toBe(false);
	});

	// Jest would take a fourth parameter that a row does not fill for its callback.
	test.each(failures)('%s is an error for the client', async (...failure) => {
		const [errorClass, tool, value, effect] = failure;
		if (effect) sandbox.addFault({ effect });
		const { isError, text } = await call(tool, value);
		expect(text).toMatch(/Not screened|No result/);
		expect(text).toContain(errorClass);
		expect(text).not.toContain(sandbox.keys.readWrite);
		expect(isError).toBe(true);
	});
}

/** n8n 2.41 waits at its end for executions of tools that failed. */
const environment = { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' };

describe('behind the MCP Server Trigger of n8n', () => {
	failsAloud(async () => {
		const n8n = await startFreshInstance('e2e-mcp', { environment });
		return { n8n, stop: n8n.stop };
	});
});

describe('behind the MCP Server Trigger of n8n in queue mode', () => {
	failsAloud(async () => {
		const cluster: Cluster = await startFreshCluster('e2e-mcp-queue', {
			workers: 1,
			concurrency: 2,
			environment,
		});
		return { n8n: cluster.main, stop: cluster.stop };
	});
});
