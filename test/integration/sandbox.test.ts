import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { until } from '../../tools/host/until';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server';
import { scenarios } from '../../sandbox/scenarios';
import { ethereum as address } from '../support/data/knownAddresses';

const root = join(__dirname, '../..');
const description = parse(readFileSync(join(root, 'sandbox/openapi.yaml'), 'utf8'));
const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));

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

function resolved(node: any): any {
	const keys: string[] | undefined = node.$ref?.split('/').slice(1);
	return keys ? resolved(keys.reduce((at, key) => at[key], description)) : node;
}

function expectValid(schema: object, value: unknown): void {
	const { components } = description;
	const valid = ajv.validate({ ...schema, components }, value);
	expect({ value, errors: valid ? null : ajv.errors }).toEqual({ value, errors: null });
}

/** Asserts the status, and that openapi.yaml declares this answer as it is; gives the body. */
async function declared(operation: string, status: number, response: Response): Promise<any> {
	expect(response.status).toBe(status);
	const [method = '', path = ''] = operation.split(' ');
	const { responses } = description.paths[path][method.toLowerCase()];
	const { headers = {}, content } = resolved(responses[status]);
	for (const [name, header] of Object.entries<any>(headers)) {
		const text = response.headers.get(name);
		if (header.required) expect({ [name]: text }).toEqual({ [name]: expect.any(String) });
		if (text !== null) expectValid(header.schema, text);
	}
	const type = (response.headers.get('content-type') ?? '').replace(/;.*/, '');
	expect(Object.keys(content)).toEqual([type]);
	if (type !== 'application/json') return Buffer.from(await response.arrayBuffer());
	const body = await response.json();
	expectValid(content[type].schema, body);
	return body;
}

const screened = async (body: object, sandbox = usual) =>
	declared('POST /v1/screen', 200, await call('POST /v1/screen', { body, sandbox }));

const submitted = async (addresses: string[], sandbox = usual): Promise<string> => {
	const response = await call('POST /v1/bulk', { body: { addresses }, sandbox });
	return (await declared('POST /v1/bulk', 202, response)).job_id;
};

describe.each<[operation: string, success: number, body?: object]>([
	['POST /v1/screen', 200, { address }],
	['GET /v1/reports/{id}', 200],
	['GET /v1/reports/{id}/pdf', 200],
	['POST /v1/bulk', 202, { addresses: [address] }],
	['GET /v1/bulk/{job_id}', 200],
])('%s', (operation, success, body) => {
	let path: string;
	const expectStatus = async (status: number, options: Call = {}) => {
		const response = await call(path, { ...(body && { body }), ...options });
		await declared(operation, status, response);
		return response;
	};
	beforeAll(async () => {
		const { report_id } = await screened({ address });
		path = operation.replace('{id}', report_id).replace('{job_id}', await submitted([address]));
	});

	it('succeeds, for a read-only key only if it is a GET, and for no other key', async () => {
		await expectStatus(success);
		const readOnly = `Bearer ${usual.keys.readOnly}`;
		const isPost = operation.startsWith('POST');
		await expectStatus(isPost ? 403 : 200, { authorization: readOnly });
		for (const authorization of ['', readOnly.replace('Bearer', 'Basic'), `${readOnly}-`])
			await expectStatus(401, { authorization });
	});

	it('answers 429 with Retry-After once the limit of the key is exceeded', async () => {
		const sandbox = await start({ limit: { requestsPerSecond: 0.2, burst: 1 } });
		await call(missing, { sandbox });
		const { headers } = await expectStatus(429, { sandbox });
		expect(headers.get('retry-after')).toBe('5');
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

it('names the field that a request may not have', async () => {
	const body = { address, network: 'ETH' };
	const { error } = await declared('POST /v1/screen', 400, await call('POST /v1/screen', { body }));
	expect(error.message).toBe('The body must NOT have additional properties, such as "network"');
});

it('a path that is no valid URL gets an error in the same form', async () => {
	const answer = await call('GET /v1/reports/%zz');
	expect(answer.status).toBe(400);
	expectValid({ $ref: '#/components/schemas/Error' }, await answer.json());
});

/** The addresses that only this machine reaches; without IPv6 there is one. */
const loopbacks = Object.values(networkInterfaces())
	.flatMap((addresses = []) => addresses)
	.filter(({ internal, address: one }) => internal && !one.startsWith('fe80'))
	.map(({ address: one }) => one);

it.each(loopbacks)('answers at its base URL if it listens on %s', async (host) => {
	const sandbox = await start({ host });
	expect(await screened({ address }, sandbox)).toMatchObject({ address });
});

it.each(['unknown', 'no–pe', 'a\nb'])('the PDF of the unknown ID %j gets 404', async (id) => {
	const pdf = await call(`GET /v1/reports/${encodeURIComponent(id)}/pdf`);
	await declared('GET /v1/reports/{id}/pdf', 404, pdf);
	expect(pdf.headers.get('content-disposition')).toBeNull();
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
	const planJob: SandboxOptions['planJob'] = ({ index }) => ({ fails: index === 1 });
	// Long enough that a busy machine sees every state.
	const sandbox = await start({ jobDurationMs: 1500, planJob });
	const addresses = [address, tron, address];
	const reports = addresses.map((one) => screened({ address: one }, sandbox));
	/**
	 * The results of an ended job, and the states in which it was seen: the handle says the first.
	 */
	const ended = async (job_id: string) => {
		const states = new Set<string>(['queued']);
		const { results } = await until(`job ${job_id} to end`, async () => {
			const looked = await call(`GET /v1/bulk/${job_id}`, { sandbox });
			const body = await declared('GET /v1/bulk/{job_id}', 200, looked);
			states.add(body.status);
			return ['completed', 'failed'].includes(body.status) ? body : undefined;
		});
		return { states: [...states], results };
	};
	expect(await ended(await submitted(addresses, sandbox))).toEqual({
		states: ['queued', 'processing', 'completed'],
		results: await Promise.all(reports),
	});
	const states = ['queued', 'processing', 'failed'];
	expect(await ended(await submitted([address], sandbox))).toEqual({ states });
});

it('the answers for all test addresses are those that the description declares', async () => {
	const answered = scenarios.filter(({ isRejected, slowMs }) => !isRejected && !slowMs);
	for (const day of [0, 1]) {
		const sandbox = await start({ day });
		for (const { address: one } of answered)
			expect(await screened({ address: one }, sandbox)).toMatchObject({ address: one });
	}
});

it('a test address changes by the day, and leaves its earlier report as it was', async () => {
	const sandbox = await start({ day: 0 });
	const changing = { address: `0x7e57${'20'.padStart(36, '0')}` };
	const before = await screened(changing, sandbox);
	for (const body of [-1, 1.5, 100_000_000, 'tomorrow'])
		expect((await call('PUT /sandbox/day', { body, sandbox })).status).toBe(400);
	expect((await call('PUT /sandbox/day', { body: 3, sandbox })).status).toBe(200);
	const after = await screened(changing, sandbox);
	expect([before.risk.level, after.risk.level]).toEqual(['green', 'red']);
	const again = await call(`GET /v1/reports/${before.report_id}`, { sandbox });
	expect(await again.json()).toEqual(before);
});
