import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../tools/host/child';
import { environmentOf } from '../../tools/host/environment';
import { installN8n } from '../../tools/host/install';
import { installedIn, installPackage } from '../../tools/host/package';
import { defaultN8nVersion } from '../../tools/host/versions';
import { type Row } from './row';
import { median } from './statistics';

const rounds = 15;
/** The port for n8n's environment. The script listens on none. */
const noPort = 0;

/**
 * A script that does what n8n does for a community package when it starts, and prints how many
 * milliseconds that took.
 */
const loadScript = `
const { PackageDirectoryLoader } = require('n8n-core');
const start = performance.now();
const loader = new PackageDirectoryLoader(process.argv[1]);
loader.loadAll().then(() => console.log(performance.now() - start));
`;

/** A node that does nothing. Loading it shows how long n8n's loader takes by itself. */
const emptyNode = `exports.Empty = class {
	description = { name: 'empty', displayName: 'Empty', group: ['transform'], version: 1, description: '', defaults: {}, inputs: ['main'], outputs: ['main'], properties: [] };
};`;

/** Writes a package of one empty node. @returns its folder */
async function writeEmptyPackage(home: string): Promise<string> {
	const folder = join(home, 'n8n-nodes-empty');
	await mkdir(folder);
	const n8n = { nodes: ['Empty.node.js'] };
	await writeFile(
		join(folder, 'package.json'),
		JSON.stringify({ name: 'n8n-nodes-empty', version: '1.0.0', n8n }),
	);
	await writeFile(join(folder, 'Empty.node.js'), emptyNode);
	return folder;
}

/** Measures the row about the time that n8n needs to load the package. */
export async function packageRows(): Promise<Row[]> {
	const { folder, command } = await installN8n(defaultN8nVersion);
	const node = command[0] as string;
	// The folder is outside of this project, because the package would find other copies of n8n's
	// libraries in the project's `node_modules`.
	const home = await mkdtemp(join(tmpdir(), 'bench-'));
	try {
		await installPackage(home);
		const ownPath = installedIn(home);
		const NODE_PATH = join(folder, 'node_modules');
		const env = { ...(await environmentOf(home, noPort)), NODE_PATH };
		const emptyPath = await writeEmptyPackage(home);
		const measure = async (path: string) =>
			await measureLoadMs([node, '-e', loadScript, path], { cwd: home, env });
		const ownMs: number[] = [];
		const emptyMs: number[] = [];
		for (let round = 0; round < rounds; round++) {
			ownMs.push(await measure(ownPath));
			emptyMs.push(await measure(emptyPath));
		}
		const ownMedian = median(ownMs);
		const emptyMedian = median(emptyMs);
		return [
			{
				name: 'Loading this package when n8n starts',
				measured: `${ownMedian.toFixed(1)} ms (median of ${rounds})`,
				against: `a package of one empty node: ${emptyMedian.toFixed(1)} ms`,
				ratio: ownMedian / emptyMedian,
				meaning: 'You pay the difference at each start of n8n.',
			},
		];
	} finally {
		await rm(home, { recursive: true });
	}
}

/** Runs `loadScript` in a process of its own. @returns the milliseconds that it prints */
async function measureLoadMs(
	command: readonly string[],
	options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<number> {
	const printed = await runCommand(command, options);
	const ms = Number.parseFloat(printed);
	if (Number.isNaN(ms)) throw new Error(`No time of loading ${command.at(-1)}: ${printed}`);
	return ms;
}
