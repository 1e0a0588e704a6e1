import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialect, dialects } from '../../sandbox/dialects';
import { type SandboxOptions, startSandbox } from '../../sandbox/server';
import { run } from '../../tools/check/run';
import { startService } from './engine/service';

const root = join(__dirname, '../..');
const addresses = [
	'0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	'0x7e57000000000000000000000000000000000006',
];

/** What the command prints, and the requests that it made. It looks at the job at once, and every half second or so. */
async function checked(options: SandboxOptions, args = ['--yes', '--wait', '5']) {
	const sandbox = await startSandbox({ limit: null, jobDurationMs: 400, ...options });
	const lines: string[] = [];
	try {
		const environment = {
			WALLET_SCREENING_API_KEY: sandbox.keys.readWrite,
			WALLET_SCREENING_BASE_URL: sandbox.baseUrl,
		};
		const given = addresses.flatMap((address) => ['--address', address]);
		await run([...args, ...given], environment, {
			print: (text) => lines.push(text),
			ask: undefined,
		});
		return { text: lines.join('\n'), requests: sandbox.requests };
	} finally {
		await sandbox.close();
	}
}

const additionsIn = (text: string) => JSON.parse(/^\{.*\}$/m.exec(text)![0]) as Dialect;

describe('check-service', () => {
	it.each(['standard', 'wrapped'] as const)(
		'says that the usual names are enough for a service that speaks %s',
		async (name) => {
			const { text, requests } = await checked({ dialect: dialects[name] });
			expect(text).toContain('The usual names are enough');
			expect(text).toContain('complete, with a report for each address');
			// Nothing is billed twice, and no key is shown.
			const posts = requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
			expect(posts).toEqual(['/v1/screen', '/v1/bulk']);
			expect(text).not.toContain('sandbox-read-write-key');
		},
	);

	it('prints the additions with which the nodes read a foreign service', async () => {
		const { text } = await checked({ dialect: dialects.foreign });
		const additions = additionsIn(text);
		expect(additions).toEqual({
			...{ jobId: ['ticket'], state: ['lifecycle'], results: ['verdicts'] },
			words: { complete: ['scored'] },
		});

		const service = await startService({
			sandbox: { dialect: dialects.foreign, jobDurationMs: 100 },
			credentials: () => ({ Added: { serviceNames: JSON.stringify(additions) } }),
		});
		try {
			const input = addresses.map((address) => ({ address }));
			const wait = { resource: 'bulkJob', operation: 'screenAndWait' };
			const options = { pollInterval: 0.05, timeout: 0.02 };
			const onError = 'continueRegularOutput' as const;
			const refused = await service.run({ ...wait, options }, { input, onError });
			expect(JSON.stringify(refused.items[0])).toContain('ticket');
			const read = await service.run(wait, { input, credential: 'Added' });
			expect(read.items[0]!.map(({ json }) => json.address)).toEqual(addresses);
		} finally {
			await service.close();
		}
	});

	it('proposes no word to which the job did not move on, or without reports of both addresses', async () => {
		const always = { running: ['scored', 'scored'], complete: ['scored'] };
		const services: SandboxOptions[] = [
			{
				dialect: { ...dialects.foreign, words: always },
				jobs: () => ({ durationMs: 60_000 }),
			},
			{ dialect: dialects.foreign, jobs: () => ({ results: ([first]) => [first] }) },
		];
		for (const service of services) {
			const { text } = await checked(service, ['--yes', '--wait', '1']);
			expect(additionsIn(text)).not.toHaveProperty('words');
			expect(text).toContain('not complete after 1 seconds');
		}
	});

	it('sends nothing before somebody agrees', async () => {
		await expect(checked({}, [])).rejects.toThrow('--yes');
	});
});

describe('check-service --openapi', () => {
	const read = async (file: string) => {
		const lines: string[] = [];
		await run(['--openapi', file], {}, { print: (text) => lines.push(text), ask: undefined });
		return lines.join('\n');
	};

	it("finds nothing to add for the sandbox's own description", async () => {
		expect(await read(join(root, 'sandbox/openapi.yaml'))).toContain('The usual names are enough');
	});

	it('prints what a file with other names makes necessary, and asks for its words', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
		const file = join(folder, 'vendor.json');
		const object = (properties: object) => ({ type: 'object', properties });
		const text = { type: 'string' };
		const number = { type: 'number' };
		const report = object({
			...{ report_id: text, address: text, chain: text, balance: text, tx_count: number },
			report_url: text,
			risk: object({ level: text, score: number, categories: object({ terror: number }) }),
		});
		const answers = (schema: object) => ({
			responses: { 200: { content: { 'application/json': { schema } } } },
		});
		const lifecycle = { type: 'string', enum: ['queued', 'scored'] };
		await writeFile(
			file,
			JSON.stringify({
				paths: {
					'/v1/screen': { post: answers({ $ref: '#/components/schemas/Report' }) },
					'/v1/bulk': { post: answers(object({ ticket_id: text })) },
					'/v1/bulk/{id}': {
						get: answers(
							object({
								lifecycle,
								verdicts: { type: 'array', items: { $ref: '#/components/schemas/Report' } },
							}),
						),
					},
				},
				components: { schemas: { Report: report } },
			}),
		);
		const printed = await read(file);
		await rm(folder, { recursive: true });
		expect(additionsIn(printed)).toEqual({
			...{ categories: ['terror'], jobId: ['ticket_id'] },
			...{ state: ['lifecycle'], results: ['verdicts'] },
		});
		expect(printed).toContain('"scored"');
		expect(printed).not.toContain('"queued"');
	});
});
