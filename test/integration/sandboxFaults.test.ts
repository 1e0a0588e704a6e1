import type { FaultEffect } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';

const body = { addresses: ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'] };
let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ limit: null });
});
afterEach(() => sandbox.close());

function submit(authorization = `Bearer ${sandbox.keys.readWrite}`): Promise<Response> {
	return fetch(`${sandbox.baseUrl}/v1/bulk`, {
		method: 'POST',
		headers: { authorization, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
}

/** The code of the network error with which a promise of a response or its body is rejected. */
async function networkError(promise: Promise<unknown>): Promise<string | undefined> {
	const error: Error = await promise.then(
		() => new Error('There was an answer'),
		(reason) => reason,
	);
	return (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.message;
}

function once(effect: FaultEffect): void {
	sandbox.addFault({ times: 1, effect });
}

describe('fault', () => {
	it('answers with status, headers and bytes of its own, before the key is looked at', async () => {
		const bytes = Buffer.from([0, 255, 128]);
		once({ kind: 'answer', status: 502, headers: { 'content-type': 'text/html' }, body: bytes });
		const response = await submit('Bearer no-such-key');
		expect(response.status).toBe(502);
		expect(response.headers.get('content-type')).toBe('text/html');
		expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
		expect(sandbox.requests).toEqual([expect.objectContaining({ body, key: null, status: 502 })]);
		expect(sandbox.requests[0]).not.toHaveProperty('job_id');
	});

	it('delays an answer that is right', async () => {
		once({ kind: 'delay', ms: 80 });
		const begun = performance.now();
		expect((await submit()).status).toBe(202);
		expect(performance.now() - begun).toBeGreaterThanOrEqual(78);
	});

	it('resets the connection before the request is read, which then has no effect', async () => {
		once({ kind: 'reset', at: 'beforeRead' });
		expect(await networkError(submit())).toBe('ECONNRESET');
		expect(sandbox.requests).toHaveLength(1);
		expect(sandbox.requests[0]).toMatchObject({ body: undefined, status: null });
		expect(sandbox.requests[0]).not.toHaveProperty('job_id');
	});

	it('resets the connection in place of the answer, when the job exists', async () => {
		once({ kind: 'reset', at: 'beforeAnswer' });
		expect(await networkError(submit())).toBe('ECONNRESET');
		const [record] = sandbox.requests;
		expect(record).toMatchObject({ body, status: null, job_id: expect.any(String) });
		const job = await fetch(`${sandbox.baseUrl}/v1/bulk/${record?.job_id}`, {
			headers: { authorization: `Bearer ${sandbox.keys.readOnly}` },
		});
		expect(job.status).toBe(200);
	});

	it('announces the whole body and closes the connection in the middle', async () => {
		const whole = (await (await submit()).arrayBuffer()).byteLength;
		once({ kind: 'truncate' });
		const response = await submit();
		expect(response.headers.get('content-length')).toBe(String(whole));
		const received: Uint8Array[] = [];
		const read = async () => {
			for await (const part of response.body ?? []) received.push(part);
		};
		expect(await networkError(read())).toBe('UND_ERR_SOCKET');
		expect(Buffer.concat(received)).toHaveLength(Math.floor(whole / 2));
	});

	it('never answers', async () => {
		once({ kind: 'silence' });
		let answered = false;
		const silent = submit().finally(() => (answered = true));
		const outcome = networkError(silent);
		for (let count = 0; count < 20; count++) expect((await submit()).status).toBe(202);
		expect(answered).toBe(false);
		expect(sandbox.requests[0]?.status).toBeNull();
		await sandbox.close();
		expect(await outcome).toBe('UND_ERR_SOCKET');
	});

	it('sends the body bit by bit', async () => {
		once({ kind: 'dribble', ms: 100 });
		const begun = performance.now();
		const response = await submit();
		const parts: Uint8Array[] = [];
		for await (const part of response.body ?? []) parts.push(part);
		expect(performance.now() - begun).toBeGreaterThanOrEqual(85);
		expect(parts.length).toBeGreaterThan(2);
		expect(JSON.parse(Buffer.concat(parts).toString())).toEqual({
			job_id: sandbox.requests[0]?.job_id,
			status: 'queued',
		});
	});

	it('rewrites the right answer', async () => {
		once({ kind: 'rewrite', rewrite: ({ job_id, ...rest }) => ({ ...rest, id: job_id }) });
		const response = await submit();
		expect(response.status).toBe(202);
		expect(await response.json()).toEqual({
			id: sandbox.requests[0]?.job_id,
			status: 'queued',
		});
	});

	it('rewrites nothing but JSON', async () => {
		const headers = {
			authorization: `Bearer ${sandbox.keys.readWrite}`,
			'content-type': 'application/json',
		};
		const screened = await fetch(`${sandbox.baseUrl}/v1/screen`, {
			method: 'POST',
			headers,
			body: JSON.stringify({ address: body.addresses[0] }),
		});
		const { report_id } = (await screened.json()) as { report_id: string };
		once({ kind: 'rewrite', rewrite: () => 'spoiled' });
		const pdf = await fetch(`${sandbox.baseUrl}/v1/reports/${report_id}/pdf`, { headers });
		expect((await pdf.text()).slice(0, 5)).toBe('%PDF-');
	});
});
