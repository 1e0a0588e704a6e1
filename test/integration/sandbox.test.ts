import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { until } from '../../host/until';
import { readCommandLine } from '../../sandbox/commandLine';
import { type Dialect, dialects } from '../../sandbox/dialects';
import type { Fault } from '../../sandbox/faults';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server';

const description = parse(readFileSync(join(__dirname, '../../sandbox/openapi.yaml'), 'utf8'));
const ajv = addFormats(new Ajv({ strict: false, allErrors: true })).addSchema(
	description,
	'openapi',
);

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const sandboxes: Sandbox[] = [];

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox({ limit: null, jobDurationMs: 0, ...options });
	sandboxes.push(sandbox);
	return sandbox;
}

afterEach(async () => {
	await Promise.all(sandboxes.splice(0).map((sandbox) => sandbox.close()));
});

interface Call {
	/** Text is sent as it is, anything else as JSON. */
	body?: unknown;
	/** Value of the header Authorization; the read-write key where absent. */
	authorization?: string | null;
	contentType?: string;
}

function call(sandbox: Sandbox, operation: string, options: Call = {}): Promise<Response> {
	const [method = '', path = ''] = operation.split(' ');
	const { body, authorization = `Bearer ${sandbox.keys.readWrite}` } = options;
	return fetch(sandbox.baseUrl + path, {
		method,
		headers: {
			...(authorization !== null && { authorization }),
			...(body !== undefined && { 'content-type': options.contentType ?? 'application/json' }),
		},
		...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
	});
}

const pointer = (...keys: string[]) =>
	keys.map((key) => `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');

function resolved(at: string): { at: string; value: any } {
	const value = at
		.split('/')
		.slice(1)
		.reduce((node, key) => node?.[key.replace(/~1/g, '/').replace(/~0/g, '~')], description);
	return value?.$ref ? resolved(value.$ref.slice(1)) : { at, value };
}

function expectValid(at: string, value: unknown): void {
	const valid = ajv.validate(`openapi#${encodeURI(at)}`, value);
	expect({ value, errors: valid ? null : ajv.errors }).toEqual({ value, errors: null });
}

/** Asserts that openapi.yaml declares this answer, and that the answer is as declared; gives the body. */
async function declared(operation: string, response: Response): Promise<any> {
	const [method = '', path = ''] = operation.split(' ');
	const responses = pointer('paths', path, method.toLowerCase(), 'responses');
	const range = `${String(response.status)[0]}XX`;
	const exact = resolved(responses + pointer(String(response.status)));
	const { at, value } = exact.value ? exact : resolved(responses + pointer(range));
	if (!value) throw new Error(`${operation} does not declare ${response.status}`);

	for (const [name, header] of Object.entries<any>(value.headers ?? {})) {
		const text = response.headers.get(name);
		if (header.required) expect({ [name]: text }).toEqual({ [name]: expect.any(String) });
		if (text !== null) expectValid(at + pointer('headers', name, 'schema'), text);
	}
	const type = (response.headers.get('content-type') ?? '').replace(/;.*/, '');
	expect(Object.keys(value.content)).toEqual([type]);
	if (type !== 'application/json') return Buffer.from(await response.arrayBuffer());
	const body = await response.json();
	expectValid(at + pointer('content', type, 'schema'), body);
	return body;
}

const screened = async (sandbox: Sandbox, body: unknown = { address }) =>
	declared('POST /v1/screen', await call(sandbox, 'POST /v1/screen', { body }));

const submitted = async (sandbox: Sandbox, addresses: string[]): Promise<string> => {
	const response = await call(sandbox, 'POST /v1/bulk', { body: { addresses } });
	return (await declared('POST /v1/bulk', response)).job_id;
};

/** Asks for a job until it has ended; gives every status seen on the way, each once, and the last body. */
async function ended(sandbox: Sandbox, job_id: string): Promise<{ seen: string[]; body: any }> {
	// The handle said so; a slow client asks too late to be told again.
	const seen = new Set<string>(['queued']);
	const end = async () => {
		const response = await call(sandbox, `GET /v1/bulk/${job_id}`);
		const body = await declared('GET /v1/bulk/{job_id}', response);
		seen.add(body.status);
		return body.status === 'completed' || body.status === 'failed' ? body : undefined;
	};
	const body = await until(`job ${job_id} to end`, end, { pause: 0 });
	return { seen: [...seen], body };
}

const operations = [
	'POST /v1/screen',
	'GET /v1/reports/{id}',
	'GET /v1/reports/{id}/pdf',
	'POST /v1/bulk',
	'GET /v1/bulk/{job_id}',
];
const goodBody: Record<string, unknown> = {
	'POST /v1/screen': { address },
	'POST /v1/bulk': { addresses: [address] },
};

/** A call of the operation that succeeds. */
async function successful(
	sandbox: Sandbox,
	operation: string,
	options: Call = {},
): Promise<Response> {
	const { report_id } = await screened(sandbox);
	const job_id = await submitted(sandbox, [address]);
	const path = operation.replace('{id}', report_id).replace('{job_id}', job_id);
	return call(sandbox, path, { body: goodBody[operation], ...options });
}

describe('contract', () => {
	it('describes the five endpoints of the specification, and nothing else', () => {
		const described = Object.entries<any>(description.paths).flatMap(([path, item]) =>
			['get', 'post', 'put', 'patch', 'delete']
				.filter((method) => item[method])
				.map((method) => `${method.toUpperCase()} ${path}`),
		);
		expect(described.sort()).toEqual([...operations].sort());
	});

	it('declares every status that section 7 names, for each operation to which it can happen', () => {
		for (const operation of operations) {
			const [method = '', path = ''] = operation.split(' ');
			const statuses = Object.keys(description.paths[path][method.toLowerCase()].responses);
			const own = method === 'POST' ? '400' : '404';
			const success = operation === 'POST /v1/bulk' ? '202' : '200';
			expect(statuses.sort()).toEqual([success, own, '401', '403', '429', '5XX'].sort());
		}
	});

	it('has schemas that are strict enough to refuse a report without a score', async () => {
		const report = await screened(await start());
		delete report.risk.score;
		expect(() => expectValid('/components/schemas/Report', report)).toThrow('score');
	});
});

describe.each(operations)('%s', (operation) => {
	const expectStatus = async (response: Response, status: number) => {
		expect(response.status).toBe(status);
		return declared(operation, response);
	};

	it('succeeds', async () => {
		const response = await successful(await start(), operation);
		expect(response.status).toBe(operation === 'POST /v1/bulk' ? 202 : 200);
		await declared(operation, response);
	});

	it.each([
		['no key', null],
		['an unknown key', 'Bearer no-such-key'],
		['another scheme', 'Basic sandbox-read-write-key'],
		['a key that only begins right', 'Bearer sandbox-read-write-key-'],
	])('answers 401 to %s', async (_case, authorization) => {
		const response = await successful(await start(), operation, { authorization });
		const { error } = await expectStatus(response, 401);
		expect(error.code).toBe('unauthorized');
	});

	it('takes a read-only key only for a GET', async () => {
		const sandbox = await start();
		const authorization = `Bearer ${sandbox.keys.readOnly}`;
		const response = await successful(sandbox, operation, { authorization });
		await expectStatus(response, operation.startsWith('POST') ? 403 : 200);
		expect(sandbox.requests.at(-1)?.key).toBe('readOnly');
	});

	it('answers 429 with Retry-After once the limit of the key is exceeded', async () => {
		const sandbox = await start({ limit: { requestsPerSecond: 0.2, burst: 2 } });
		const response = await successful(sandbox, operation);
		await expectStatus(response, 429);
		expect(response.headers.get('retry-after')).toBe('5');
	});

	it('answers with the error status that the command line asks for', async () => {
		const [fault] = readCommandLine(['--fault-status', '503'])?.faults ?? [];
		const sandbox = await start();
		sandbox.addFault(fault as Fault);
		const response = await call(sandbox, operation, { body: goodBody[operation] });
		await expectStatus(response, 503);
	});
});

describe('malformed requests', () => {
	it.each<[string, string, Call]>([
		['no body', 'POST /v1/screen', {}],
		['an empty body', 'POST /v1/screen', { body: '' }],
		['no JSON', 'POST /v1/screen', { body: '{"address":' }],
		['no object', 'POST /v1/screen', { body: [address] }],
		['null', 'POST /v1/screen', { body: 'null' }],
		['another content type', 'POST /v1/screen', { body: { address }, contentType: 'text/plain' }],
		['no address', 'POST /v1/screen', { body: { chain: 'ETH' } }],
		['an empty address', 'POST /v1/screen', { body: { address: '' } }],
		['an address that is a number', 'POST /v1/screen', { body: { address: 1 } }],
		['an address that is null', 'POST /v1/screen', { body: { address: null } }],
		['a chain that is no text', 'POST /v1/screen', { body: { address, chain: 1 } }],
		['an empty chain', 'POST /v1/screen', { body: { address, chain: '' } }],
		['a field of another name', 'POST /v1/screen', { body: { address, network: 'ETH' } }],
		['no addresses', 'POST /v1/bulk', { body: {} }],
		['a list for a body', 'POST /v1/bulk', { body: [address] }],
		['one address in place of a list', 'POST /v1/bulk', { body: { addresses: address } }],
		['an empty list', 'POST /v1/bulk', { body: { addresses: [] } }],
		['a number among the addresses', 'POST /v1/bulk', { body: { addresses: [address, 1] } }],
		['an empty text among the addresses', 'POST /v1/bulk', { body: { addresses: [address, ''] } }],
		['1,001 addresses', 'POST /v1/bulk', { body: { addresses: Array(1001).fill(address) } }],
		['a chain', 'POST /v1/bulk', { body: { addresses: [address], chain: 'ETH' } }],
	])('with %s get 400 from %s', async (_case, operation, options) => {
		const response = await call(await start(), operation, options);
		expect(response.status).toBe(400);
		expect((await declared(operation, response)).error.code).toBe('bad_request');
	});

	it('are distinguished from requests that hold just what is allowed', async () => {
		const sandbox = await start();
		const response = await call(sandbox, 'POST /v1/bulk', {
			body: { addresses: Array(1000).fill(address) },
			contentType: 'application/json; charset=utf-8',
		});
		expect(response.status).toBe(202);
	});
});

describe('what does not exist', () => {
	it.each([
		['GET /v1/reports/{id}', 'GET /v1/reports/rep_0'],
		['GET /v1/reports/{id}/pdf', 'GET /v1/reports/rep_0/pdf'],
		['GET /v1/bulk/{job_id}', 'GET /v1/bulk/job_0'],
		['GET /v1/reports/{id}', 'GET /v1/reports/a%2Fb'],
		['GET /v1/bulk/{job_id}', `GET /v1/bulk/${'a'.repeat(5000)}`],
	])('gets 404 from %s', async (operation, path) => {
		const response = await call(await start(), path);
		expect(response.status).toBe(404);
		expect((await declared(operation, response)).error.code).toBe('not_found');
	});

	it.each([
		'GET /v1/nothing',
		'GET /screen',
		'DELETE /v1/bulk',
		'GET /v1/screen',
		'GET /reports/rep_0',
	])('gets 404 with a body like any other error: %s', async (path) => {
		const response = await call(await start(), path);
		expect(response.status).toBe(404);
		expectValid('/components/schemas/Error', await response.json());
	});
});

describe('screening', () => {
	it('echoes the address and the chain that were sent', async () => {
		const sandbox = await start();
		expect(await screened(sandbox, { address, chain: 'ARB' })).toMatchObject({
			address,
			chain: 'ARB',
		});
		expect(await screened(sandbox, { address })).toMatchObject({ address, chain: 'ETH' });
	});

	it('gives a report that can be had again, as JSON, as PDF and as a page without a key', async () => {
		const sandbox = await start();
		const report = await screened(sandbox);
		const again = await call(sandbox, `GET /v1/reports/${report.report_id}`);
		expect(await again.json()).toEqual(report);

		const pdf = await call(sandbox, `GET /v1/reports/${report.report_id}/pdf`);
		const bytes: Buffer = await declared('GET /v1/reports/{id}/pdf', pdf);
		expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
		expect(pdf.headers.get('content-disposition')).toContain(`${report.report_id}.pdf`);

		const page = await fetch(report.report_url);
		expect(page.status).toBe(200);
		expect(page.headers.get('content-type')).toMatch(/^text\/html/);
		expect(await page.text()).toContain(address);
	});

	it('answers 500, in the shape of an error, when the sandbox itself breaks', async () => {
		const sandbox = await start({
			jobs: () => {
				throw new Error('broken plan');
			},
		});
		const response = await call(sandbox, 'POST /v1/bulk', { body: { addresses: [address] } });
		expect(response.status).toBe(500);
		expect((await declared('POST /v1/bulk', response)).error.code).toBe('server_error');
	});
});

describe('bulk job', () => {
	it('goes through its states and ends with the reports that screening gives', async () => {
		const sandbox = await start({ jobDurationMs: 600 });
		const addresses = [address, 'TBHTJqAy4DhHhmT3dNceJYNRz4SdLofLre', 'bc1qexample', address];
		const job_id = await submitted(sandbox, addresses);
		const { seen, body } = await ended(sandbox, job_id);
		expect(seen).toEqual(['queued', 'processing', 'completed']);
		const single = await Promise.all(addresses.map((one) => screened(sandbox, { address: one })));
		expect(body).toEqual({ job_id, status: 'completed', results: single });
	});

	it('makes reports that can be had by their identifiers', async () => {
		const sandbox = await start();
		const { body } = await ended(sandbox, await submitted(sandbox, [address]));
		const [report] = body.results;
		const response = await call(sandbox, `GET /v1/reports/${report.report_id}`);
		expect(await response.json()).toEqual(report);
	});

	it('fails by plan', async () => {
		const sandbox = await start({ jobs: ({ index }) => ({ fails: index === 0 }) });
		const job_id = await submitted(sandbox, [address]);
		const second = await submitted(sandbox, [address]);
		expect((await ended(sandbox, job_id)).body).toEqual({ job_id, status: 'failed' });
		expect((await ended(sandbox, second)).body.status).toBe('completed');
	});

	it('can be one of a hundred with a thousand addresses each', async () => {
		const sandbox = await start();
		const jobs = await Promise.all(
			Array.from({ length: 100 }, (_, job) =>
				submitted(
					sandbox,
					Array.from({ length: 1000 }, (_address, index) => `${job}-${index}`),
				),
			),
		);
		expect(new Set(jobs).size).toBe(100);
		const { body } = await ended(sandbox, jobs[42] ?? '');
		expect(body.results.map((report: any) => report.address)).toEqual(
			Array.from({ length: 1000 }, (_address, index) => `42-${index}`),
		);
	});
});

describe.each(Object.entries<Dialect>(dialects))('dialect %s', (_name, dialect) => {
	const open = (body: any) => (dialect.envelope ? body[dialect.envelope] : body);

	it('spells handle, status and results its own way', async () => {
		const sandbox = await start({ dialect });
		const addresses = [address, 'bc1qexample'];
		const handle = open(
			await (await call(sandbox, 'POST /v1/bulk', { body: { addresses } })).json(),
		);
		expect(handle).toEqual({
			[dialect.idField]: sandbox.requests[0]?.job_id,
			[dialect.stateField]: dialect.states.queued,
		});
		const reports = await Promise.all(addresses.map((one) => screened(sandbox, { address: one })));
		const status = await call(sandbox, `GET /v1/bulk/${handle[dialect.idField]}`);
		expect(open(await status.json())).toEqual({
			[dialect.idField]: handle[dialect.idField],
			[dialect.stateField]: dialect.states.completed,
			[dialect.resultsField]:
				dialect.resultsAs === 'array'
					? reports
					: { [address]: reports[0], bc1qexample: reports[1] },
		});
	});
});

describe('rate limit', () => {
	it('is said in headers of each answer, if asked to', async () => {
		const limit = { requestsPerSecond: 0.1, burst: 2 };
		const sandbox = await start({ limit, rateLimitHeaders: true });
		const said: unknown[] = [];
		for (let count = 0; count < 3; count++) {
			const { status, headers } = await call(sandbox, 'GET /v1/reports/rep_0');
			said.push([status, headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')]);
		}
		expect(said).toEqual([
			[404, '1', '10'],
			[404, '0', '20'],
			[429, '0', '20'],
		]);
		const silent = await start({ limit });
		expect((await call(silent, 'GET /v1/reports/rep_0')).headers.has('ratelimit-reset')).toBe(
			false,
		);
	});

	it('is that of the Pro plan if nothing else is said', async () => {
		const sandbox = await startSandbox();
		sandboxes.push(sandbox);
		const begun = performance.now();
		const responses = await Promise.all(
			Array.from({ length: 100 }, () => call(sandbox, 'GET /v1/reports/rep_0')),
		);
		const passed = responses.filter(({ status }) => status === 404).length;
		const seconds = (performance.now() - begun) / 1000;
		expect(passed).toBeGreaterThanOrEqual(50);
		expect(passed).toBeLessThanOrEqual(51 + 10 * seconds);
	});
});

describe('record of requests', () => {
	it('holds each request as it arrived, with what became of it', async () => {
		const sandbox = await start();
		const before = Date.now();
		await call(sandbox, 'POST /v1/bulk', { body: { addresses: [address] } });
		await call(sandbox, 'POST /v1/screen?x=1', { body: 'no JSON', authorization: 'Bearer x' });
		const [bulk, screen] = sandbox.requests;
		expect(bulk).toEqual({
			at: expect.any(Number),
			method: 'POST',
			path: '/v1/bulk',
			body: { addresses: [address] },
			key: 'readWrite',
			status: 202,
			job_id: expect.stringMatching(/^job_/),
		});
		expect(bulk?.at).toBeGreaterThanOrEqual(before);
		expect(screen).toMatchObject({
			path: '/v1/screen?x=1',
			body: undefined,
			key: null,
			status: 401,
		});
	});
});

describe('sandbox', () => {
	it('waits before each answer if it has a latency', async () => {
		const sandbox = await start({ latencyMs: 60 });
		const begun = performance.now();
		await call(sandbox, 'GET /v1/reports/rep_0');
		expect(performance.now() - begun).toBeGreaterThanOrEqual(58);
	});

	it('refuses to start on a port that is taken', async () => {
		const { baseUrl } = await start();
		await expect(startSandbox({ port: Number(new URL(baseUrl).port) })).rejects.toMatchObject({
			code: 'EADDRINUSE',
		});
	});

	it('survives a client that leaves before the answer', async () => {
		const sandbox = await start({ latencyMs: 50 });
		const leaving = new AbortController();
		const left = fetch(`${sandbox.baseUrl}/v1/reports/rep_0`, { signal: leaving.signal });
		await until('the request', async () => sandbox.requests[0], { pause: 0 });
		leaving.abort();
		await expect(left).rejects.toThrow('abort');
		expect((await call(sandbox, 'GET /v1/reports/rep_0')).status).toBe(404);
		expect(sandbox.requests.map(({ status }) => status)).toEqual([null, 404]);
	});

	it('destroys open connections when it is closed, and may be closed twice', async () => {
		const sandbox = await start({ latencyMs: 60_000 });
		const open = call(sandbox, 'GET /v1/reports/rep_0');
		const outcome = expect(open).rejects.toThrow('fetch failed');
		await until('the request', async () => sandbox.requests[0], { pause: 0 });
		await sandbox.close();
		await outcome;
		await sandbox.close();
	});
});
