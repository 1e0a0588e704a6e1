import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { until } from '../../tools/host/until';
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
	sandbox?: Sandbox;
}

function call(operation: string, { sandbox = usual, ...options }: Call = {}): Promise<Response> {
	const [method = '', path = ''] = operation.split(' ');
	const { body, authorization = `Bearer ${sandbox.keys.readWrite}` } = options;
	return fetch(sandbox.baseUrl + path, {
		method,
		headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
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

const operations: Array<[operation: string, success: number, body?: object]> = [
	['POST /v1/screen', 200, { address }],
	['GET /v1/reports/{id}', 200],
	['GET /v1/reports/{id}/pdf', 200],
	['POST /v1/bulk', 202, { addresses: [address] }],
	['GET /v1/bulk/{job_id}', 200],
];

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

	it('answers 401 without the key', async () => {
		for (const authorization of [
			'',
			'Basic sandbox-read-write-key',
			'Bearer sandbox-read-write-key-',
		])
			await expectStatus(401, { authorization });
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
});

it.each<[string, string, Call]>([
	['no JSON', 'POST /v1/screen', { body: '{"address":' }],
	['what is no address', 'POST /v1/screen', { body: { address: 'hello' } }],
	['a field of another name', 'POST /v1/screen', { body: { address, network: 'ETH' } }],
	['no address among others', 'POST /v1/bulk', { body: { addresses: [address, 'hello'] } }],
	['an empty list', 'POST /v1/bulk', { body: { addresses: [] } }],
	['1,001 addresses', 'POST /v1/bulk', { body: { addresses: Array(1001).fill(address) } }],
])('a request with %s gets 400 from %s', async (_case, operation, options) => {
	const { error } = await declared(operation, 400, await call(operation, options));
	expect(error.code).toBe('bad_request');
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

it('a bulk job goes through its states and ends with the reports that screening gives', async () => {
	const sandbox = await start({
		jobDurationMs: 300,
		jobs: ({ index }) => ({ fails: index === 1 }),
	});
	const addresses = [address, tron, address];
	const seen = async (of: string[]) => {
		const job_id = await submitted(of, sandbox);
		// The handle said so; a slow client asks too late to be told again.
		const states = new Set<string>(['queued']);
		const end = async () => {
			const response = await call(`GET /v1/bulk/${job_id}`, { sandbox });
			const body = await declared('GET /v1/bulk/{job_id}', 200, response);
			states.add(body.status);
			return body.status === 'completed' || body.status === 'failed' ? body : undefined;
		};
		const { results } = await until(`job ${job_id} to end`, end, { pause: 0 });
		return { states: [...states], results };
	};
	const reports = addresses.map((one) => screened({ address: one }, sandbox));
	expect(await seen(addresses)).toEqual({
		states: ['queued', 'processing', 'completed'],
		results: await Promise.all(reports),
	});
	expect(await seen([address])).toEqual({ states: ['queued', 'processing', 'failed'] });
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
