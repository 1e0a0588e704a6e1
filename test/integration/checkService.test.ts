import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialects } from '../../sandbox/dialects';
import { type SandboxOptions, startSandbox } from '../../sandbox/server';
import { run } from '../../tools/check/run';
import { projectFolder } from '../../tools/host/paths';
import { GREEN } from './engine/workflows';

const addresses = [GREEN, '0x7e57000000000000000000000000000000000006'];

/** What the command prints, where nobody is there to be asked. */
async function printed(args: string[], environment = {}): Promise<string> {
	const lines: string[] = [];
	await run(args, environment, { print: (text) => lines.push(text), ask: undefined });
	return lines.join('\n');
}

/** What the command prints, and the requests that it made. It looks at the job at once, and every half second or so. */
async function checked(options: SandboxOptions, args = ['--yes', '--wait', '5']) {
	const sandbox = await startSandbox({ limit: null, jobDurationMs: 400, ...options });
	try {
		const given = addresses.flatMap((address) => ['--address', address]);
		const text = await printed([...args, ...given], {
			WALLET_SCREENING_API_KEY: sandbox.keys.readWrite,
			WALLET_SCREENING_BASE_URL: sandbox.baseUrl,
		});
		return { text, requests: sandbox.requests };
	} finally {
		await sandbox.close();
	}
}

const additionsIn = (text: string) =>
	JSON.parse(/^\{.*\}$/m.exec(text)![0]) as Record<string, unknown>;
const enough = 'The usual names are enough';

describe('check-service', () => {
	it.each(['standard', 'grpc'] as const)(
		'says that the usual names are enough for a service that speaks %s',
		async (name) => {
			const { text, requests } = await checked({ dialect: dialects[name] });
			expect(text).toContain(enough);
			expect(text).toContain('complete, with a report for each address');
			// Nothing is billed twice, and no key is shown.
			const posts = requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
			expect(posts).toEqual(['/v1/screen', '/v1/bulk']);
			expect(text).not.toContain('sandbox-read-write-key');
		},
	);

	// The nodes read the service with them: e2e/together/dialect.ts.
	it('prints what a foreign service makes necessary', async () => {
		const { text } = await checked({ dialect: dialects.foreign });
		expect(additionsIn(text)).toEqual({
			...{ jobId: ['ticket'], state: ['lifecycle'], complete: ['scored'] },
		});
	});

	const always = {
		job: ({ job_id }: { job_id: string }) => ({ ticket: job_id, lifecycle: 'scored' }),
	};
	it.each<[string, SandboxOptions]>([
		['to which the job did not move on', { dialect: always }],
		[
			'without reports of both addresses',
			{ dialect: dialects.foreign, jobs: () => ({ results: ([first]) => [first] }) },
		],
	])('proposes no word %s', async (_what, service) => {
		const { text } = await checked(service, ['--yes', '--wait', '1']);
		expect(additionsIn(text)).not.toHaveProperty('complete');
		expect(text).toContain('not complete after 1 seconds');
	});

	it('sends nothing before somebody agrees', async () => {
		await expect(checked({}, [])).rejects.toThrow('--yes');
	});
});

describe('check-service --openapi', () => {
	it("finds nothing to add for the sandbox's own description", async () => {
		const file = join(projectFolder, 'sandbox/openapi.yaml');
		expect(await printed(['--openapi', file])).toContain(enough);
	});

	it('prints what a file with other names makes necessary, and asks for its words', async () => {
		const object = (properties: object) => ({ type: 'object', properties });
		const text = { type: 'string' };
		const number = { type: 'number' };
		const Report = object({
			...{ report_id: text, address: text, chain: text, balance: text, tx_count: number },
			report_url: text,
			risk: object({ level: text, score: number, categories: object({ terror: number }) }),
		});
		const ofReport = { $ref: '#/components/schemas/Report' };
		const lifecycle = { ...text, enum: ['queued', 'scored'] };
		const job = object({ lifecycle, verdicts: { type: 'array', items: ofReport } });
		const answers = (schema: object) => ({
			responses: { 200: { content: { 'application/json': { schema } } } },
		});
		const paths = {
			'/v1/screen': { post: answers(ofReport) },
			'/v1/bulk': { post: answers(object({ ticket_id: text })) },
			'/v1/bulk/{id}': { get: answers(job) },
		};
		const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
		const file = join(folder, 'vendor.json');
		await writeFile(file, JSON.stringify({ paths, components: { schemas: { Report } } }));
		const said = await printed(['--openapi', file]);
		await rm(folder, { recursive: true });
		expect(additionsIn(said)).toEqual({
			...{ categories: ['terror'], jobId: ['ticket_id'] },
			state: ['lifecycle'],
		});
		expect(said).toContain('"scored"');
		expect(said).not.toContain('"queued"');
	});
});
