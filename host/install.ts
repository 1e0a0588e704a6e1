import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './child';
import { withLock } from './lock';
import { cacheFolder } from './paths';
import { step } from './progress';
import { bundledNode, n8nVersions, type N8nVersionName } from './versions';

export interface N8nInstallation {
	/** The folder whose `node_modules` hold n8n. */
	readonly folder: string;
	/** The command line that starts n8n's own command line. */
	readonly command: readonly string[];
}

function needsBundledNode(version: N8nVersionName): boolean {
	const [lowest, highest] = n8nVersions[version].node;
	const major = Number(process.versions.node.split('.')[0]);
	return major < lowest || major > highest;
}

function manifest(version: N8nVersionName): string {
	return JSON.stringify({
		private: true,
		dependencies: { n8n: version, ...(needsBundledNode(version) && { node: bundledNode }) },
		overrides: n8nVersions[version].overrides,
	});
}

async function installInto(folder: string, version: N8nVersionName): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), manifest(version));
	// One of n8n's dependencies builds a Kafka library from downloads at install, so no script may run
	// but of those few packages that are of no use without it.
	const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
	await step(`Downloading n8n ${version}, 2 GB, once`, () =>
		run(['npm', 'install', '--legacy-peer-deps', '--ignore-scripts', ...quiet], { cwd: folder }),
	);
	const built = needsBundledNode(version) ? ['sqlite3', 'node'] : ['sqlite3'];
	await step(`Building ${built.join(' and ')} for n8n, once`, () =>
		run(['npm', 'rebuild', ...built, '--ignore-scripts=false', '--foreground-scripts=false'], {
			cwd: folder,
		}),
	);
}

/**
 * Sees to it that n8n lies in the cache, which takes minutes the first time and none later. An install
 * that was interrupted is made again.
 */
export async function installN8n(version: N8nVersionName): Promise<N8nInstallation> {
	const folder = join(cacheFolder, `n8n-${version}`);
	// Written last, and with what was installed: it is missing after an interruption, and no longer
	// fits when the version table or the machine's Node has changed.
	const receipt = join(folder, 'installed.json');
	await mkdir(cacheFolder, { recursive: true });
	await withLock(`${folder}.lock`, async () => {
		const installed = await readFile(receipt, 'utf8').catch(() => undefined);
		if (installed === manifest(version)) return;
		await installInto(folder, version);
		await writeFile(receipt, manifest(version));
	});
	const modules = join(folder, 'node_modules');
	const node = needsBundledNode(version) ? join(modules, '.bin/node') : process.execPath;
	return { folder, command: [node, join(modules, 'n8n/bin/n8n')] };
}
