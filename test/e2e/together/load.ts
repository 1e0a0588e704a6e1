import { type Execution, itemsOf } from '../../../tools/host/instance';
import type { FaultEffect } from '../../../sandbox/faults';
import type { RateLimit } from '../../../sandbox/rateLimit';
import { reportOn } from '../../../sandbox/reports';
import { type RequestRecord, type Sandbox, startSandbox } from '../../../sandbox/server';
import { itemOf } from '../../support/items';
import { listsOfAddresses } from '../../support/queueDeliveries';
import { screenEach, screeningNode, serviceCredential } from '../../support/workflows';
import { n8n, runScreening } from './n8n';

const lists = listsOfAddresses(20, 30);
const addresses = lists.flat();

// The Pro plan lets 600 addresses through in a minute, which is long for every change.
const limit: RateLimit = { requestsPerSecond: 40, burst: 100 };
const shareOfFaults = 0.05;

const effects: FaultEffect[] = [
	{ kind: 'answer', status: 500 },
	{ kind: 'answer', status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad</h1>' },
	{ kind: 'answer', status: 503, headers: { 'retry-after': '1' } },
	{ kind: 'reset', at: 'beforeEffect' },
	{ kind: 'reset', at: 'beforeAnswer' },
	{ kind: 'truncate' },
];

export function loadTests(): void {
	let sandbox: Sandbox;
	let executions: Execution[];
	let wentWrong: RequestRecord[];
	let wentWell: RequestRecord[];

	beforeAll(async () => {
		sandbox = await startSandbox({ limit, latencyMs: 50 });
		for (const effect of effects)
			sandbox.addFault({ effect, share: shareOfFaults / effects.length });
		const { name, type, data } = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
		const custom = { ...data, plan: 'custom', ...limit };
		const credential = await n8n.saveCredential({ name, type, data: custom });
		const parameters = {
			...screenEach,
			// By default a screening whose answer was lost is sent again only once.
			options: { maxRetries: 5 },
		};
		executions = await Promise.all(
			lists.map(async (list) => await runScreening(list, parameters, credential)),
		);
		wentWrong = sandbox.requests.filter(({ effect }) => effect !== undefined);
		wentWell = sandbox.requests.filter(({ effect }) => effect === undefined);
	});

	afterAll(() => sandbox?.close());

	const answered = (status: number) => wentWell.filter((request) => request.status === status);

	test('each address gets its own report, in its place', () => {
		for (const [index, execution] of executions.entries()) {
			const reports = lists[index]!.map((address) =>
				itemOf(reportOn(address, undefined, sandbox.baseUrl)),
			);
			expect(execution.status).toBe('success');
			expect(itemsOf(execution, screeningNode).map(({ json }) => json)).toEqual(reports);
		}
	});

	test('the service has answered for each of them once, though one request in twenty went wrong', () => {
		const reported = answered(200).map(({ body }) => (body as { address: string }).address);
		expect(reported.sort()).toEqual([...addresses].sort());
		expect(wentWell).toHaveLength(reported.length + answered(429).length);
		expect(wentWrong.length).toBeGreaterThan((addresses.length * shareOfFaults) / 2);
	});
}
