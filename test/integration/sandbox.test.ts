import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { until } from '../../tools/host/until';
import { readCommandLine } from '../../sandbox/commandLine';
import { dialects } from '../../sandbox/dialects';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server';

const description = parse(readFileSync(join(__dirname, '../../sandbox/openapi.yaml'), 'utf8'));
const ajv = addFormats(new Ajv({ strict: false, allErrors: true })).addSchema(
	description,
	'openapi',
);

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const missing = 'GET /v1/reports/rep_0';

const sandboxes: Sandbox[] = [];
async function start(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox({ limit: null, jobDurationMs: 0, ...options });
	sandboxes.push(sandbox);
	return sandbox;
}
let usual: Sandbox;
beforeAll(async () => (usual = await start()));
afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())));

interface Call {
	/** Text is sent as it is, anything else as JSON. */
	body?: unknown;
	/** Value of the header Authorization; the read-write key if absent. */
	authorization?: string;
	contentType?: string;
	sandbox?: Sandbox;
}

function call(
	operation: string,
	{ sandbox = usual, contentType = 'application/json', ...options }: Call = {},
): Promise<Response> {
	const [method = '', path = ''] = operation.split(' ');
	const { body, authorization = `Bearer ${sandbox.keys.readWrite}` } = options;
	return fetch(sandbox.baseUrl + path, {
		method,
		headers: { authorization, ...(body !== undefined && { 'content-type': contentType }) },
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

/** Asserts the status, and that openapi.yaml declares this answer as it is; gives the body. */
async function declared(operation: string, status: number, response: Response): Promise<any> {
	expect(response.status).toBe(status);
	const [method = '', path = ''] = operation.split(' ');
	const responses = pointer('paths', path, method.toLowerCase(), 'responses');
	const { at, value } = resolved(responses + pointer(status < 500 ? `${status}` : '5XX'));

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

const screened = async (body: object, sandbox = usual) =>
	declared('POST /v1/screen', 200, await call('POST /v1/screen', { body, sandbox }));

const submitted = async (addresses: string[], sandbox = usual): Promise<string> => {
	const response = await call('POST /v1/bulk', { body: { addresses }, sandbox });
	return (await declared('POST /v1/bulk', 202, response)).job_id;
};

/** Asks for a job until it has ended; gives every status seen on the way, each once, and the last body. */
async function ended(job_id: string, sandbox = usual): Promise<{ seen: string[]; body: any }> {
	// The handle said so; a slow client asks too late to be told again.
	const seen = new Set<string>(['queued']);
	const end = async () => {
		const response = await call(`GET /v1/bulk/${job_id}`, { sandbox });
		const body = await declared('GET /v1/bulk/{job_id}', 200, response);
		seen.add(body.status);
		return body.status === 'completed' || body.status === 'failed' ? body : undefined;
	};
	const body = await until(`job ${job_id} to end`, end, { pause: 0 });
	return { seen: [...seen], body };
}

const operations: Array<[operation: string, success: number, body?: object]> = [
	['POST /v1/screen', 200, { address }],
	['GET /v1/reports/{id}', 200],
	['GET /v1/reports/{id}/pdf', 200],
	['POST /v1/bulk', 202, { addresses: [address] }],
	['GET /v1/bulk/{job_id}', 200],
];

it('the description is strict enough to refuse a report without a score', async () => {
	const report = await screened({ address });
	delete report.risk.score;
	expect(() => expectValid('/components/schemas/Report', report)).toThrow('score');
});

describe.each(operations)('%s', (operation, success, body) => {
	let path: string;
	const expectStatus = async (status: number, options: Call = {}) => {
		const response = await call(path, { ...(body && { body }), ...options });
		return { response, body: await declared(operation, status, response) };
	};
	beforeAll(async () => {
		const { report_id } = await screened({ address });
		path = operation.replace('{id}', report_id).replace('{job_id}', await submitted([address]));
	});

	it('succeeds', () => expectStatus(success));

	it.each([
		'',
		'Bearer no-such-key',
		'Basic sandbox-read-write-key',
		'Bearer sandbox-read-write-key-',
	])('answers 401 to the authorization %j', async (authorization) => {
		const { error } = (await expectStatus(401, { authorization })).body;
		expect(error.code).toBe('unauthorized');
	});

	it('takes a read-only key only for a GET', async () => {
		const authorization = `Bearer ${usual.keys.readOnly}`;
		await expectStatus(operation.startsWith('POST') ? 403 : 200, { authorization });
	});

	it('answers 429 with Retry-After once the limit of the key is exceeded', async () => {
		const sandbox = await start({ limit: { requestsPerSecond: 0.2, burst: 1 } });
		await call(missing, { sandbox });
		const { response } = await expectStatus(429, { sandbox });
		expect(response.headers.get('retry-after')).toBe('5');
	});

	it('answers with the error status that the command line asks for', async () => {
		const { faults } = readCommandLine(['--fault-status', '503'])!;
		const end = usual.addFault(faults[0]!);
		await expectStatus(503);
		end();
	});
});

it.each<[string, string, Call]>([
	['no body', 'POST /v1/screen', {}],
	['no JSON', 'POST /v1/screen', { body: '{"address":' }],
	['another content type', 'POST /v1/screen', { body: { address }, contentType: 'text/plain' }],
	['no address', 'POST /v1/screen', { body: { chain: 'ETH' } }],
	['what is no address', 'POST /v1/screen', { body: { address: 'hello' } }],
	['an address that is a number', 'POST /v1/screen', { body: { address: 1 } }],
	['a field of another name', 'POST /v1/screen', { body: { address, network: 'ETH' } }],
	['no address among others', 'POST /v1/bulk', { body: { addresses: [address, 'hello'] } }],
	['one address in place of a list', 'POST /v1/bulk', { body: { addresses: address } }],
	['an empty list', 'POST /v1/bulk', { body: { addresses: [] } }],
	['1,001 addresses', 'POST /v1/bulk', { body: { addresses: Array(1001).fill(address) } }],
])('a request with %s gets 400 from %s', async (_case, operation, options) => {
	const { error } = await declared(operation, 400, await call(operation, options));
	expect(error.code).toBe('bad_request');
});

it('1,000 addresses are accepted', async () => {
	expect(await submitted(Array(1000).fill(address))).toMatch(/^job_/);
});

it.each([
	missing,
	'GET /v1/reports/a%2Fb',
	`GET /v1/bulk/${'a'.repeat(5000)}`,
	'GET /v1/nothing',
	'DELETE /v1/bulk',
	'GET /reports/rep_0',
])('what does not exist gets 404 with a body like any other error: %s', async (path) => {
	const response = await call(path);
	expect(response.status).toBe(404);
	expectValid('/components/schemas/Error', await response.json());
});

it('a report can be had again, as JSON, as PDF and as a page without a key', async () => {
	const report = await screened({ address, chain: 'ARB' });
	expect(report).toMatchObject({ address, chain: 'ARB' });
	expect(await (await call(`GET /v1/reports/${report.report_id}`)).json()).toEqual(report);

	const pdf = await call(`GET /v1/reports/${report.report_id}/pdf`);
	const bytes: Buffer = await declared('GET /v1/reports/{id}/pdf', 200, pdf);
	expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
	expect(pdf.headers.get('content-disposition')).toContain(`${report.report_id}.pdf`);

	const page = await fetch(report.report_url);
	expect(page.headers.get('content-type')).toMatch(/^text\/html/);
	expect(await page.text()).toContain(address);
});

describe('a bulk job', () => {
	it('goes through its states and ends with the reports that screening gives', async () => {
		const sandbox = await start({ jobDurationMs: 300 });
		const addresses = [address, tron, address];
		const job_id = await submitted(addresses, sandbox);
		const { seen, body } = await ended(job_id, sandbox);
		expect(seen).toEqual(['queued', 'processing', 'completed']);
		const single = addresses.map((one) => screened({ address: one }, sandbox));
		expect(body).toEqual({ job_id, status: 'completed', results: await Promise.all(single) });
	});

	it('fails by plan', async () => {
		const sandbox = await start({ jobs: ({ index }) => ({ fails: index === 0 }) });
		const [job_id, second] = [
			await submitted([address], sandbox),
			await submitted([address], sandbox),
		];
		expect((await ended(job_id, sandbox)).body).toEqual({ job_id, status: 'failed' });
		expect((await ended(second, sandbox)).body.status).toBe('completed');
	});

	it.each<[keyof typeof dialects, object, object]>([
		['short', { id: 'ID', state: 'pending' }, { id: 'ID', state: 'done', reports: 'LIST' }],
		[
			'wrapped',
			{ job: { jobId: 'ID', state: 'QUEUED' } },
			{ job: { jobId: 'ID', state: 'JOB_STATE_SUCCEEDED', data: 'KEYED' } },
		],
		[
			'foreign',
			{ ticket: 'ID', lifecycle: 'minted' },
			{ ticket: 'ID', lifecycle: 'scored', verdicts: 'LIST' },
		],
	])('is spelled in the dialect %s', async (name, handle, complete) => {
		const sandbox = await start({ dialect: dialects[name] });
		const submit = await call('POST /v1/bulk', { body: { addresses: [address] }, sandbox });
		const id = sandbox.requests[0]!.job_id!;
		const report = await screened({ address }, sandbox);
		const filled = (body: object) =>
			JSON.parse(
				JSON.stringify(body)
					.replace('ID', id)
					.replace('"LIST"', JSON.stringify([report]))
					.replace('"KEYED"', JSON.stringify({ [address]: report })),
			) as object;
		expect(await submit.json()).toEqual(filled(handle));
		const status = await call(`GET /v1/bulk/${id}`, { sandbox });
		expect(await status.json()).toEqual(filled(complete));
	});
});

it('headers say what is left of the rate limit, if asked to', async () => {
	const limit = { requestsPerSecond: 0.1, burst: 2 };
	const sandbox = await start({ limit, rateLimitHeaders: true });
	const said: unknown[] = [];
	for (let count = 0; count < 3; count++) {
		const { status, headers } = await call(missing, { sandbox });
		said.push([status, headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')]);
	}
	expect(said).toEqual([
		[404, '1', '10'],
		[404, '0', '20'],
		[429, '0', '20'],
	]);
	const silent = await call(missing, { sandbox: await start({ limit }) });
	expect(silent.headers.has('ratelimit-reset')).toBe(false);
});

it('each request is recorded as it arrived, with what became of it', async () => {
	const sandbox = await start();
	await call('POST /v1/bulk', { body: { addresses: [address] }, sandbox });
	await call('POST /v1/screen?x=1', { body: 'no JSON', authorization: 'Bearer x', sandbox });
	const at = expect.any(Number);
	expect(sandbox.requests).toEqual([
		{
			...{ at, method: 'POST', path: '/v1/bulk', body: { addresses: [address] } },
			...{ key: 'readWrite', status: 202, job_id: expect.stringMatching(/^job_/) },
		},
		{ at, method: 'POST', path: '/v1/screen?x=1', body: undefined, key: null, status: 401 },
	]);
});

it('a client may leave before the answer, and closing destroys open connections', async () => {
	const sandbox = await start({ latencyMs: 60_000 });
	const leaving = new AbortController();
	const left = fetch(`${sandbox.baseUrl}/v1/reports/rep_0`, { signal: leaving.signal });
	const open = call(missing, { sandbox });
	const outcome = expect(open).rejects.toThrow('fetch failed');
	await until('the requests', async () => sandbox.requests[1], { pause: 0 });
	leaving.abort();
	await expect(left).rejects.toThrow('abort');
	await sandbox.close();
	await outcome;
	expect(sandbox.requests.map(({ status }) => status)).toEqual([null, null]);
});
