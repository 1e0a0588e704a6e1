import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../tools/host/child';
import { environmentOf } from '../../tools/host/environment';
import { installN8n } from '../../tools/host/install';
import { installPackage, pack } from '../../tools/host/package';
import { defaultN8nVersion } from '../../tools/host/versions';
import { median, type Row } from './bench';
import { emptyTrigger, makePackage } from './triggerPackage';

/** Rows about the package itself. */
export async function packageRows(): Promise<Row[]> {
	return [await loading(), await size()];
}

const rounds = 15;

/** Does what n8n does for a community package when it starts, and prints how many milliseconds that took. */
const load = `
const { PackageDirectoryLoader } = require('n8n-core');
const start = performance.now();
const loader = new PackageDirectoryLoader(process.argv[1]);
loader.loadAll().then(() => console.log(performance.now() - start));
`;

async function loading(): Promise<Row> {
	const { folder, command } = await installN8n(defaultN8nVersion);
	const node = command[0] as string;
	// Not below this project, in whose `node_modules` the package would find its own copies of what n8n has loaded.
	const home = await mkdtemp(join(tmpdir(), 'bench-'));
	try {
		await installPackage(home);
		const ours = join(home, '.n8n/nodes/node_modules/n8n-nodes-wallet-screening');
		const empty = join(home, 'empty');
		await makePackage(empty, emptyTrigger);
		const env = {
			...(await environmentOf(home, 0)),
			NODE_PATH: join(folder, 'node_modules'),
		};
		const timeOf = async (path: string) =>
			Number(await run([node, '-e', load, path], { cwd: home, env }));
		const times: Array<{ ours: number; empty: number }> = [];
		for (let round = 0; round < rounds; round++) {
			times.push({ empty: await timeOf(empty), ours: await timeOf(ours) });
		}
		const emptyMs = median(times.map((time) => time.empty));
		const moreMs = median(times.map((time) => time.ours)) - emptyMs;
		return {
			name: "What loading this package adds to n8n's start",
			measured: `${moreMs.toFixed(1)} ms more than a package with an empty node (medians of ${rounds})`,
			against: `the empty one: ${emptyMs.toFixed(1)} ms`,
			ratio: undefined,
			meaning: 'You pay this at each start of n8n.',
		};
	} finally {
		await rm(home, { recursive: true });
	}
}

const otherPackage = '@velocity-bpa/n8n-nodes-chainalysis';

async function size(): Promise<Row> {
	const home = await mkdtemp(join(tmpdir(), 'bench-'));
	try {
		const ours = await unpackedSize(await pack(home), home);
		const other = await unpackedSize(otherPackage, home).catch((error: Error) => {
			if (error.message.includes('E404')) return undefined;
			throw error;
		});
		return {
			name: 'Size of the published package, unpacked',
			measured: kilobytes(ours),
			against: `${otherPackage}: ${other === undefined ? 'not in the npm registry in use' : kilobytes(other)}`,
			ratio: other === undefined ? undefined : ours / other,
			meaning: 'What n8n downloads.',
		};
	} finally {
		await rm(home, { recursive: true });
	}
}

/** Bytes of all files of a package, which is given as npm takes it: a name or a tarball. */
async function unpackedSize(spec: string, cwd: string): Promise<number> {
	const packed = await run(['npm', 'pack', '--dry-run', '--json', spec], { cwd });
	return (JSON.parse(packed) as [{ unpackedSize: number }])[0].unpackedSize;
}

function kilobytes(bytes: number): string {
	return `${(bytes / 1000).toFixed(0)} KB`;
}
