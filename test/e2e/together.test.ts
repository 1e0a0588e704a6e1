import { type N8n, startFreshInstance } from '../../tools/host/instance';
import { itemsOf } from '../../tools/host/workflow';
import type { FaultEffect } from '../../sandbox/faults';
import { reportOn } from '../../sandbox/reports';
import { startSandbox } from '../../sandbox/server';
import { itemOf } from '../support/data/items';
import { listsOfAddresses } from '../support/n8n/deliveredLists';
import {
	screenEach,
	screeningNodeName,
	runnableWorkflow,
	serviceCredential,
} from '../support/n8n/workflows';
import { mcpTests } from './mcp';
import { withoutEditor } from '../support/n8n/environment';

// The Pro plan lets 600 addresses through in a minute, which is long for every change.
const limit = { requestsPerSecond: 40, burst: 100 };
const shareOfFaults = 0.05;
const effects: FaultEffect[] = [
	{ kind: 'answer', status: 500 },
	{ kind: 'answer', status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad</h1>' },
	{ kind: 'answer', status: 503, headers: { 'retry-after': '1' } },
	{ kind: 'reset', at: 'beforeEffect' },
	{ kind: 'reset', at: 'beforeAnswer' },
	{ kind: 'truncate' },
];

describe('in a real n8n', () => {
	let n8n: N8n;
	beforeAll(async () => {
		// n8n 2.41 waits at its end for executions of tools that failed.
		const environment = { ...withoutEditor, N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' };
		n8n = await startFreshInstance('e2e-together', { environment });
	});
	afterAll(() => n8n?.stop());

	test('20 workflows that share a key give each address its report, once, though one request in twenty fails', async () => {
		const sandbox = await startSandbox({ limit, latencyMs: 50 });
		try {
			for (const effect of effects)
				sandbox.addFault({ effect, share: shareOfFaults / effects.length });
			const { type, name, data } = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
			const custom = { ...data, plan: 'custom', ...limit };
			const credential = await n8n.saveCredential({ name, type, data: custom });
			// By default a screening whose answer was lost is sent again only once.
			const parameters = { ...screenEach, options: { maxRetries: 5 } };
			const lists = listsOfAddresses(20, 30);
			const screen = async (list: string[]) => {
				const input = list.map((address) => ({ address }));
				const workflow = runnableWorkflow(input, parameters, credential, 'continueRegularOutput');
				return await n8n.runWorkflow(await n8n.saveWorkflow(workflow));
			};
			for (const [index, execution] of (await Promise.all(lists.map(screen))).entries()) {
				const reports = lists[index]!.map((address) =>
					itemOf(reportOn(address, undefined, sandbox.baseUrl)),
				);
				expect(itemsOf(execution, screeningNodeName).map(({ json }) => json)).toEqual(reports);
			}
			const wentWell = sandbox.requests.filter(({ effect }) => effect === undefined);
			const answered = wentWell.filter(({ status }) => status === 200);
			const reported = answered.map(({ body }) => (body as { address: string }).address);
			expect(reported.sort()).toEqual(lists.flat().sort());
			const wentWrong = sandbox.requests.length - wentWell.length;
			expect(wentWrong).toBeGreaterThan((reported.length * shareOfFaults) / 2);
		} finally {
			await sandbox.close();
		}
	});

	describe('behind the MCP Server Trigger', () => {
		mcpTests(() => n8n);
	});
});
