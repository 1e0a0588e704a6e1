import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { scenarioAddress } from '../../sandbox/scenarios';
import type { FaultEffect } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import type { N8n } from '../../tools/host/instance';
import type { Credential, Saved } from '../../tools/host/workflow';
import { answerFault } from '../support/data/faults';
import { connectMcp, type McpClient } from '../support/n8n/mcpClient';
import {
	connectInRow,
	screenEach,
	screeningNode,
	serviceCredential,
	workflowOf,
} from '../support/n8n/workflows';

const green = scenarioAddress('harmless');
const given = "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('value', '', 'string') }}";

const fiveFields = ['address', 'level', 'outcome', 'score', 'report_id'];

const operations: Record<string, Record<string, unknown>> = {
	screen: { ...screenEach, address: given, options: { maxRetries: 0 } },
	fiveFields: {
		...screenEach,
		address: given,
		addDecision: true,
		output: 'selected',
		outputFields: fiveFields,
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
	const type = 'n8n-nodes-wallet-screening.walletScreeningTool';
	const tools = Object.entries(operations).flatMap(([name, parameters]) => {
		const given = { toolDescription: name, ...parameters } as INodeParameters;
		return connectInRow(screeningNode(credential, given, { name, type })).nodes;
	});
	const server = {
		name: 'Server',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		webhookId: randomUUID(),
		parameters: { path },
	};
	const workflow = workflowOf('MCP', server);
	const toServer = { ai_tool: [[{ node: 'Server', type: 'ai_tool' as never, index: 0 }]] };
	return {
		...workflow,
		nodes: [...workflow.nodes, ...tools],
		connections: Object.fromEntries(tools.map(({ name }) => [name, toServer])),
	};
}

const failed: FaultEffect = { kind: 'rewrite', rewrite: (job) => ({ ...job, status: 'failed' }) };

/** For each class of error that the service can cause: the call, and the fault that leads to it. */
const failures: Array<[errorClass: string, tool: string, value: string, effect?: FaultEffect]> = [
	['invalid_input', 'screen', 'two words'],
	['bad_request', 'screen', green, answerFault(400)],
	['unauthorized', 'screen', green, answerFault(401)],
	['forbidden', 'screen', green, answerFault(403)],
	['not_found', 'report', 'rep_0'],
	['server', 'screen', green, answerFault(500)],
	['network', 'screen', green, { kind: 'reset', at: 'beforeAnswer' }],
	['invalid_response', 'screen', green, answerFault(200, '{"risk":')],
	['job_failed', 'list', green, failed],
	['job_timeout', 'list', scenarioAddress('slow')],
	['missing_result', 'list', scenarioAddress('missingInBulk')],
	// The last one: it stops the key for the rest.
	['rate_limited', 'screen', green, answerFault(429, '', { 'retry-after': '3600' })],
];

/** @param n8nOf the n8n, once it has started */
export function mcpTests(n8nOf: () => N8n): void {
	let sandbox: Sandbox;
	let client: McpClient;

	beforeAll(async () => {
		sandbox = await startSandbox({ limit: null, jobDurationMs: 0 });
		const n8n = n8nOf();
		const service = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
		const credential = await n8n.saveCredential(service);
		const path = randomUUID();
		const workflow = await n8n.saveWorkflow(serverWorkflow(path, credential));
		await n8n.publishWorkflow(workflow);
		client = await connectMcp(`${n8n.url}/mcp/${path}`);
	});
	afterEach(() => sandbox.clearFaults());
	afterAll(async () => {
		await client?.close();
		await sandbox?.close();
	});

	const call = async (name: string, value: string) => {
		const { isError = false, content } = await client.callTool({ name, arguments: { value } });
		return { isError, text: content.map(({ text }) => text).join('\n') };
	};

	test('a green report is no error', async () => {
		const { isError, text } = await call('screen', green);
		expect(text).toContain('"level":"green"');
		expect(isError).toBe(false);
	});

	test('an agent gets the fields that its user selected, and not the whole report', async () => {
		const { text } = await call('fiveFields', green);
		const [item] = JSON.parse(text) as [object];
		expect(Object.keys(item).sort()).toEqual([...fiveFields].sort());
	});

	// Jest would take a fourth parameter that a row does not fill for its callback.
	test.each(failures)('%s is an error for the client', async (...failure) => {
		const [errorClass, tool, value, effect] = failure;
		if (effect) sandbox.addFault({ effect });
		const { isError, text } = await call(tool, value);
		expect(text).toContain(errorClass);
		expect(text).not.toContain(sandbox.keys.readWrite);
		expect(isError).toBe(true);
	});
}
