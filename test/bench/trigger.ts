import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { Agent, request } from 'undici';
import { reportOn } from '../../sandbox/reports';
import { type N8n, type Saved, startFreshInstance, type Workflow } from '../../tools/host/instance';
import { until } from '../../tools/host/until';
import { numberedAddress } from '../support/data/addresses';
import { hookCredential, signatureHeadersOf } from '../support/n8n/triggers';
import { credentialsOf, workflowOf } from '../support/n8n/workflows';
import { formatCount, formatKilobytes, median, type Row } from './row';

const rounds = 5;
/** The number of deliveries that are in progress at once. */
const atOnce = 8;
const secret = 'secret of the bench';

/** Makes a node that receives deliveries under an ID. */
type MakeReceiver = (webhookId: string) => {
	node: Pick<INode, 'type'> & Partial<INode>;
	/** The path of its production URL below `/webhook/`. */
	path: string;
};

/** What there is of each of the two nodes: the trigger of this package, and n8n's Webhook. */
interface Both<T> {
	ours: T;
	webhook: T;
}

interface Pace {
	perSecond: number;
	/** Milliseconds within which 95 % of the deliveries were answered. */
	p95: number;
}

/**
 * Measures rows about deliveries to the trigger, compared with n8n's own Webhook in the same n8n.
 */
export async function triggerRows(): Promise<Row[]> {
	const n8n = await startFreshInstance('bench-trigger');
	try {
		const credentials = credentialsOf(await n8n.saveCredential(hookCredential(secret)));
		const type = 'n8n-nodes-wallet-screening.walletScreeningTrigger';
		const ours: MakeReceiver = (webhookId) => ({
			node: { type, webhookId, credentials },
			path: `${webhookId}/webhook`,
		});
		const receivers = { ours, webhook: webhookNode };
		return [
			await deliveryRow(n8n, receivers, { reports: 1, deliveries: 100 }),
			await deliveryRow(n8n, receivers, { reports: 1000, deliveries: 50 }),
		];
	} finally {
		await n8n.stop();
	}
}

const webhookNode: MakeReceiver = (path) => ({
	node: {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path },
	},
	path,
});

interface Load {
	/** The number of reports in each delivery. */
	reports: number;
	/** The number of deliveries in a round. */
	deliveries: number;
}

async function deliveryRow(n8n: N8n, receivers: Both<MakeReceiver>, load: Load): Promise<Row> {
	const { reports } = load;
	const { ours, webhook } = await measurePaces(n8n, receivers, load);
	const inEach = `${formatCount(reports)} report${reports > 1 ? 's' : ''}`;
	const itemsCost =
		reports > 1
			? ', and to make and store an item for each report: Webhook makes one item of all'
			: '';
	const [body] = createBodies({ reports, deliveries: 1 });
	return {
		name: `Deliveries per second that the trigger answers (more is better): ${inEach} in each (${formatKilobytes(body!.length)}), ${atOnce} at once`,
		measured: `${inWords(ours)} (medians of ${rounds})`,
		against: `n8n's Webhook, which verifies nothing: ${inWords(webhook)}`,
		ratio: ours.perSecond / webhook.perSecond,
		meaning: `What it costs to verify, read and remember each delivery${itemsCost}.`,
	};
}

/** Measures the paces of both. @returns the medians of the rounds */
async function measurePaces(
	n8n: N8n,
	receivers: Both<MakeReceiver>,
	load: Load,
): Promise<Both<Pace>> {
	const paces: Both<Pace[]> = { ours: [], webhook: [] };
	// The first round is a warm-up.
	for (let round = 0; round <= rounds; round++) {
		// They take turns in going first, so that neither always does.
		const order = ['ours', 'webhook'] as const;
		for (const name of round % 2 === 0 ? order : order.toReversed()) {
			const pace = await measurePace(n8n, receivers[name], createBodies(load));
			if (round > 0) paces[name].push(pace);
		}
	}
	return { ours: medianOf(paces.ours), webhook: medianOf(paces.webhook) };
}

const medianOf = (paces: Pace[]): Pace => ({
	perSecond: median(paces.map(({ perSecond }) => perSecond)),
	p95: median(paces.map(({ p95 }) => p95)),
});

const inWords = ({ perSecond, p95 }: Pace) =>
	`${perSecond.toFixed(1)}, 95 % answered within ${p95.toFixed(0)} ms`;

/** Makes the bodies of deliveries. Each has its own job ID. */
function createBodies({ reports, deliveries }: Load): Buffer[] {
	const results = Array.from({ length: reports }, (_, index) =>
		reportOn(numberedAddress(index), undefined, 'http://host'),
	);
	return Array.from({ length: deliveries }, () =>
		Buffer.from(JSON.stringify({ job_id: `job_${randomUUID()}`, status: 'completed', results })),
	);
}

/** Publishes a receiver, and sends the bodies to it. */
async function measurePace(n8n: N8n, makeReceiver: MakeReceiver, bodies: Buffer[]): Promise<Pace> {
	const { node, path } = makeReceiver(randomUUID());
	const workflow = await n8n.saveWorkflow(workflowOf('Bench', { name: 'Trigger', ...node }));
	await n8n.publishWorkflow(workflow);
	const pace = await deliverAll(`${n8n.url}/webhook/${path}`, bodies);
	await expectExecutions(n8n, workflow, bodies.length);
	await n8n.unpublishWorkflow(workflow);
	return pace;
}

async function deliverAll(url: string, bodies: Buffer[]): Promise<Pace> {
	const dispatcher = new Agent({ connections: atOnce });
	const waiting = bodies.map((body) => ({
		body,
		headers: {
			'content-type': 'application/json',
			...signatureHeadersOf('body', body, { secret }),
		},
	}));
	const times: number[] = [];
	const start = performance.now();
	const deliverWaiting = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			const sent = performance.now();
			const answer = await request(url, { method: 'POST', dispatcher, ...next });
			await answer.body.dump();
			if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
			times.push(performance.now() - sent);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, deliverWaiting));
	const seconds = (performance.now() - start) / 1000;
	await dispatcher.close();
	times.sort((one, other) => one - other);
	return { perSecond: bodies.length / seconds, p95: times[Math.ceil(times.length * 0.95) - 1]! };
}

/**
 * Waits until n8n has nothing left to do for a workflow, so that the next receiver is measured
 * alone.
 *
 * @throws an Error unless `count` executions succeeded
 */
async function expectExecutions(n8n: N8n, workflow: Saved<Workflow>, count: number): Promise<void> {
	const idle = async () => {
		const all = (await n8n.executionsOf(workflow)).map(({ status }) => status);
		return all.some((state) => state === 'new' || state === 'running') ? undefined : all;
	};
	const ended = await until('the executions to end', idle, {
		timeoutMs: 10 * 60_000,
		pauseMs: 100,
	});
	const successes = ended.filter((state) => state === 'success').length;
	if (successes !== count) throw new Error(`${count} deliveries: ${successes} executions`);
}
