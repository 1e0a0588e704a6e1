import { createHmac } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { until } from '../../host/until';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server';
import { deliver, type Delivery, type WebhookTarget } from '../../sandbox/webhook';

interface Received {
	headers: IncomingHttpHeaders;
	bytes: Buffer;
	at: number;
}

let receiver: Server;
let url: string;
/** Statuses to answer with, in turn; `null` closes the connection; 200 once they are used up. */
let answers: Array<number | null>;
let arrivals: EventEmitter;
let sandbox: Sandbox;

beforeEach(async () => {
	answers = [];
	arrivals = new EventEmitter();
	receiver = createServer(async (request, response) => {
		const bytes = await buffer(request);
		const status = answers.length > 0 ? answers.shift() : 200;
		if (status) response.writeHead(status).end();
		else response.destroy();
		arrivals.emit('delivery', { headers: request.headers, bytes, at: Date.now() });
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterEach(async () => {
	await sandbox?.close();
	receiver.closeAllConnections();
	receiver.close();
});

const keyHeader = () => ({ authorization: `Bearer ${sandbox.keys.readWrite}` });

async function start(target: Partial<WebhookTarget>, options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({
		jobDurationMs: 0,
		webhook: { url, secret: 'sandbox-secret', scheme: 'body', ...target },
		...options,
	});
}

async function submit(): Promise<string> {
	const response = await fetch(`${sandbox.baseUrl}/v1/bulk`, {
		method: 'POST',
		headers: { ...keyHeader(), 'content-type': 'application/json' },
		body: JSON.stringify({ addresses: ['bc1qexample', 'TBHTJqAy4DhHhmT3dNceJYNRz4SdLofLre'] }),
	});
	return ((await response.json()) as { job_id: string }).job_id;
}

/** Runs the action and gives the first deliveries that arrive from then on, once they are recorded. */
async function deliveriesOf(count: number, action: () => Promise<unknown>): Promise<Received[]> {
	const incoming = on(arrivals, 'delivery');
	await action();
	const received: Received[] = [];
	while (received.length < count) received.push((await incoming.next()).value[0]);
	const recorded = async () => sandbox.deliveries[count - 1];
	await until(`${count} deliveries to be recorded`, recorded, { pause: 0 });
	return received;
}

async function firstDelivery(target: Partial<WebhookTarget>): Promise<Received> {
	await start(target);
	const [delivery] = await deliveriesOf(1, submit);
	return delivery as Received;
}

const json = ({ bytes }: Received) => JSON.parse(bytes.toString());

const hmac = (key: string | Buffer, content: Buffer | string) =>
	createHmac('sha256', key).update(content);

describe('completion webhook', () => {
	it('holds the job with its results, as polling gives it', async () => {
		const delivery = await firstDelivery({});
		const { job_id, results } = json(delivery);
		const polled = await fetch(`${sandbox.baseUrl}/v1/bulk/${job_id}`, { headers: keyHeader() });
		expect(json(delivery)).toEqual(await polled.json());
		expect(results).toHaveLength(2);
		expect(delivery.headers['content-type']).toBe('application/json');
		expect(sandbox.deliveries).toEqual([{ job_id, attempt: 1, status: 200 }]);
	});

	it('holds only the job with the body jobOnly', async () => {
		const delivery = await firstDelivery({ body: 'jobOnly' });
		expect(json(delivery)).toEqual({ job_id: sandbox.requests[0]?.job_id, status: 'completed' });
	});

	it('is signed with the decoded secret in the scheme standardWebhooks, under one id', async () => {
		answers = [500];
		const key = Buffer.from('a key of thirty-two bytes, or so');
		await start({ scheme: 'standardWebhooks', secret: `whsec_${key.toString('base64')}` });
		const received = await deliveriesOf(2, submit);
		for (const { headers, bytes } of received) {
			const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${bytes.toString()}`;
			expect(headers['webhook-signature']).toBe(`v1,${hmac(key, content).digest('base64')}`);
		}
		expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
	});

	it('is delivered again, the same, until the receiver accepts it', async () => {
		answers = [503, null, 302, 204];
		await start({});
		const received = await deliveriesOf(4, submit);
		const job_id = sandbox.requests[0]?.job_id;
		expect(sandbox.deliveries).toEqual([
			{ job_id, attempt: 1, status: 503 },
			{ job_id, attempt: 2, status: null },
			{ job_id, attempt: 3, status: 302 },
			{ job_id, attempt: 4, status: 204 },
		]);
		expect(new Set(received.map(({ bytes }) => bytes.toString())).size).toBe(1);
	});

	it('is given up after so many attempts, and at once when the sandbox is closed', async () => {
		answers = [500, 500, 200];
		const job = { job_id: 'job_1', body: {} };
		const target = { url, secret: 's', scheme: 'body', attempts: 2 } as const;
		const attempts: Delivery[] = [];
		const record = (delivery: Delivery) => void attempts.push(delivery);
		await deliver(target, job, record, AbortSignal.abort());
		expect(attempts).toEqual([]);
		await deliver(target, job, record, new AbortController().signal);
		expect(attempts.map(({ status }) => status)).toEqual([500, 500]);
	});

	it('is not sent for a job that fails', async () => {
		await start({}, { jobs: ({ index }) => ({ fails: index === 0 }) });
		const [first] = await deliveriesOf(1, async () => {
			await submit();
			await submit();
		});
		expect(json(first as Received).job_id).toBe(sandbox.requests[1]?.job_id);
		expect(sandbox.deliveries).toHaveLength(1);
	});
});
