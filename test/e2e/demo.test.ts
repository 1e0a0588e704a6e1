import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import workflow from '../../demo/workflow.json';
import { projectFolder } from '../../host/paths';
import { sanctionedAsset } from '../../sandbox/sanctions';
import { patience } from '../support/workflows';

const environment = {
	...process.env,
	WALLET_SCREENING_API_KEY: undefined,
	WALLET_SCREENING_BASE_URL: undefined,
};

function startDemo(args: string[], env: NodeJS.ProcessEnv = environment): ChildProcess {
	return spawn('npm', ['run', 'demo', '--', ...args], {
		cwd: projectFolder,
		env,
		// A group of its own, as a shell gives to what runs in the foreground.
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
}

/** What the demo writes until it ends, or until it has written `mark`. */
async function outputOf(child: ChildProcess, mark?: string): Promise<string> {
	let output = '';
	return new Promise((resolve) => {
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (data: Buffer) => {
				output += data.toString();
				if (mark && output.includes(mark)) resolve(output);
			});
		}
		child.on('close', () => resolve(output));
	});
}

const editorOf = (output: string) => /Editor: (http:\S+?)\/workflow/.exec(output)?.[1] ?? '';

describe('npm run demo', () => {
	const list = workflow.nodes.find(({ name }) => name === 'Addresses to Screen');
	const { addresses } = JSON.parse(list?.parameters.jsonOutput ?? '') as {
		addresses: Array<{ address: string }>;
	};

	test(
		'with --once screens the list, shows it, leaves the PDF there, and ends',
		async () => {
			const demo = startDemo(['--once']);
			const output = await outputOf(demo);

			if (demo.exitCode !== 0) throw new Error(output);
			expect(addresses.length).toBeGreaterThanOrEqual(20);
			for (const { address } of addresses) {
				const line = output.split('\n').find((text) => text.includes(address));
				const level = sanctionedAsset(address) ? / red / : / (green|yellow|red) /;
				expect(line).toMatch(level);
			}
			expect(output).toContain('1282 addresses screened in bulk: 641 sanctioned, 641 of them red');
			expect(output).toMatch(/^Block: .* wallet .* is red/m);
			const alert = /blocks for Slack: (\S+\.json)/.exec(output)?.[1] ?? '';
			const { blocks } = JSON.parse(await readFile(join(projectFolder, alert), 'utf8')) as {
				blocks: Array<{ type: string }>;
			};
			expect(blocks[0]?.type).toBe('header');
			const pdf = /PDF.*: (\S+\.pdf)/.exec(output)?.[1] ?? '';
			expect((await readFile(join(projectFolder, pdf))).subarray(0, 5).toString()).toBe('%PDF-');
			await expect(fetch(editorOf(output))).rejects.toThrow();
		},
		patience,
	);

	test(
		'leaves n8n running until Ctrl+C, and nothing after it',
		async () => {
			const demo = startDemo([]);
			const editor = editorOf(await outputOf(demo, 'Ctrl+C ends'));
			expect((await fetch(`${editor}/healthz`)).status).toBe(200);

			process.kill(-demo.pid!, 'SIGINT');
			await once(demo, 'close');
			await expect(fetch(`${editor}/healthz`)).rejects.toThrow();
		},
		patience,
	);

	test('says what is missing when only half of a service is named', async () => {
		const demo = startDemo(['--once'], { ...environment, WALLET_SCREENING_API_KEY: 'a-key' });
		const output = await outputOf(demo);

		expect(demo.exitCode).toBe(1);
		expect(output).toContain('WALLET_SCREENING_BASE_URL is not');
		expect(output).not.toContain('a-key');
	}, 30_000);
});
