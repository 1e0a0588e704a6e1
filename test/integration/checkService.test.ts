import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { scenarioAddress } from '../../sandbox/scenarios';
import { type Dialect, dialects } from '../../sandbox/dialects';
import type { Fault, ReceivedRequest } from '../../sandbox/faults';
import { type SandboxOptions, startSandbox } from '../../sandbox/server';
import { runCheck } from '../../tools/check/run';
import { projectFolder } from '../../tools/host/paths';
import { ethereum } from '../support/data/knownAddresses';

const addresses = [ethereum, scenarioAddress('harmless')];

/**
 * Returns the output of the command for a person who does not agree to anything, and whether the
 * nodes understand the service.
 */
async function printed(args: string[], environment = {}) {
	const lines: string[] = [];
	const terminal = { print: (text: string) => void lines.push(text), ask: async () => false };
	const isUnderstood = await runCheck(args, environment, terminal);
	return { text: lines.join('\n'), isUnderstood };
}

/** The same of a service, and the requests that it got. */
async function checked(
	options: SandboxOptions,
	args = ['--yes', '--wait', '5'],
	...faults: Fault[]
) {
	const sandbox = await startSandbox({ limit: null, jobDurationMs: 400, ...options });
	for (const fault of faults) sandbox.addFault(fault);
	try {
		const given = addresses.flatMap((address) => ['--address', address]);
		const found = await printed(['--confirm', '0.2', ...args, ...given], {
			WALLET_SCREENING_API_KEY: sandbox.keys.readWrite,
			WALLET_SCREENING_BASE_URL: sandbox.baseUrl,
		});
		return { ...found, requests: sandbox.requests };
	} finally {
		await sandbox.close();
	}
}

const isLook = ({ method, path }: ReceivedRequest) =>
	method === 'GET' && path.startsWith('/v1/bulk/');
const settingIn = (text: string) => JSON.parse(/^\{.*\}$/m.exec(text)?.[0] ?? '{}') as unknown;
const enough = "Leave 'Service Names' of the credential empty";
const { foreign } = dialects;
const taught = { jobId: ['slip'], state: ['lifecycle'], complete: ['scored'] };

describe('check-service', () => {
	it('finds nothing to teach for a service that the nodes understand, bills nothing twice, and shows no key', async () => {
		const { text, isUnderstood, requests } = await checked({});
		expect(text).toContain(enough);
		expect(isUnderstood).toBe(true);
		const posts = requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
		expect(posts).toEqual(['/v1/screen', '/v1/bulk']);
		expect(text).not.toContain('sandbox-read-write-key');
	});

	it('writes the setting for a foreign service, and says which words it did not see', async () => {
		const { text, isUnderstood } = await checked({ dialect: foreign });
		expect(settingIn(text)).toEqual(taught);
		expect(text).toContain('Not seen: a job that failed.');
		expect(isUnderstood).toBe(false);
	});

	it('finds the ID that leads to the job among others, and the categories that reports have', async () => {
		const rewrite = (content: unknown) =>
			JSON.parse(JSON.stringify(content).replaceAll('"mixer"', '"tumbler"')) as unknown;
		const dialect: Dialect = (one) => ({ request_id: 'req-77', ...foreign(one) });
		const { text } = await checked({ dialect }, undefined, {
			effect: { kind: 'rewrite', rewrite },
		});
		const categories = ['sanctions', 'darknet', 'tumbler', 'scam', 'stolen', 'clean_exchange'];
		expect(settingIn(text)).toEqual({ ...taught, categories });
	});

	it.each(['job_0b9d3f1e-6c1a-4c55-9a53-2f1f0f2f3a11x', '2026-000123', 'job:42', 'QWxKpZ'])(
		'finds the job %s under a name that the nodes do not know',
		async (slip) => {
			const dialect: Dialect = (job) => ({ ...foreign(job), slip });
			const { text } = await checked({ dialect }, ['--yes', '--wait', '0.1'], {
				when: ({ path }) => path === `/v1/bulk/${encodeURIComponent(slip)}`,
				effect: {
					kind: 'answer',
					status: 200,
					body: JSON.stringify({ slip, lifecycle: 'simmering' }),
				},
			});
			expect(settingIn(text)).toEqual({ jobId: ['slip'] });
		},
	);

	it('takes neither a count nor a field that was empty for the state', async () => {
		const steps = { queued: 0, processing: 1, completed: 2, failed: 2 };
		const dialect: Dialect = ({ job_id, state, results }) => ({
			job_id,
			steps_done: steps[state],
			statistics: { green: steps[state] },
			worker: results ? 'w3' : null,
			mood: results ? 'brewed' : 'brewable',
			...(results && { verdicts: results }),
		});
		const { text } = await checked({ dialect });
		expect(settingIn(text)).toEqual({ state: ['mood'], complete: ['brewed'] });
	});

	it('prints no part of a key that an answer repeats, not even where it is shortened', async () => {
		const printedWith = async (dialect: Dialect) => {
			const { text } = await checked({ dialect }, ['--yes', '--wait', '0.1']);
			expect(text).toContain('***');
			expect(text).not.toContain('sandbox-read');
		};
		const authorization = 'Bearer sandbox-read-write-key';
		await printedWith(() => ({ ticket: '', authorization }));
		await printedWith(() => ({ pad: '-'.repeat(945), authorization }));
	});

	it('throws no key', async () => {
		const environment = {
			WALLET_SCREENING_API_KEY: 'key-with\na-line-break',
			WALLET_SCREENING_BASE_URL: 'http://127.0.0.1:1',
		};
		await expect(printed(['--yes'], environment)).rejects.toThrow('"Bearer ***"');
	});

	const always: Dialect = ({ job_id }) => ({ slip: job_id, lifecycle: 'scored' });
	it.each<[string, SandboxOptions]>([
		['to which the job did not move on', { dialect: always }],
		[
			'without reports of both addresses',
			{ dialect: foreign, planJob: () => ({ results: ([first]) => [first] }) },
		],
	])('teaches no word %s', async (_what, service) => {
		const { text, isUnderstood } = await checked(service, ['--yes', '--wait', '1']);
		expect(settingIn(text)).toEqual({ jobId: ['slip'] });
		expect(text).toContain('Bulk job: running for the nodes.');
		expect(isUnderstood).toBe(false);
	});

	/** Shows reports from its third state on, which lasts for 1.5 seconds before the job is complete. */
	const reportsEarly = (words: {
		queued: string;
		processing: string;
		completed: string;
	}): Dialect => {
		let reportsSince: number | undefined;
		return ({ job_id, state, results }) => {
			if (results) reportsSince ??= Date.now();
			const isOver = reportsSince !== undefined && Date.now() > reportsSince + 1500;
			const word = reportsSince && !isOver ? 'finalizing' : words[state as keyof typeof words];
			return { slip: job_id, lifecycle: word, ...(results && { verdicts: results }) };
		};
	};

	it('withdraws a word if the job was not over, and teaches the word of its end', async () => {
		const dialect = reportsEarly({
			queued: 'minted',
			processing: 'simmering',
			completed: 'scored',
		});
		const { text } = await checked({ dialect }, ['--yes', '--wait', '8', '--confirm', '2']);
		expect(text).toContain(
			'The job was not over: its state changed again. {"state":["lifecycle"],"complete":["finalizing"]} is withdrawn.',
		);
		expect(settingIn(text)).toEqual(taught);
	});

	it('teaches no word if the job ends with one that the nodes know', async () => {
		const renamed = reportsEarly({
			queued: 'queued',
			processing: 'processing',
			completed: 'completed',
		});
		const dialect: Dialect = (job) => {
			const { slip, lifecycle, verdicts } = renamed(job) as Record<string, unknown>;
			return { job_id: slip, status: lifecycle, results: verdicts };
		};
		const args = ['--yes', '--wait', '8', '--confirm', '2'];
		const { text, isUnderstood } = await checked({ dialect }, args);
		expect(text).toContain('The job was not over');
		expect(text).toContain(enough);
		expect(isUnderstood).toBe(true);
	});

	it('teaches no word of a job that the service no longer shows before the word is confirmed', async () => {
		let looks = 0;
		let reportsAt = Infinity;
		const dialect: Dialect = (job) => {
			if (job.results) reportsAt = Math.min(reportsAt, looks);
			return foreign(job);
		};
		const { text, isUnderstood } = await checked(
			{ dialect },
			['--yes', '--wait', '1', '--confirm', '2'],
			{
				when: (request) => isLook(request) && (looks += 1) > reportsAt + 1,
				effect: { kind: 'answer', status: 503 },
			},
		);
		expect(text).toContain('The service no longer showed the job.');
		expect(settingIn(text)).toEqual({ jobId: ['slip'] });
		expect(isUnderstood).toBe(false);
	});

	it('does not understand a service that has no PDF', async () => {
		const { text, isUnderstood } = await checked({}, undefined, {
			when: ({ path }) => path.endsWith('/pdf'),
			effect: { kind: 'answer', status: 404 },
		});
		expect(text).toContain('Download PDF: not a PDF (status 404).');
		expect(text).not.toContain(enough);
		expect(isUnderstood).toBe(false);
	});

	it.each<[string, Fault['effect']]>([
		['status 503', { kind: 'answer', status: 503 }],
		['status 429', { kind: 'answer', status: 429 }],
		['a reset connection', { kind: 'reset', at: 'beforeEffect' }],
	])('looks at the paid job again after %s', async (_what, effect) => {
		const { text } = await checked({ dialect: foreign }, undefined, {
			when: isLook,
			effect,
			times: 2,
		});
		expect(settingIn(text)).toEqual(taught);
	});

	it.each<[string, Fault['effect']]>([
		['status 404', { kind: 'answer', status: 404 }],
		['a page', { kind: 'answer', status: 200, body: '<html>Starting</html>' }],
	])('looks on for a job that it has seen, after %s', async (_what, effect) => {
		let looks = 0;
		const { text } = await checked({ dialect: foreign }, undefined, {
			when: (request) => isLook(request) && (looks += 1) > 1,
			effect,
			times: 2,
		});
		expect(settingIn(text)).toEqual(taught);
	});

	it('writes the names that it taught although the job stays unavailable', async () => {
		let looks = 0;
		const { text, isUnderstood } = await checked({ dialect: foreign }, ['--yes', '--wait', '1'], {
			when: (request) => isLook(request) && (looks += 1) > 1,
			effect: { kind: 'answer', status: 503 },
		});
		expect(text).toContain('at the end of the wait, the service did not show job job_');
		expect(settingIn(text)).toEqual({ jobId: ['slip'] });
		expect(isUnderstood).toBe(false);
	});

	it('looks on for a job whose ID it knows, and says that the service did not show it', async () => {
		const { text, isUnderstood } = await checked({}, ['--yes', '--wait', '1'], {
			when: isLook,
			effect: { kind: 'answer', status: 503 },
		});
		expect(text).toMatch(/did not show job (job_\w+)\. The answer to Submit: .*\1/);
		expect(isUnderstood).toBe(false);
	});

	it.each<[string, SandboxOptions, Fault]>([
		[
			'the service shows no job',
			{ dialect: foreign },
			{ when: isLook, effect: { kind: 'answer', status: 404 } },
		],
		['it is locked out', {}, { when: isLook, effect: { kind: 'answer', status: 403, body: '{}' } }],
	])('writes the names that it taught before, although %s', async (_what, service, fault) => {
		const rewrite = (content: unknown) =>
			JSON.parse(JSON.stringify(content).replaceAll('"mixer"', '"tumbler"')) as unknown;
		const { text, isUnderstood } = await checked(service, undefined, fault, {
			when: ({ path }) => !path.startsWith('/v1/bulk'),
			effect: { kind: 'rewrite', rewrite },
		});
		expect(settingIn(text)).toEqual({
			categories: expect.arrayContaining(['tumbler']) as string[],
		});
		expect(isUnderstood).toBe(false);
	});

	it('follows the redirect of a PDF, as the nodes do', async () => {
		const { text, isUnderstood } = await checked({}, undefined, {
			when: ({ path }) => path.endsWith('/pdf'),
			effect: { kind: 'answer', status: 302, headers: { location: 'pdf?again' } },
		});
		expect(text).toContain('Download PDF: a PDF.');
		expect(isUnderstood).toBe(true);
	});

	it('sends no key to another server that a redirect leads to', async () => {
		const other = await startSandbox();
		await checked({}, undefined, {
			when: ({ path }) => path.endsWith('/pdf'),
			effect: { kind: 'answer', status: 302, headers: { location: `${other.baseUrl}/pdf` } },
		}).finally(() => other.close());
		expect(other.requests.map(({ path, key }) => [path, key])).toEqual([['/pdf', null]]);
	});

	it.each([
		[['--wait', 'abc'], '--wait must be a number of seconds'],
		[['--confirm', '0'], '--confirm must be a number of seconds'],
		[['--address', ethereum], '--address may be given at most twice'],
	])('refuses %j before it asks', async (args, message) => {
		await expect(checked({}, args)).rejects.toThrow(message);
	});

	it('sends nothing before the user agrees, and then does not end as if it had', async () => {
		const { isUnderstood, requests } = await checked({}, []);
		expect([isUnderstood, requests]).toEqual([false, []]);
	});

	it('sends nothing if a file is asked for whose name is empty', async () => {
		const sandbox = await startSandbox();
		const environment = {
			WALLET_SCREENING_API_KEY: sandbox.keys.readWrite,
			WALLET_SCREENING_BASE_URL: sandbox.baseUrl,
		};
		const checking = printed(['--yes', '--openapi', ''], environment);
		await expect(checking).rejects.toThrow('--openapi cannot read ""');
		await sandbox.close();
		expect(sandbox.requests).toEqual([]);
	});

	it.each([
		['an invalid key', 401, /does not accept the API key\. .* The vendor issues keys\./],
		['a bad request', 400, /Correct the value and run again\. .*own words: "Wrong coin"$/],
	])('names what to do about %s', async (_what, status, message) => {
		const body = JSON.stringify({ error: { message: 'Wrong coin' } });
		const effect = { kind: 'answer', status, body } as const;
		await expect(checked({}, undefined, { effect })).rejects.toThrow(message);
	});

	it('names the request that no server answered', async () => {
		const environment = {
			WALLET_SCREENING_API_KEY: 'a-key',
			WALLET_SCREENING_BASE_URL: 'http://127.0.0.1:9999',
		};
		await expect(printed(['--yes'], environment)).rejects.toThrow(
			'POST http://127.0.0.1:9999/v1/screen got no answer: connect ECONNREFUSED 127.0.0.1:9999',
		);
	});

	it('names the variables that are not set, and the help for an unknown option', async () => {
		await expect(printed([])).rejects.toThrow('export WALLET_SCREENING_API_KEY=');
		await expect(printed(['--nonsense'])).rejects.toThrow('npm run check-service -- --help');
		const { text, isUnderstood } = await printed(['--help']);
		expect(text).toContain('Usage: npm run check-service');
		expect(isUnderstood).toBe(true);
	});
});

describe('check-service --openapi', () => {
	const ownFile = join(projectFolder, 'sandbox/openapi.yaml');
	const own = readFileSync(ownFile, 'utf8');

	it("finds nothing to add for the sandbox's own description", async () => {
		const { text, isUnderstood } = await printed(['--openapi', ownFile]);
		expect(text).toContain(enough);
		expect(isUnderstood).toBe(true);
	});

	/** Returns the same of this OpenAPI file. */
	async function printedOf(content: string) {
		const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
		const file = join(folder, 'vendor.yaml');
		await writeFile(file, content);
		return await printed(['--openapi', file]).finally(() => rm(folder, { recursive: true }));
	}

	it('finds an endpoint behind another parameter of the path', async () => {
		const { text, isUnderstood } = await printedOf(own.replaceAll('/v1/', '/{version}/'));
		expect(text).toContain(enough);
		expect(isUnderstood).toBe(true);
	});

	it.each([
		['that is no YAML', 'a: [1\n b', /vendor\.yaml" is neither JSON nor YAML: /],
		['without paths', 'openapi: 3.1.0', /vendor\.yaml" is no OpenAPI file: it has no 'paths'/],
	])('refuses a file %s, and names it', async (_what, content, message) => {
		await expect(printedOf(content)).rejects.toThrow(message);
	});

	it.each([
		[
			'shows no answer',
			own.replace('/v1/bulk:', '/v1/lists:'),
			'post /bulk: The file has no schema of an answer in JSON.',
		],
		[
			'refers to another file',
			own.replaceAll('#/components/schemas/JobHandle', 'other.yaml#/JobHandle'),
			'post /bulk: The file refers to another one: other.yaml#/JobHandle.',
		],
		[
			'refers to nothing',
			own.replace('#/components/schemas/JobHandle', '#/components/schemas/Nothing'),
			'post /bulk: The file refers to nothing: #/components/schemas/Nothing.',
		],
		[
			'refers to itself',
			own
				.replace('paths:', "paths:\n  /v1/screen: { $ref: '#/paths/~1v1~1screen' }")
				.replace('  /v1/screen:\n', '  /v1/other:\n'),
			'post /screen: The file refers in a circle: #/paths/~1v1~1screen.',
		],
	])('prints that a file %s, and blames no service', async (_what, content, finding) => {
		const { text, isUnderstood } = await printedOf(content);
		expect(text).toContain(finding);
		expect(text).not.toContain('The service');
		expect(isUnderstood).toBe(false);
	});

	const states = 'enum: [queued, processing, completed, failed]';
	const many = Array.from({ length: 30 }, (_, at) => `known_${at}`);

	it.each([
		['beside an example', `${states.replace('completed', 'scored')}, example: queued`],
		['in another branch', 'oneOf: [{ enum: [queued] }, { enum: [completed, scored] }]'],
		['after thirty others', `enum: [${many.join(', ')}, scored]`],
	])('sees a word %s', async (_where, schema) => {
		const { text, isUnderstood } = await printedOf(own.replace(states, schema));
		expect(text).toContain('do not know "status": "scored" of a job');
		expect(isUnderstood).toBe(false);
	});

	it('takes the time that the answers need, whatever else the file describes', async () => {
		const document = parse(own) as { components: { schemas: object } };
		const entries = (count: number) => Array.from({ length: count }, (_, at) => `C${at}`);
		const others = {
			Currency: { enum: entries(150) },
			Event: { oneOf: entries(15).map((name) => ({ properties: { [name]: {} } })) },
		};
		Object.assign(document.components.schemas, others);
		const startedAt = performance.now();
		const { isUnderstood } = await printedOf(JSON.stringify(document));
		expect(isUnderstood).toBe(true);
		// It would take over ten seconds to try each of these words in each of these branches.
		expect(performance.now() - startedAt).toBeLessThan(2000);
	});

	it('prefers the path of an endpoint to a longer one that ends so', async () => {
		const other = `  /v1/quota/screen: { post: { responses: { 200: { description: none } } } }
  /v1/second/screen: { $ref: '#/nothing' }`;
		const { text, isUnderstood } = await printedOf(own.replace('paths:', `paths:\n${other}`));
		expect(text).toContain(enough);
		expect(isUnderstood).toBe(true);
	});

	it('reads the report of Get Report', async () => {
		const [before, after] = own.split('operationId: getReport');
		const { text } = await printedOf(
			`${before}operationId: getReport${after?.replace('schemas/Report', 'schemas/Error')}`,
		);
		expect(text).toContain('get /reports/{}: The service answered with no');
		expect(text).not.toContain('post /screen');
	});

	it.each([
		['has slashes at the end of its paths', own.replace('/v1/bulk:', '/v1/bulk/:')],
		[
			'refers to one of its paths',
			own.replace(
				'#/components/schemas/JobHandle',
				'#/paths/~1v1~1bulk~1%7Bjob_id%7D/get/responses/200/content/application~1json/schema',
			),
		],
	])('reads a file that %s', async (_what, content) => {
		const { text, isUnderstood } = await printedOf(content);
		expect(text).toContain(enough);
		expect(isUnderstood).toBe(true);
	});

	it('prints what a file with other names makes necessary, and asks for its words', async () => {
		const renamed = {
			mixer: 'terror',
			job_id: 'slip',
			status: 'lifecycle',
			completed: 'scored',
		};
		const words = new RegExp(`\\b(${Object.keys(renamed).join('|')})\\b`, 'g');
		const { text, isUnderstood } = await printedOf(
			own.replace(words, (word) => renamed[word as keyof typeof renamed]),
		);
		expect(settingIn(text)).toEqual({
			categories: expect.arrayContaining(['terror']) as string[],
			jobId: ['slip'],
			state: ['lifecycle'],
		});
		expect(text).toContain('"scored"');
		expect(text).not.toContain('"queued"');
		expect(isUnderstood).toBe(false);
	});
});
