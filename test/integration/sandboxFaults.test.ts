import type { FaultEffect } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';

const body = { addresses: ['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'] };
let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ limit: null });
});
afterEach(() => sandbox.close());

/** Submits a job to a sandbox that has this fault once. */
function submit(effect?: FaultEffect): Promise<Response> {
	if (effect) sandbox.addFault({ times: 1, effect });
	return fetch(`${sandbox.baseUrl}/v1/bulk`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${sandbox.keys.readWrite}`,
			'content-type': 'application/json',
		},
		body: JSON.stringify(body),
	});
}

/** The code of the network error with which a response or its body is rejected. */
async function networkError(promise: Promise<unknown>): Promise<string | undefined> {
	const error = await promise.then(() => new Error('There was an answer')).catch((e: Error) => e);
	return (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.message;
}

async function partsOf({ body }: Response): Promise<Uint8Array[]> {
	const parts: Uint8Array[] = [];
	for await (const part of body!) parts.push(part);
	return parts;
}

it('answers with status, headers and bytes of its own, and the request has no effect', async () => {
	const bytes = Buffer.from([0, 255, 128]);
	const headers = { 'content-type': 'text/html' };
	const response = await submit({ kind: 'answer', status: 502, headers, body: bytes });
	expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
	expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
	expect(sandbox.requests).toEqual([expect.objectContaining({ body, status: 502 })]);
	expect(sandbox.requests[0]).not.toHaveProperty('job_id');
});

it('delays an answer that is right', async () => {
	const begun = performance.now();
	expect((await submit({ kind: 'delay', ms: 80 })).status).toBe(202);
	expect(performance.now() - begun).toBeGreaterThanOrEqual(78);
});

it('resets the connection before the request is read, or in place of the answer', async () => {
	expect(await networkError(submit({ kind: 'reset', at: 'beforeRead' }))).toBe('ECONNRESET');
	expect(await networkError(submit({ kind: 'reset', at: 'beforeAnswer' }))).toBe('ECONNRESET');
	const [before, instead] = sandbox.requests;
	expect(before).toMatchObject({ body: undefined, status: null });
	expect(before).not.toHaveProperty('job_id');
	expect(instead).toMatchObject({ body, status: null, job_id: expect.stringMatching(/^job_/) });
});

it('announces the whole body and closes the connection in the middle', async () => {
	const whole = (await (await submit()).arrayBuffer()).byteLength;
	const response = await submit({ kind: 'truncate' });
	expect(response.headers.get('content-length')).toBe(String(whole));
	expect(await networkError(partsOf(response))).toBe('UND_ERR_SOCKET');
});

it('never answers', async () => {
	const silent = submit({ kind: 'silence' });
	const first = Promise.race([silent.then(() => 'silent'), submit().then(() => 'another')]);
	expect(await first).toBe('another');
	const outcome = networkError(silent);
	await sandbox.close();
	expect(await outcome).toBe('UND_ERR_SOCKET');
	expect(sandbox.requests[0]?.status).toBeNull();
});

it('sends the body bit by bit', async () => {
	const begun = performance.now();
	const parts = await partsOf(await submit({ kind: 'dribble', ms: 100 }));
	expect(performance.now() - begun).toBeGreaterThanOrEqual(85);
	expect(parts.length).toBeGreaterThan(2);
	const [{ job_id } = {}] = sandbox.requests;
	expect(JSON.parse(Buffer.concat(parts).toString())).toEqual({ job_id, status: 'queued' });
});

it('rewrites the right answer', async () => {
	const rewrite = ({ job_id, ...rest }: { job_id: string }) => ({ ...rest, id: job_id });
	const response = await submit({ kind: 'rewrite', rewrite });
	expect(response.status).toBe(202);
	const [{ job_id: id } = {}] = sandbox.requests;
	expect(await response.json()).toEqual({ id, status: 'queued' });
});
