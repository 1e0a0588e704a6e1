import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import type { N8n } from '../../../tools/host/instance';
import { type Credential, itemsOf, type Saved, type Workflow } from '../../../tools/host/workflow';
import { signatureHeaders, type WebhookScheme } from '../../../sandbox/webhook';
import { numberedAddress } from '../data/addresses';
import { serviceCredential, triggerNode, workflowOf } from './workflows';

/** A secret for each scheme. None of them can appear anywhere by chance. */
export const secrets: Record<WebhookScheme, string> = {
	body: 'hook-secret-of-body-8c1f',
	timestampAndBody: 'hook-secret-of-timestampAndBody-8c1f',
	stripe: 'hook-secret-of-stripe-8c1f',
	standardWebhooks: `whsec_${Buffer.from('a key of thirty-two bytes, or so').toString('base64')}`,
};

/** The answer of one of n8n's webhooks. */
export interface WebhookAnswer {
	status: number;
	text: string;
	retryAfter: string | undefined;
}

/** A published workflow that starts with a Wallet Screening Trigger and passes its items on. */
export interface Trigger {
	workflow: Saved<Workflow>;
	/** Its production URL. */
	url: string;
	testUrl: string;
}

/** The node behind the trigger, whose items tests read. */
const nextNode = { name: 'Pass On', type: 'n8n-nodes-base.noOp' };

export const productionUrlOf = (n8n: N8n, webhookId: string) =>
	`${n8n.url}/webhook/${webhookId}/webhook`;

/**
 * Saves and publishes a workflow that starts with a Wallet Screening Trigger.
 *
 * @param webhookId a part of its URL
 */
export async function startTrigger(
	n8n: N8n,
	credential: Saved<Credential>,
	parameters: IDataObject = {},
	webhookId: string = randomUUID(),
): Promise<Trigger> {
	const node = triggerNode(credential, parameters, webhookId);
	const workflow = await n8n.saveWorkflow(
		workflowOf(`Bulk Job Completed ${webhookId}`, node, nextNode),
	);
	await n8n.publishWorkflow(workflow);
	const testUrl = `${n8n.url}/webhook-test/${webhookId}/webhook`;
	return { workflow, url: productionUrlOf(n8n, webhookId), testUrl };
}

/**
 * Returns a credential with a webhook secret. Unless `baseUrl` is given, no service runs at its
 * address.
 */
export function hookCredential(
	webhookSecret: string,
	data: IDataObject = {},
	{ apiKey = 'hook-api-key-4b9e', baseUrl = 'http://127.0.0.1:9' } = {},
): Credential {
	const credential = serviceCredential(apiKey, baseUrl);
	return { ...credential, data: { ...credential.data, webhookSecret, ...data } as never };
}

/** Returns the present time in seconds of Unix time. */
const nowInSeconds = () => Math.floor(Date.now() / 1000);

export const signatureHeadersOf = (
	scheme: WebhookScheme,
	body: string | Buffer,
	{ secret = secrets[scheme], seconds = nowInSeconds(), id = 'msg_1' } = {},
): Record<string, string> => signatureHeaders({ scheme, secret }, { body, id, seconds });

export async function post(
	url: string,
	body: string | Buffer | AsyncIterable<Buffer>,
	headers: Record<string, string | string[]>,
): Promise<WebhookAnswer> {
	const sent = { headers, body: body as string | Buffer, headersTimeout: 120_000 };
	const answer = await request(url, { method: 'POST', ...sent });
	const retryAfter = answer.headers['retry-after'] as string | undefined;
	return { status: answer.statusCode, text: await answer.body.text(), retryAfter };
}

/** Sends a body to the trigger as the service would, with a signature of its bytes. */
export const deliver = async (
	{ url }: Pick<Trigger, 'url'>,
	body: string,
	headers: Record<string, string> = signatureHeadersOf('body', body),
): Promise<WebhookAnswer> => post(url, body, { 'Content-Type': 'application/json', ...headers });

const categories = { sanctions: 0.25, darknet: 0, mixer: 0, scam: 0, stolen: 0, clean_exchange: 0 };

/** The number of the last report or job. */
let lastNumber = 0;

/** Returns a report with an ID and an address that no other report of this function has. */
export function report(level: unknown = 'red'): IDataObject {
	const number = ++lastNumber;
	const risk = { level, score: 0.5, categories } as IDataObject;
	return { report_id: `rep_${number}`, address: numberedAddress(number), chain: 'ETH', risk };
}

/** Returns the body of a delivery with these results. */
export const completion = (...results: unknown[]): string =>
	JSON.stringify({ job_id: `job_${++lastNumber}`, status: 'completed', results });

/**
 * Waits for the executions of a trigger in progress.
 *
 * @returns for each execution, the oldest first, the reports of its items; for an item without a
 * report, its JSON
 */
export async function readOutcomes(n8n: N8n, { workflow }: Trigger): Promise<IDataObject[][]> {
	const ids = (await n8n.executionsOf(workflow)).map(({ id }) => Number(id));
	const outcomes: IDataObject[][] = [];
	for (const id of ids.sort((first, second) => first - second)) {
		const execution = await n8n.finishedExecution(String(id));
		if (execution.status !== 'success') throw new Error(`Execution ${id}: ${execution.status}`);
		const items = itemsOf(execution, nextNode.name);
		outcomes.push(items.map(({ json }) => (json['report'] ?? json) as IDataObject));
	}
	return outcomes;
}
