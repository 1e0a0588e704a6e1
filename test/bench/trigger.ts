import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { Agent, request } from 'undici';
import { reportOn } from '../../sandbox/reports';
import { type N8n, startFreshInstance } from '../../tools/host/instance';
import type { Saved, Workflow } from '../../tools/host/workflow';
import { until } from '../../tools/host/until';
import { numberedAddress } from '../support/data/addresses';
import { hookCredential, signatureHeadersOf } from '../support/n8n/triggers';
import { credentialsOf, workflowOf } from '../support/n8n/workflows';
import { formatCount, formatKilobytes, type Row } from './row';
import { median, percentile } from './statistics';

const rounds = 5;
/** The number of deliveries that are in progress at once. */
const atOnce = 8;
const secret = 'secret of the bench';

/** Makes a node that receives deliveries, with this ID in its URL. */
type MakeReceiver = (webhookId: string) => {
	node: Pick<INode, 'type'> & Partial<INode>;
	/** The path of its production URL below `/webhook/`. */
	path: string;
};

/** A value for each of the two nodes: the trigger of this package, and n8n's Webhook. */
interface PerNode<T> {
	trigger: T;
	webhook: T;
}

/** How fast a node answers deliveries. */
interface Pace {
	/** The number of deliveries that it answers in a second. */
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
		const trigger: MakeReceiver = (webhookId) => ({
			node: { type, webhookId, credentials },
			path: `${webhookId}/webhook`,
		});
		const receivers = { trigger, webhook: makeWebhook };
		return [
			await deliveryRow(n8n, receivers, { reports: 1, deliveries: 100 }),
			await deliveryRow(n8n, receivers, { reports: 1000, deliveries: 50 }),
		];
	} finally {
		await n8n.stop();
	}
}

const makeWebhook: MakeReceiver = (path) => ({
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

async function deliveryRow(n8n: N8n, receivers: PerNode<MakeReceiver>, load: Load): Promise<Row> {
	const { reports } = load;
	const { trigger, webhook } = await measurePaces(n8n, receivers, load);
	const inEach = `${formatCount(reports)} report${reports > 1 ? 's' : ''}`;
	const itemsCost =
		reports > 1
			? ', and to make and store an item for each report: Webhook makes one item of all'
			: '';
	const [body] = createBodies({ reports, deliveries: 1 });
	return {
		name: `Deliveries per second that the trigger answers (more is better): ${inEach} in each (${formatKilobytes(body!.length)}), ${atOnce} at once`,
		measured: `${formatPace(trigger)} (medians of ${rounds})`,
		against: `n8n's Webhook, which verifies nothing: ${formatPace(webhook)}`,
		ratio: trigger.perSecond / webhook.perSecond,
		meaning: `What it costs to verify, read and remember each delivery${itemsCost}.`,
	};
}

/** Measures the pace of each node. @returns the medians of the rounds */
async function measurePaces(
	n8n: N8n,
	receivers: PerNode<MakeReceiver>,
	load: Load,
): Promise<PerNode<Pace>> {
	const paces: PerNode<Pace[]> = { trigger: [], webhook: [] };
	// The first round is a warm-up.
	for (let round = 0; round <= rounds; round++) {
		// In turns, each of them is the first one.
		const order = ['trigger', 'webhook'] as const;
		for (const name of round % 2 === 0 ? order : order.toReversed()) {
			const pace = await measurePace(n8n, receivers[name], createBodies(load));
			if (round > 0) paces[name].push(pace);
		}
	}
	return { trigger: medianOf(paces.trigger), webhook: medianOf(paces.webhook) };
}

const medianOf = (paces: Pace[]): Pace => ({
	perSecond: median(paces.map(({ perSecond }) => perSecond)),
	p95: median(paces.map(({ p95 }) => p95)),
});

const formatPace = ({ perSecond, p95 }: Pace) =>
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

/** Sends the bodies to a URL, `atOnce` of them at a time. */
async function deliverAll(url: string, bodies: Buffer[]): Promise<Pace> {
	const dispatcher = new Agent({ connections: atOnce });
	const deliveries = bodies.map((body) => ({
		body,
		headers: {
			'content-type': 'application/json',
			...signatureHeadersOf('body', body, { secret }),
		},
	}));
	const times: number[] = [];
	const start = performance.now();
	const deliverNext = async () => {
		for (let next = deliveries.shift(); next; next = deliveries.shift()) {
			const sent = performance.now();
			const answer = await request(url, { method: 'POST', dispatcher, ...next });
			await answer.body.dump();
			if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
			times.push(performance.now() - sent);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, deliverNext));
	const seconds = (performance.now() - start) / 1000;
	await dispatcher.close();
	return { perSecond: bodies.length / seconds, p95: percentile(times, 0.95) };
}

/**
 * Waits until n8n has nothing left to do for a workflow, so that the next receiver is measured
 * alone.
 *
 * @throws an Error unless `count` executions succeeded
 */
async function expectExecutions(n8n: N8n, workflow: Saved<Workflow>, count: number): Promise<void> {
	const readEnded = async () => {
		const states = (await n8n.executionsOf(workflow)).map(({ status }) => status);
		const isBusy = states.some((state) => state === 'new' || state === 'running');
		return isBusy ? undefined : states;
	};
	const ended = await until('the executions to end', readEnded, {
		timeoutMs: 10 * 60_000,
		pauseMs: 100,
	});
	const successes = ended.filter((state) => state === 'success').length;
	if (successes !== count) throw new Error(`${count} deliveries: ${successes} executions`);
}
