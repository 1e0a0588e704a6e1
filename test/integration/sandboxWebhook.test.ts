import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { until } from '../../tools/host/until';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import type { Delivery, WebhookTarget } from '../../sandbox/webhook';

let receiver: Server;
let url: string;
/** Statuses to answer with, in turn; `null` closes the connection; 200 once they are used up. */
let answers: Array<number | null>;
let received: Array<{ headers: IncomingHttpHeaders; body: string }>;
let sandbox: Sandbox | undefined;

beforeEach(async () => {
	[answers, received] = [[], []];
	receiver = createServer(async (request, response) => {
		received.push({ headers: request.headers, body: (await buffer(request)).toString() });
		const status = answers.length > 0 ? answers.shift() : 200;
		if (status) response.writeHead(status).end();
		else response.destroy();
	}).listen(0, '127.0.0.1');
	await once(receiver, 'listening');
	url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterEach(async () => {
	await sandbox?.close();
	receiver.closeAllConnections();
	receiver.close();
});

/** Submits a job to a sandbox with this webhook, and waits for so many deliveries. */
async function delivered(count: number, target: Partial<WebhookTarget> = {}): Promise<Delivery[]> {
	const webhook: WebhookTarget = { url, secret: 'sandbox-secret', scheme: 'body', ...target };
	sandbox = await startSandbox({ jobDurationMs: 0, webhook });
	const { baseUrl, keys, deliveries } = sandbox;
	const headers = {
		authorization: `Bearer ${keys.readWrite}`,
		'content-type': 'application/json',
	};
	const body = JSON.stringify({ addresses: ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'] });
	await fetch(`${baseUrl}/v1/bulk`, { method: 'POST', headers, body });
	await until(`${count} deliveries`, async () => deliveries[count - 1], { pause: 5 });
	return deliveries;
}

it('a completed job is delivered with its results, as polling gives it', async () => {
	const [delivery] = await delivered(1);
	const { job_id } = sandbox!.requests[0]!;
	expect(delivery).toEqual({ job_id, attempt: 1, status: 200 });
	const headers = { authorization: `Bearer ${sandbox!.keys.readOnly}` };
	const polled = await fetch(`${sandbox!.baseUrl}/v1/bulk/${job_id}`, { headers });
	expect(JSON.parse(received[0]!.body)).toEqual(await polled.json());
	expect(received[0]!.headers['content-type']).toBe('application/json');
});

it('the delivery is repeated, the same under one id, until the receiver accepts it', async () => {
	answers = [503, null, 302, 204];
	const key = Buffer.from('a key of thirty-two bytes, or so');
	const secret = `whsec_${key.toString('base64')}`;
	const deliveries = await delivered(4, { scheme: 'standardWebhooks', secret });
	expect(deliveries.map(({ attempt, status }) => [attempt, status])).toEqual([
		[1, 503],
		[2, null],
		[3, 302],
		[4, 204],
	]);
	expect(new Set(received.map(({ body, headers }) => body + headers['webhook-id'])).size).toBe(1);
	for (const { headers, body } of received) {
		const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
		const digest = createHmac('sha256', key).update(signed).digest('base64');
		expect(headers['webhook-signature']).toBe(`v1,${digest}`);
	}
});
