import { itemsOf } from '../../../tools/host/instance';
import { until } from '../../../tools/host/until';
import type { FaultEffect } from '../../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { addressesOf } from '../../support/addresses';
import { screeningNode, serviceCredential } from '../../support/workflows';
import { n8n, saveScreening } from './n8n';

/** How long the service is out while three jobs are in progress; 120 is what the node is meant to bear. */
const seconds = Number(process.env.OUTAGE_SECONDS ?? 8);
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

export function outageTests(): void {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ limit: null, jobDurationMs: 1000 * seconds + 3000 });
	});
	afterAll(() => sandbox?.close());

	const isSubmission = ({ method }: { method: string }) => method === 'POST';
	const submissions = () => sandbox.requests.filter(isSubmission);
	const looks = () => sandbox.requests.filter((request) => !isSubmission(request));

	test('bring every report although the service is out meanwhile, and are submitted once', async () => {
		const service = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
		const list = { resource: 'bulkJob', operation: 'screenAndWait', addressField: 'address' };
		const parameters = { ...list, options: { pollInterval: 1, timeout: 30 } };
		const credential = await n8n.saveCredential(service);
		const id = await n8n.startExecution(await saveScreening(addresses, parameters, credential));
		// The node submits all lists before it waits for any.
		await until('three jobs', async () => submissions().length >= 3 || undefined);
		for (const effect of outages) {
			const before = looks().length;
			const over = sandbox.addFault({ when: ({ method }) => method === 'GET', effect });
			const end = Date.now() + (1000 * seconds) / outages.length;
			const isSeen = async () => (looks().length > before && Date.now() > end) || undefined;
			await until('the outage to have been seen', isSeen);
			over();
		}
		const items = itemsOf(await n8n.finishedExecution(id), screeningNode);
		expect(items.map(({ json }) => json['address'])).toEqual(addresses);
		expect(items.filter(({ json }) => json['error'] !== undefined)).toEqual([]);
		expect(submissions()).toHaveLength(3);
	});
}
