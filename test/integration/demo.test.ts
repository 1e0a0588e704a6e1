import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm, run } from '../../host/child';
import { projectFolder } from '../../host/paths';
import { wallets } from '../../demo/screenings';
import { sanctionedAsset } from '../../sandbox/sanctions';
import { startSandbox } from '../../sandbox/server';

const { WALLET_SCREENING_API_KEY, WALLET_SCREENING_BASE_URL, ...environment } = process.env;

/** What the demo writes to standard output until it ends by itself. */
const demo = (env: NodeJS.ProcessEnv = {}) =>
	run(
		[...npm, 'run', '--silent', 'demo'],
		{ cwd: projectFolder, env: { ...environment, ...env } },
		{ patience: 60_000 },
	);

const textOf = (path: string) => readFile(join(projectFolder, path), 'utf8');

describe('npm run demo', () => {
	test('screens the list, shows it, leaves alert and PDF there, screens in bulk, and ends', async () => {
		const output = await demo();

		expect(wallets.length).toBeGreaterThanOrEqual(20);
		for (const { address, note } of wallets) {
			const line = output.split('\n').find((text) => text.includes(address));
			expect(line).toMatch(note);
			expect(line).toMatch(
				sanctionedAsset(address) ? / red .* block\b/ : / (green|yellow|red) .* (allow|review)\b/,
			);
		}
		const files = [...output.matchAll(/^ {2}(?:As|Its) .+? {2,}(\S+)$/gm)].map(([, file]) => file);
		expect(files).toHaveLength(3);
		// File managers hide a folder that begins with a dot.
		for (const file of files) expect(file).not.toMatch(/^\.|[\\/]\./);
		expect(output).toContain('641 addresses of the US sanctions list: 641 red.');
		expect(output).toMatch(/^ *Block: .* wallet .* is red/m);
		expect(await textOf(/As an e-mail +(\S+)/.exec(output)?.[1] ?? '')).toMatch(
			/^<!doctype html>/i,
		);
		const { blocks } = JSON.parse(
			await textOf(/As Slack blocks +(\S+)/.exec(output)?.[1] ?? ''),
		) as { blocks: Array<{ type: string }> };
		expect(blocks[0]?.type).toBe('header');
		expect(await textOf(/PDF report +(\S+\.pdf)/.exec(output)?.[1] ?? '')).toMatch(/^%PDF-/);
		expect(output).toMatch(
			/^ *Northwind Trading: worse, level green → red, score 0\.1 → 0\.92, sanctions 0\.01 → 0\.95$/m,
		);
		expect(output).toMatch(/^ *Blue Harbour Cafe: same$/m);
		expect(output).toMatch(/Next: npm run n8n/);
	});

	test('screens with the service that the environment names, and nothing in bulk', async () => {
		const service = await startSandbox();
		try {
			const output = await demo({
				WALLET_SCREENING_API_KEY: service.keys.readWrite,
				WALLET_SCREENING_BASE_URL: service.baseUrl,
			});
			expect(output).toContain(`${wallets.length} reports`);
			expect(output).not.toContain('sanctions list');
			expect(output).not.toContain('overnight');
			const asked = service.requests.map(({ method, path }) => `${method} ${path}`);
			expect(asked.slice(0, -1)).toEqual(wallets.map(() => 'POST /v1/screen'));
			expect(asked.at(-1)).toMatch(/^GET \/v1\/reports\/\w+\/pdf$/);
		} finally {
			await service.close();
		}
	});

	test('says what is missing when only half of a service is named', async () => {
		const error = await demo({ WALLET_SCREENING_API_KEY: 'a-key' }).catch((e: Error) => e);
		expect(error).toBeInstanceOf(Error);
		expect((error as Error).message).toContain('WALLET_SCREENING_BASE_URL is not');
		expect((error as Error).message).not.toContain('a-key');
	});
});
