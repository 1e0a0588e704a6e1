import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openings, type OpeningId } from '../../check/openings';
import { run, testAddresses } from '../../check/run';
import { dialects } from '../../sandbox/dialects';
import type { Fault, FaultTarget } from '../../sandbox/faults';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server';
import { signatureHeaders, type WebhookScheme } from '../../sandbox/webhook';

const root = join(__dirname, '../..');
const webhookSecret = 'whsec_c2VjcmV0LW9mLXRoZS13ZWJob29r';
let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'check-service-'));
});
afterEach(async () => await rm(folder, { recursive: true }));

interface Transcript {
	findings: Array<{ section: string; open: string; found: string; understood: string }>;
	exchanges: unknown[];
}

interface Outcome {
	code: number;
	/** All that was printed or written. */
	output: string;
	transcript: Transcript;
}

async function check(
	args: string[],
	environment: NodeJS.ProcessEnv = {},
	onPrint: (text: string) => void = () => {},
): Promise<Outcome> {
	const file = join(folder, 'transcript.json');
	const printed: string[] = [];
	const print = (text: string) => {
		printed.push(text);
		onPrint(text);
	};
	const code = await run([...args, '--json', file], environment, {
		print,
		progress: print,
		ask: undefined,
		width: 100,
		colors: false,
	});
	const json = await readFile(file, 'utf8');
	return {
		code,
		output: `${printed.join('\n')}\n${json}`,
		transcript: JSON.parse(json) as Transcript,
	};
}

const environmentOf = ({ baseUrl, keys }: Sandbox): NodeJS.ProcessEnv => ({
	WALLET_SCREENING_API_KEY: keys.readWrite,
	WALLET_SCREENING_BASE_URL: baseUrl,
	WALLET_SCREENING_WEBHOOK_SECRET: webhookSecret,
});

async function withService<T>(
	options: SandboxOptions,
	faults: Fault[],
	work: (sandbox: Sandbox) => Promise<T>,
): Promise<T> {
	const sandbox = await startSandbox({ jobDurationMs: 300, ...options });
	try {
		for (const fault of faults) sandbox.addFault(fault);
		return await work(sandbox);
	} finally {
		await sandbox.close();
	}
}

const placesIn = ({ findings }: Transcript) =>
	findings.filter(({ understood }) => understood === 'no').map(({ open }) => open);

const bills = ({ requests }: Sandbox) =>
	requests
		.filter(({ method }) => method === 'POST')
		.map(({ path, body }) => [path, (body as { addresses?: string[] }).addresses ?? 'one']);

const oneScreeningAndOneJob = [
	['/v1/screen', 'one'],
	['/v1/bulk', [...testAddresses]],
];

const isJob = ({ method, path }: FaultTarget) => method === 'GET' && path.startsWith('/v1/bulk/');
const isScreening = ({ path }: FaultTarget) => path === '/v1/screen';
const isSubmit = ({ method, path }: FaultTarget) => method === 'POST' && path === '/v1/bulk';
const isPdf = ({ path }: FaultTarget) => path.endsWith('/pdf');
const isUnknownReport = ({ path }: FaultTarget) => path === '/v1/reports/credential-test';

const rewriting = (when: Fault['when'], rewrite: (body: any) => unknown): Fault => ({
	when: when!,
	effect: { kind: 'rewrite', rewrite },
});
const answering = (
	when: Fault['when'],
	status: number,
	body: string,
	headers: Record<string, string> = {},
): Fault => ({
	when: when!,
	effect: {
		kind: 'answer',
		status,
		headers: { 'content-type': 'application/json', ...headers },
		body,
	},
});

describe('a service that the nodes understand', () => {
	test.each(Object.keys(dialects) as Array<keyof typeof dialects>)(
		'ends with 0 in the dialect %s, after one screening and one job',
		async (name) => {
			await withService({ dialect: dialects[name] }, [], async (sandbox) => {
				const { code, output, transcript } = await check(['--yes'], environmentOf(sandbox));
				expect(placesIn(transcript)).toEqual([]);
				expect(code).toBe(0);
				expect(bills(sandbox)).toEqual(oneScreeningAndOneJob);
				const { states } = dialects[name];
				expect(output).toContain(states.completed);
				expect(transcript.findings.map(({ open }) => open)).toEqual(
					Object.values(openings).map(({ open }) => open),
				);
			});
		},
	);

	test('screens the addresses that were given, and shows them nowhere', async () => {
		const given = ['TQmnXsWPJFxyTxKe4bkZCgLzJYkCvy5mDd', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh'];
		await withService({ dialect: dialects.keyedByAddress }, [], async (sandbox) => {
			const { code, output } = await check(
				['--yes', ...given.flatMap((address) => ['--address', address])],
				environmentOf(sandbox),
			);
			expect(code).toBe(0);
			expect(bills(sandbox)[1]).toEqual(['/v1/bulk', given]);
			for (const address of given) expect(output).not.toContain(address);
		});
	});
});

describe('a service that is odd in one place', () => {
	const results = (body: any, change: (all: any[]) => unknown) =>
		body.results ? { ...body, results: change(body.results) } : body;
	const odd: Array<[string, OpeningId, Fault]> = [
		[
			'a state of its own for a complete job',
			'unknownState',
			rewriting(isJob, ({ status, ...body }) => ({
				...body,
				status: status === 'completed' ? 'archived' : status,
			})),
		],
		[
			'a job ID under another name',
			'jobHandle',
			rewriting(isSubmit, ({ job_id }) => ({ reference: job_id, status: 'queued' })),
		],
		[
			'a score that is a text',
			'missingFields',
			rewriting(isScreening, (body) => ({
				...body,
				risk: { ...body.risk, score: `${body.risk.score}` },
			})),
		],
		[
			'reports without a balance',
			'missingFields',
			rewriting(isScreening, ({ balance: _, ...body }) => body),
		],
		[
			'a link in the place of the PDF',
			'pdf',
			answering(isPdf, 200, '{"url":"https://files.example/1"}'),
		],
		[
			'another chain than the one asked for',
			'chains',
			rewriting(isScreening, (body) => ({ ...body, chain: 'ethereum-mainnet' })),
		],
		[
			'another address in the report',
			'addressEcho',
			rewriting(isScreening, (body) => ({
				...body,
				address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh',
			})),
		],
		[
			'another risk when the report is asked for again',
			'reportBody',
			rewriting(
				({ method, path }) =>
					method === 'GET' &&
					/reports\/[^/]+$/.test(path) &&
					!isUnknownReport({ method, path, body: undefined }),
				(body) => ({ ...body, risk: { ...body.risk, score: 0.987 } }),
			),
		],
		[
			'no result for one address',
			'results',
			rewriting(isJob, (body) => results(body, (all) => all.slice(1))),
		],
		[
			'results behind a link',
			'results',
			rewriting(isJob, ({ results: all, ...body }) =>
				all ? { ...body, download: 'https://files.example/1' } : body,
			),
		],
		[
			'an entry that is not a report',
			'noReport',
			rewriting(isJob, (body) =>
				results(body, ([first, ...others]) => [
					{ address: first.address, verdict: 'fine' },
					...others,
				]),
			),
		],
		[
			'a job that fails',
			'states',
			rewriting(isJob, (body) => ({ job_id: body.job_id, status: 'failed' })),
		],
		['status 500 for an unknown report', 'unknownId', answering(isUnknownReport, 500, '{}')],
		[
			'success for an unknown report',
			'unknownId',
			answering(isUnknownReport, 200, '{"found":false}'),
		],
		[
			'rate-limit headers in words',
			'quota',
			answering(isUnknownReport, 404, '{}', { 'x-ratelimit-remaining': 'plenty' }),
		],
	];

	test.each(odd)('%s: ends with 1 and names "%s"', async (_, id, fault) => {
		await withService({}, [fault], async (sandbox) => {
			const { code, output, transcript } = await check(
				['--yes', '--wait', '3'],
				environmentOf(sandbox),
			);
			expect(placesIn(transcript)).toEqual([openings[id].open]);
			expect(output).toContain(
				`${openings[id].section}: ${openings[id].open.replace(/[_`]/g, '')}\n`,
			);
			expect(code).toBe(1);
			expect(bills(sandbox).length).toBeLessThanOrEqual(2);
			expect(oneScreeningAndOneJob).toEqual(expect.arrayContaining(bills(sandbox)));
		});
	});

	test('names the state and the fields that the nodes do not know', async () => {
		const fault = rewriting(isJob, ({ results: all, ...body }) =>
			all ? { job_id: body.job_id, status: 'archived', findings: all } : body,
		);
		await withService({}, [fault], async (sandbox) => {
			const { output } = await check(['--yes', '--wait', '2'], environmentOf(sandbox));
			expect(output).toContain('"status":"= archived","findings":["2 in this list"');
		});
	});

	test('a key that may not write pays nothing', async () => {
		await withService({}, [], async (sandbox) => {
			const { code, transcript } = await check(['--yes'], {
				...environmentOf(sandbox),
				WALLET_SCREENING_API_KEY: sandbox.keys.readOnly,
			});
			expect(placesIn(transcript)).toEqual([openings.keys.open]);
			expect(code).toBe(1);
			expect(sandbox.requests.filter(({ status }) => status === 403)).toHaveLength(2);
		});
	});

	test('with a key that is refused nothing else is sent', async () => {
		await withService({}, [], async (sandbox) => {
			const { code, transcript } = await check(['--yes'], {
				...environmentOf(sandbox),
				WALLET_SCREENING_API_KEY: 'a-key-of-nobody',
			});
			expect(placesIn(transcript)).toEqual([openings.keys.open]);
			expect(code).toBe(1);
			expect(sandbox.requests).toHaveLength(1);
		});
	});

	test.each([
		[
			'/v1/screen',
			{ when: isScreening, effect: { kind: 'reset', at: 'beforeAnswer' } } satisfies Fault,
		],
		['/v1/bulk', { when: isSubmit, effect: { kind: 'reset', at: 'beforeAnswer' } } satisfies Fault],
		['/v1/screen', answering(isScreening, 500, '{}')],
		['/v1/bulk', answering(isSubmit, 503, '{}')],
	] as Array<[string, Fault]>)(
		'%#: what may be billed is not sent again after a fault',
		async (path, fault) => {
			await withService({}, [fault], async (sandbox) => {
				const { code } = await check(['--yes'], environmentOf(sandbox));
				expect(code).toBe(1);
				expect(
					sandbox.requests.filter((one) => one.path === path && one.method === 'POST'),
				).toHaveLength(1);
			});
		},
	);
});

test('shows no key, secret, ID, customer or other address, whatever the service repeats', async () => {
	const other = '0x7F367cC41522cE07553e823bf3be79A889DEbe1B';
	const keyed = 'TJDENsfBJsxRFETtyXyWzwMDcyMwXnJhCe';
	const person = 'Jane Roe';
	const secrets = ['sandbox-read-write-key', webhookSecret];
	const talkative = (body: any) => ({
		...body,
		echoed: secrets,
		[other]: { status: 'known' },
		[keyed]: { status: 'known' },
		customer: { name: person, status: 'Janeroe' },
		'jane@example.com': 1,
		note: `${secrets.join()} ${other} ${person}`,
	});
	const faults = [
		rewriting(isJob, (body) =>
			talkative({ ...body, results: [{ address: other, error: secrets[0] }] }),
		),
		answering(
			isUnknownReport,
			404,
			JSON.stringify({ message: `${secrets.join()} ${other} ${person}` }),
			{
				'x-customer': person,
				'x-key': secrets[0]!,
				'x-ratelimit-remaining': other,
			},
		),
		rewriting(() => true, talkative),
	];
	await withService({}, faults, async (sandbox) => {
		const { code, output, transcript } = await check(
			['--yes', '--wait', '3'],
			environmentOf(sandbox),
		);
		expect(code).toBe(1);
		const ids = sandbox.requests.flatMap(({ job_id }) => job_id ?? []);
		expect(ids).toHaveLength(1);
		for (const text of [...secrets, ...ids, other, keyed, person, 'Janeroe', 'jane@example.com']) {
			expect(output).not.toContain(text);
		}
		for (const address of testAddresses) expect(JSON.stringify(transcript)).not.toContain(address);
		expect(transcript.exchanges.length).toBeGreaterThan(5);
	});
});

describe('the OpenAPI file', () => {
	test('of the sandbox is understood, and nothing is sent', async () => {
		const { code, transcript } = await check(['--openapi', join(root, 'sandbox/openapi.yaml')]);
		expect(placesIn(transcript)).toEqual([]);
		expect(code).toBe(0);
		const found = transcript.findings.find(({ open }) => open === openings.states.open)?.found;
		expect(found).toBe('Seen: queued, processing, completed.');
	});

	const text = { type: 'string' };
	const report = {
		type: 'object',
		properties: {
			...Object.fromEntries(
				['report_id', 'address', 'chain', 'balance', 'report_url'].map((name) => [name, text]),
			),
			tx_count: { type: 'integer' },
			error: text,
			risk: {
				type: 'object',
				properties: {
					level: text,
					score: { type: 'number' },
					categories: {
						type: 'object',
						properties: Object.fromEntries(
							['sanctions', 'darknet', 'mixer', 'scam', 'stolen', 'clean_exchange'].map((name) => [
								name,
								{ type: 'number' },
							]),
						),
					},
				},
			},
		},
	};
	const job = (
		states: string[],
		results: object = { type: 'array', items: { $ref: '#/components/schemas/Report' } },
	) => ({
		type: 'object',
		properties: {
			id: text,
			state: { type: 'string', enum: states },
			failures: { type: 'array', items: text },
			results,
		},
	});
	const answer = (schema: object) => ({
		responses: {
			200: { description: 'Good', content: { 'application/json': { schema } } },
			404: {
				description: 'Unknown',
				content: {
					'application/json': { schema: { type: 'object', properties: { message: text } } },
				},
			},
		},
	});
	const fileOf = (change: {
		states?: string[];
		results?: object;
		handle?: object;
		pdf?: object;
		screening?: object;
	}) => ({
		openapi: '3.1.0',
		paths: {
			'/v1/screen': { post: answer(change.screening ?? { $ref: '#/components/schemas/Report' }) },
			'/v1/reports/{reportId}': { get: answer({ $ref: '#/components/schemas/Report' }) },
			'/v1/reports/{reportId}/pdf': {
				get: change.pdf ?? {
					responses: { 200: { description: 'Good', content: { 'application/pdf': {} } } },
				},
			},
			'/v1/bulk': { post: answer(change.handle ?? job(['new'])) },
			'/v1/bulk/{id}': {
				get: answer(job(change.states ?? ['new', 'working', 'finished'], change.results)),
			},
		},
		components: { schemas: { Report: report } },
	});

	test.each<[string, OpeningId | undefined, object]>([
		['lists of reports', undefined, fileOf({})],
		[
			'reports keyed by address',
			undefined,
			fileOf({
				results: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Report' } },
			}),
		],
		['no state that is complete', 'unknownState', fileOf({ states: ['new', 'archived'] })],
		['results behind a link', 'results', fileOf({ results: text })],
		[
			'results in pages',
			'results',
			fileOf({
				results: {
					type: 'object',
					properties: {
						items: { type: 'array', items: { $ref: '#/components/schemas/Report' } },
						nextCursor: text,
					},
				},
			}),
		],
		[
			'a handle without an ID',
			'jobHandle',
			fileOf({ handle: { type: 'object', properties: { reference: text } } }),
		],
		[
			'a link to the PDF',
			'pdf',
			fileOf({ pdf: answer({ type: 'object', properties: { url: text } }) }),
		],
		[
			'a risk that is one text',
			'missingFields',
			fileOf({ screening: { type: 'object', properties: { ...report.properties, risk: text } } }),
		],
	])('with %s', async (_, id, document) => {
		for (const [name, content] of [
			['file.json', JSON.stringify(document, null, '\t')],
			['file.yaml', stringify(document)],
		] as const) {
			const file = join(folder, name);
			await writeFile(file, content);
			const { code, transcript } = await check(['--openapi', file]);
			expect(placesIn(transcript)).toEqual(id ? expect.arrayContaining([openings[id].open]) : []);
			expect(code).toBe(id ? 1 : 0);
		}
	});
});

test('an OpenAPI file without an answer for unknown IDs leaves that open', async () => {
	const file = join(folder, 'file.json');
	const yaml = await readFile(join(root, 'sandbox/openapi.yaml'), 'utf8');
	await writeFile(file, yaml.replaceAll("'404':", "'499':"));
	const { code, transcript } = await check(['--openapi', file]);
	const open = transcript.findings.find((one) => one.open === openings.unknownId.open);
	expect(open?.understood).toBe('not seen');
	expect(code).toBe(0);
});

describe('a delivery of the webhook', () => {
	const results = { job_id: 'job-of-nobody', status: 'completed', results: [] as unknown[] };
	const body = Buffer.from(
		JSON.stringify({
			...results,
			results: [
				{ report_id: 'r-0001', address: testAddresses[0], risk: { level: 'green', score: 0.1 } },
			],
		}),
	);

	async function post(
		url: string,
		headers: Record<string, string>,
		content: Buffer,
		method = 'POST',
	) {
		const outgoing = request(url, { method, headers });
		outgoing.end(content);
		const [response] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage];
		response.resume();
		return response.statusCode;
	}

	async function delivered(
		headers: Record<string, string>,
		content = body,
		secret: string | undefined = webhookSecret,
	) {
		const answers: Array<Promise<number | undefined>> = [];
		const outcome = await check(
			['--webhook', '--wait', '20'],
			{ WALLET_SCREENING_WEBHOOK_SECRET: secret },
			(printed) => {
				const url = /http:\S+/.exec(printed)?.[0];
				if (url && answers.length === 0) {
					answers.push(post(url, {}, Buffer.alloc(0), 'PUT'));
					answers.push(answers[0]!.then(() => post(`${url}any/path`, headers, content)));
				}
			},
		);
		return { ...outcome, answers: await Promise.all(answers) };
	}

	const now = () => Math.floor(Date.now() / 1000);
	const renamed = (scheme: WebhookScheme) =>
		Object.fromEntries(
			Object.entries(
				signatureHeaders({ scheme, secret: webhookSecret }, { body, id: 'msg_1', seconds: now() }),
			).map(([name, value]) => [
				scheme === 'standardWebhooks' ? name : name.replace('X-', 'X-Vendor-'),
				value,
			]),
		);

	test.each<[WebhookScheme, string]>([
		['body', "Set 'Signature Scheme' to 'Body', 'Signature Header' to 'x-vendor-signature'."],
		['timestampAndBody', "'Timestamp Header' to 'x-vendor-timestamp'."],
		['stripe', "'Signature Header' to 'x-vendor-signature'."],
		['standardWebhooks', "Set 'Signature Scheme' to 'Standard Webhooks'"],
	])('signed by %s is found, and answered with 200', async (scheme, settings) => {
		const { code, answers, transcript, output } = await delivered(renamed(scheme));
		expect(answers).toEqual([405, 200]);
		expect(code).toBe(0);
		expect(transcript.findings[0]?.found).toContain(settings);
		expect(output).toContain('1 result');
		for (const text of [webhookSecret, 'job-of-nobody', 'r-0001', testAddresses[0]]) {
			expect(output).not.toContain(text);
		}
	});

	test('that is forged, stale or unsigned is refused', async () => {
		const forged = signatureHeaders(
			{ scheme: 'body', secret: 'another-secret' },
			{ body, id: '1', seconds: 1 },
		);
		const stale = signatureHeaders(
			{ scheme: 'timestampAndBody', secret: webhookSecret },
			{ body, id: '1', seconds: now() - 3600 },
		);
		const valid = renamed('body');
		for (const [headers, secret, place] of [
			[forged, webhookSecret, openings.signed],
			[{}, webhookSecret, openings.signed],
			[valid, undefined, openings.signed],
			[stale, webhookSecret, openings.time],
		] as const) {
			const { code, answers, transcript } = await delivered(headers, body, secret ?? '');
			expect(answers).toEqual([405, 401]);
			expect(code).toBe(1);
			expect(placesIn(transcript)).toEqual([place.open]);
		}
	});

	test('whose body the nodes cannot read is named', async () => {
		const content = Buffer.from('{"event":"done","payload":{"url":"https://files.example/1"}}');
		const headers = signatureHeaders(
			{ scheme: 'body', secret: webhookSecret },
			{ body: content, id: '1', seconds: 1 },
		);
		const { code, answers, transcript } = await delivered(headers, content);
		expect(answers).toEqual([405, 400]);
		expect(code).toBe(1);
		expect(placesIn(transcript)).toEqual([openings.webhookBody.open]);
	});
});

describe('npm run check-service', () => {
	async function command(args: string[], environment: NodeJS.ProcessEnv) {
		const child = spawn(process.execPath, ['--import', 'tsx', 'check/main.ts', ...args], {
			cwd: root,
			env: { PATH: process.env.PATH, ...environment },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
		}
		const [code] = (await once(child, 'close')) as [number];
		return { code, output };
	}

	test('sends nothing without a terminal to ask on, and all of it with --yes', async () => {
		await withService({}, [], async (sandbox) => {
			const asked = await command([], environmentOf(sandbox));
			expect(asked.code).toBe(1);
			expect(asked.output).toContain('The service may bill three addresses');
			expect(asked.output).toContain('Add --yes');
			expect(sandbox.requests).toEqual([]);

			const agreed = await command(['--yes'], environmentOf(sandbox));
			expect(agreed.output).toContain('all are understood');
			expect(agreed.code).toBe(0);
			expect(bills(sandbox)).toEqual(oneScreeningAndOneJob);
		});
	});

	test('says what is missing, and never repeats a key', async () => {
		const { code, output } = await command(['--yes'], {
			WALLET_SCREENING_API_KEY: 'a-key-of-nobody',
		});
		expect(code).toBe(1);
		expect(output).toBe(
			"Set WALLET_SCREENING_BASE_URL. Without a key, --openapi reads the vendor's file.\n",
		);
	});
});
