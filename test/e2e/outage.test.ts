import { type Execution, itemsOf, type N8n, startFreshInstance } from '../../tools/host/instance';
import { until } from '../../tools/host/until';
import type { FaultEffect } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { addressesOf } from '../support/addresses';
import {
	patience,
	screeningNode,
	screeningWorkflow,
	serviceCredential,
} from '../support/workflows';

/** How long the service is out while three jobs are in progress; 120 is what the node is meant to bear. */
const seconds = Number(process.env.OUTAGE_SECONDS ?? 12);
/** What a service that is out answers, one after the other. */
const outages: FaultEffect[] = [
	{ kind: 'answer', status: 503 },
	{
		kind: 'answer',
		status: 200,
		headers: { 'content-type': 'text/html' },
		body: '<!doctype html><title>Maintenance</title>',
	},
	{ kind: 'reset', at: 'beforeAnswer' },
	{ kind: 'answer', status: 404, body: '{"error":"no such job"}' },
];
const addresses = addressesOf(2500);

describe('three bulk jobs in a real n8n', () => {
	let n8n: N8n;
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ limit: null, jobDurationMs: 1000 * seconds + 3000 });
		n8n = await startFreshInstance('outage', { environment: { N8N_LOG_LEVEL: 'info' } });
	}, patience);
	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
	});
	beforeEach(() => {
		sandbox.clearFaults();
		sandbox.requests.length = 0;
	});

	const isSubmission = ({ method }: { method: string }) => method === 'POST';
	const submissions = () => sandbox.requests.filter(isSubmission);
	const looks = () => sandbox.requests.filter((request) => !isSubmission(request));

	async function startScreening(): Promise<{ id: string; execution: () => Promise<Execution> }> {
		const credential = await n8n.saveCredential(
			serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl),
		);
		const workflow = await n8n.saveWorkflow(
			screeningWorkflow(
				addresses.map((address) => ({ address })),
				{
					resource: 'bulkJob',
					operation: 'screenAndWait',
					addressSource: 'inputItems',
					addressField: 'address',
					options: { pollInterval: 1, timeout: 30 },
				},
				credential,
				'continueRegularOutput',
			),
		);
		const id = await n8n.startExecution(workflow);
		// The node submits all lists before it waits for any.
		await until('three jobs', async () => submissions().length >= 3 || undefined, {
			patience: 60_000,
		});
		return { id, execution: async () => await n8n.finishedExecution(id) };
	}

	test(
		'bring every report although the service is out meanwhile, and are submitted once',
		async () => {
			const { execution } = await startScreening();
			for (const effect of outages) {
				const before = looks().length;
				const over = sandbox.addFault({ when: ({ method }) => method === 'GET', effect });
				const end = Date.now() + (1000 * seconds) / outages.length;
				await until(
					'the outage to have been seen',
					async () => (looks().length > before && Date.now() > end) || undefined,
					{
						patience: 120_000,
					},
				);
				over();
			}
			const items = itemsOf(await execution(), screeningNode);
			expect(items.map(({ json }) => json['address'])).toEqual(addresses);
			expect(items.filter(({ json }) => json['error'] !== undefined)).toEqual([]);
			expect(submissions()).toHaveLength(3);
		},
		patience,
	);

	test(
		"are named in n8n's log when the user stops the execution",
		async () => {
			const before = (await n8n.log()).length;
			const { id } = await startScreening();
			await n8n.stopExecution(id);
			await until(
				'three jobs in the log',
				async () =>
					new Set((await n8n.log()).slice(before).match(/job_[0-9a-f]+/g)).size === 3 || undefined,
				{ patience: 30_000 },
			);
			expect(submissions()).toHaveLength(3);
		},
		patience,
	);
});
