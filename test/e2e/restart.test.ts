/** What n8n still has, and what it knows, once it has ended and was started again. */
import type { INodeExecutionData } from 'n8n-workflow';
import { type N8n, startFreshInstance, startInstance } from '../../tools/host/instance';
import { type Execution, itemsOf } from '../../tools/host/workflow';
import { reportOn } from '../../sandbox/reports';
import { scenarioAddress } from '../../sandbox/scenarios';
import { until } from '../../tools/host/until';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import type { WebhookTarget } from '../../sandbox/webhook';
import { numberedAddresses } from '../support/data/addresses';
import { itemOf } from '../support/data/items';
import {
	completion,
	deliver,
	hookCredential,
	productionUrlOf,
	report,
	secrets,
	startTrigger,
	type Trigger,
} from '../support/n8n/triggers';
import {
	runnableWorkflow,
	screeningNodeName,
	serviceCredential,
	triggerNode,
	triggerNodeName,
	workflowOf,
} from '../support/n8n/workflows';
import { withoutEditor } from '../support/n8n/environment';

/** All tests use this n8n, one after the other: a start takes long. */
let n8n: N8n;

beforeAll(async () => {
	n8n = await startFreshInstance('e2e-restart', { environment: withoutEditor });
});
afterAll(() => n8n?.stop());

async function end(signal: NodeJS.Signals): Promise<void> {
	process.kill(await n8n.processId(), signal);
	await n8n.stop();
}

/** Starts n8n with what it has stored, at another port. */
async function startAgain(): Promise<void> {
	n8n = await startInstance({ userFolder: n8n.userFolder, environment: withoutEditor });
}

const jobs = 40;
const atOnce = 8;

/** The job that an execution was started for, even if it never came to run. */
function jobOf({ data }: Execution): unknown {
	const ran = data.resultData.runData[triggerNodeName]?.[0]?.data?.main?.[0];
	const stored = data.executionData?.nodeExecutionStack[0]?.data.main?.[0];
	const [item] = (ran ?? stored ?? []) as INodeExecutionData[];
	return item?.json.job_id;
}

describe('n8n that is killed while deliveries come in', () => {
	const id = 'the-same-after-the-restart';
	// Eleven pauses, the last of which ends after 400 s: the restart may take long on a busy machine.
	const webhook: WebhookTarget = { url: '', secret: secrets.body, scheme: 'body', maxAttempts: 12 };
	let sandbox: Sandbox;
	let started: Trigger;

	beforeAll(async () => {
		webhook.url = productionUrlOf(n8n, id);
		sandbox = await startSandbox({ limit: null, jobDurationMs: 0, webhook });
		const credential = await n8n.saveCredential(hookCredential(secrets.body));
		started = await startTrigger(n8n, credential, { output: 'batch' }, id);
	});

	afterAll(() => sandbox?.close());

	/**
	 * Submits jobs one by one, each once the completion of the one before was delivered or was not.
	 */
	async function submit(count: number): Promise<string[]> {
		const ids: string[] = [];
		while (ids.length < count) {
			const authorization = `Bearer ${sandbox.keys.readWrite}`;
			const body = JSON.stringify({ addresses: [scenarioAddress('harmless')] });
			const headers = { authorization, 'content-type': 'application/json' };
			const answer = await fetch(`${sandbox.baseUrl}/v1/bulk`, { method: 'POST', headers, body });
			const { job_id } = (await answer.json()) as { job_id: string };
			ids.push(job_id);
			const delivered = async () => sandbox.deliveryAttempts.find((one) => one.job_id === job_id);
			await until(`the completion of ${job_id} to be delivered`, delivered, { pauseMs: 5 });
		}
		return ids;
	}

	const accepted = () =>
		sandbox.deliveryAttempts.filter(({ status }) => status === 200).map(({ job_id }) => job_id);

	const executionIds = async () =>
		(await n8n.executionsOf(started.workflow)).map((execution) => execution.id);

	test(`each of ${jobs} jobs is processed, and again only if n8n died before it could answer`, async () => {
		const lanes = Array.from({ length: atOnce }, () => submit(jobs / atOnce));
		const half = async () => accepted().length >= jobs / 2 || undefined;
		await until('half of the jobs to be accepted', half, { pauseMs: 5 });
		await end('SIGKILL');
		const submitted = (await Promise.all(lanes)).flat();

		// The service reaches the new n8n once it is told the URL, so what is there before is what the
		// old one stored.
		await startAgain();
		const storedIds = await executionIds();
		const answered = accepted();
		expect(answered.length).toBeLessThan(jobs);
		webhook.url = productionUrlOf(n8n, id);
		// The service tries again in growing pauses, the last of which ends after 400 s.
		const all = async () => accepted().length >= jobs || undefined;
		await until('all jobs to be accepted', all, { timeoutMs: 420_000 });
		const addedIds = (await executionIds()).filter((execution) => !storedIds.includes(execution));
		const added = await Promise.all(addedIds.map(n8n.finishedExecution));
		const stored = await Promise.all(storedIds.map(n8n.execution));

		const before = stored.map(jobOf);
		const after = added.map(jobOf);
		expect(new Set([...before, ...after])).toEqual(new Set(submitted));
		expect(new Set(before).size).toBe(before.length);
		expect(new Set(after).size).toBe(after.length);
		// n8n stores the execution and then answers. Between the two lies the only window in which a
		// job starts twice: the service does not know that it was stored, nor does n8n, which notes the
		// delivery last.
		expect(before).toEqual(expect.arrayContaining(answered));
		expect(after.filter((job) => answered.includes(String(job)))).toEqual([]);

		// n8n answers before the workflow has run. What ran when it died is there for the user to
		// retry.
		for (const run of [...stored, ...added]) {
			const isBroken = stored.includes(run) && ['crashed', 'running'].includes(run.status);
			const last = isBroken ? await n8n.finishedExecution(await n8n.retryExecution(run.id)) : run;
			expect([last.status, jobOf(last)]).toEqual(['success', jobOf(run)]);
		}
	});
});

describe('n8n that is stopped after a burst of deliveries', () => {
	// A slow machine stores these in less than the eight seconds for which the last one waits.
	const burst = 4;

	test.each<[NodeJS.Signals]>([['SIGTERM'], ['SIGKILL']])(
		'to two triggers of a workflow knows all of them afterwards: %s',
		async (signal) => {
			const credential = await n8n.saveCredential(hookCredential(secrets.body));
			const ids = [`${signal}-one`, `${signal}-two`];
			const [first, second] = ids.map((id) => triggerNode(credential, { output: 'batch' }, id));
			const workflow = workflowOf('Burst', first!);
			const other = { ...workflowOf('', { ...second!, name: 'Second' }).nodes[0]! };
			const saved = await n8n.saveWorkflow({ ...workflow, nodes: [...workflow.nodes, other] });
			await n8n.publishWorkflow(saved);
			const bodies = Array.from({ length: burst }, () => completion(report()));
			const deliverAll = async () => {
				const urls = ids.map((id) => productionUrlOf(n8n, id));
				const sent = bodies.flatMap((body) => urls.map((url) => deliver({ url }, body)));
				return (await Promise.all(sent)).map(({ text }) => text);
			};
			expect(new Set(await deliverAll())).toEqual(new Set(['accepted']));
			const stored = (await n8n.executionsOf(saved)).length;
			expect(stored).toBe(2 * burst);

			await end(signal);
			await startAgain();
			const again = await deliverAll();
			expect(again.filter((text) => text !== 'repeat')).toEqual([]);
			expect((await n8n.executionsOf(saved)).length).toBe(stored);
		},
	);
});

/** What remains of paid jobs. */
describe('n8n that is killed during Screen and Wait', () => {
	const addresses = numberedAddresses(30);
	const input = addresses.map((address) => ({ address }));
	const waiting = {
		resource: 'bulkJob',
		operation: 'screenAndWait',
		addressField: 'address',
		options: { addressesPerJob: 10, pollInterval: 0.1 },
	};
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ limit: null, jobDurationMs: 0 });
	});
	afterAll(() => sandbox?.close());

	test('leaves the ID of each job in its log, and Get returns all reports without another job', async () => {
		const credential = await n8n.saveCredential(
			serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl),
		);
		sandbox.addFault({
			when: ({ method }) => method === 'GET',
			effect: { kind: 'answer', status: 200, body: JSON.stringify({ status: 'processing' }) },
		});
		const workflow = await n8n.saveWorkflow(runnableWorkflow(input, waiting, credential));
		const id = await n8n.startExecution(workflow);
		const requestsBy = (method: string) =>
			sandbox.requests.filter((request) => request.method === method);
		await until('the node to wait for three jobs', async () => {
			const looked = new Set(requestsBy('GET').map(({ path }) => path));
			return looked.size === 3 || undefined;
		});
		await end('SIGKILL');
		const log = await n8n.log();

		await startAgain();
		const killed = await n8n.finishedExecution(id);
		expect(killed.status).toBe('crashed');
		expect(killed.data.resultData.runData[screeningNodeName]?.[0]?.data).toBeUndefined();
		const accepted = /Execution (\d+): the service accepted bulk job (\S+)/g;
		const noted = [...log.matchAll(accepted)].map(([, execution, job]) => ({ execution, job }));
		const jobs = requestsBy('POST').map(({ job_id }) => job_id);
		expect(jobs).toHaveLength(3);
		expect(noted.map(({ job }) => job).sort()).toEqual([...jobs].sort());
		expect(new Set(noted.map(({ execution }) => execution))).toEqual(new Set([id]));
		expect(addresses.filter((address) => log.includes(address))).toEqual([]);

		sandbox.clearFaults();
		const getting = {
			resource: 'bulkJob',
			operation: 'get',
			jobId: '={{ $json.job_id }}',
			output: 'reports',
			addresses: addresses.join('\n'),
		};
		const found = noted.map(({ job }) => ({ job_id: job }));
		const get = runnableWorkflow(found, getting, credential, 'continueRegularOutput');
		const items = itemsOf(await n8n.runWorkflow(await n8n.saveWorkflow(get)), screeningNodeName);
		const reports = items.map(({ json }) => json).filter(({ report }) => report);
		const byAddress = (one: { address?: unknown }, other: { address?: unknown }) =>
			String(one.address).localeCompare(String(other.address));
		expect(reports.sort(byAddress)).toEqual(
			addresses
				.map((address) => itemOf(reportOn(address, undefined, sandbox.baseUrl)))
				.sort(byAddress),
		);
		expect(requestsBy('POST')).toHaveLength(3);
	});
});
