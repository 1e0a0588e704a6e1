import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { until } from '../../tools/host/until';
import { startSandbox } from '../../sandbox/server';

it('a completed job is delivered as polling gives it, again under one id until it is accepted', async () => {
	/** `null` closes the connection. */
	const answers = [503, null, 302, 204];
	const received: Array<{ headers: IncomingHttpHeaders; body: string }> = [];
	const receiver = createServer(async (request, response) => {
		const body = (await buffer(request)).toString();
		const status = answers[received.push({ headers: request.headers, body }) - 1];
		if (status) response.writeHead(status).end();
		else response.destroy();
	}).listen(0, '127.0.0.1');
	await once(receiver, 'listening');
	const key = Buffer.from('a key of thirty-two bytes, or so');
	const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
	const secret = `whsec_${key.toString('base64')}`;
	const webhook = { url, secret, scheme: 'standardWebhooks' } as const;
	const sandbox = await startSandbox({ jobDurationMs: 0, webhook });
	const { baseUrl, keys, deliveries, requests } = sandbox;
	try {
		const headers = {
			authorization: `Bearer ${keys.readWrite}`,
			'content-type': 'application/json',
		};
		const body = JSON.stringify({ addresses: ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'] });
		await fetch(`${baseUrl}/v1/bulk`, { method: 'POST', headers, body });
		await until('four deliveries', async () => deliveries[3], { pause: 5 });
		const { job_id } = requests[0]!;
		expect(deliveries).toEqual(answers.map((status, at) => ({ job_id, attempt: at + 1, status })));
		const ids = received.map((one) => one.headers['webhook-id'] as string);
		expect(new Set(ids).size).toBe(1);
		const polled = await (await fetch(`${baseUrl}/v1/bulk/${job_id}`, { headers })).json();
		for (const one of received) {
			expect(JSON.parse(one.body)).toEqual(polled);
			const signed = `${ids[0]}.${one.headers['webhook-timestamp'] as string}.${one.body}`;
			const digest = createHmac('sha256', key).update(signed).digest('base64');
			expect(one.headers['webhook-signature']).toBe(`v1,${digest}`);
		}
	} finally {
		await sandbox.close();
		receiver.closeAllConnections();
		receiver.close();
	}
});
