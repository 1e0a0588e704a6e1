import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../tools/host/child';
import { environmentOf } from '../../tools/host/environment';
import { installN8n } from '../../tools/host/install';
import { installPackage } from '../../tools/host/package';
import { defaultN8nVersion } from '../../tools/host/versions';
import { median, type Row } from './bench';

const rounds = 15;

/** Does what n8n does for a community package when it starts, and prints how many milliseconds that took. */
const load = `
const { PackageDirectoryLoader } = require('n8n-core');
const start = performance.now();
const loader = new PackageDirectoryLoader(process.argv[1]);
loader.loadAll().then(() => console.log(performance.now() - start));
`;

/** A row on the time that n8n needs to load the package. */
export async function packageRows(): Promise<Row[]> {
	const { folder, command } = await installN8n(defaultN8nVersion);
	const node = command[0] as string;
	// The folder is outside of this project, in whose `node_modules` the package would find other copies of n8n's libraries.
	const home = await mkdtemp(join(tmpdir(), 'bench-'));
	try {
		await installPackage(home);
		const ours = join(home, '.n8n/nodes/node_modules/n8n-nodes-wallet-screening');
		const NODE_PATH = join(folder, 'node_modules');
		const env = { ...(await environmentOf(home, 0)), NODE_PATH };
		const times: number[] = [];
		while (times.length < rounds)
			times.push(Number(await run([node, '-e', load, ours], { cwd: home, env })));
		const measured = `${median(times).toFixed(1)} ms (median of ${rounds})`;
		const name = "What loading this package adds to n8n's start";
		const meaning = 'You pay this at each start of n8n.';
		return [{ name, measured, against: '', ratio: undefined, meaning }];
	} finally {
		await rm(home, { recursive: true });
	}
}
