import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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

/** Options with which npm says nothing but what went wrong. */
export const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

async function installInto(folder: string, version: N8nVersionName): Promise<void> {
	// One of n8n's dependencies builds a Kafka library from downloads at install, so no script may run
	// but of those few packages that are of no use without it.
	await step(`Downloading n8n ${version}, 2 GB, once`, () =>
		run(['npm', 'install', '--legacy-peer-deps', '--ignore-scripts', ...quiet], { cwd: folder }),
	);
	const built = needsBundledNode(version) ? ['sqlite3', 'node'] : ['sqlite3'];
	await step(`Building ${built.join(' and ')} for n8n, once`, () =>
		run(['npm', 'rebuild', ...built, '--ignore-scripts=false', '--foreground-scripts=false'], {
			cwd: folder,
			env: { ...headersOfThisMachine(), ...process.env },
		}),
	);
}

/**
 * Where node-gyp finds the headers of Node without a download, if they are here. They need not be those of the Node that
 * runs n8n: sqlite3 uses Node-API, which is the same in all.
 */
function headersOfThisMachine(): NodeJS.ProcessEnv {
	const folder = dirname(dirname(process.execPath));
	const here = existsSync(join(folder, 'include/node/node_api.h'));
	return here ? { npm_config_nodedir: folder } : {};
}

/**
 * Installs what a `package.json` asks for into a folder of the cache, which takes its time once and none later.
 * An install that was interrupted, or of another `package.json`, is made again.
 */
export async function installOnce(
	folder: string,
	packageJson: string,
	install: () => Promise<void>,
): Promise<void> {
	// Written last, so it is missing after an interruption.
	const receipt = join(folder, 'installed.json');
	await mkdir(cacheFolder, { recursive: true });
	await withLock(`${folder}.lock`, async () => {
		const installed = await readFile(receipt, 'utf8').catch(() => undefined);
		if (installed === packageJson) return;
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true });
		await writeFile(join(folder, 'package.json'), packageJson);
		await install();
		await writeFile(receipt, packageJson);
	});
}

/**
 * Sees to it that n8n lies in the cache, which takes minutes the first time and none later. It is installed
 * again when the version table or the machine's Node has changed.
 */
export async function installN8n(version: N8nVersionName): Promise<N8nInstallation> {
	const folder = join(cacheFolder, `n8n-${version}`);
	await installOnce(folder, manifest(version), () => installInto(folder, version));
	const modules = join(folder, 'node_modules');
	const node = needsBundledNode(version) ? join(modules, '.bin/node') : process.execPath;
	return { folder, command: [node, join(modules, 'n8n/bin/n8n')] };
}
