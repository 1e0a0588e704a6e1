import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { npm, quiet, runCommand } from './child';
import { withLock } from './lock';
import { downloadFolder } from './paths';
import { reportProgress } from './progress';
import { nativeRemedies, requireRoom } from './requirements';
import { bundledNode, needsOf, sqlite3 } from './versions';

export interface N8nInstallation {
	/** The folder whose `node_modules` hold n8n. */
	readonly folder: string;
	/** The command line that starts n8n's own command line. */
	readonly command: readonly string[];
}

/**
 * Installs the dependencies of a `package.json` once, into a folder that all clones of this user
 * share. An installation that was interrupted starts again; a complete one is never touched.
 *
 * @returns the folder
 */
async function installOnce(
	name: string,
	manifest: object,
	install: (folder: string) => Promise<void>,
): Promise<string> {
	// Another `package.json`, or another kind of machine, has another folder.
	const content = JSON.stringify([process.platform, process.arch, manifest]);
	const digest = createHash('sha256').update(content).digest('hex').slice(0, 8);
	const folder = join(downloadFolder, `${name}-${digest}`);
	// The receipt is written last, so it is missing after an interruption.
	const receipt = join(folder, 'installed');
	if (existsSync(receipt)) return folder;
	await requireRoom();
	await withLock(folder, async () => {
		if (existsSync(receipt)) return;
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder);
		await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }));
		await install(folder);
		await writeFile(receipt, '');
	});
	return folder;
}

function needsBundledNode(version: string): boolean {
	const [lowest, highest] = needsOf(version).node;
	const major = Number(process.versions.node.split('.')[0]);
	return major < lowest || major > highest;
}

/**
 * Where node-gyp finds the headers of Node without a download, if they are here. They need not be
 * those of the Node that runs n8n: sqlite3 uses Node-API, which is the same in all.
 */
function headersOfThisMachine(): NodeJS.ProcessEnv {
	const folder = dirname(dirname(process.execPath));
	const here = existsSync(join(folder, 'include/node/node_api.h'));
	return here ? { npm_config_nodedir: folder } : {};
}

/**
 * Installs the native parts of n8n. They come first, so that an error shows before the download of
 * 2 GB.
 *
 * @returns the Node that runs n8n, and the folder of `sqlite3` that holds its binary
 * @throws an error that names what this machine lacks
 */
async function installNativeParts(version: string) {
	const isBundled = needsBundledNode(version);
	const dependencies = { sqlite3, ...(isBundled && { node: bundledNode }) };
	const names = Object.keys(dependencies);
	const folder = await installOnce('native', { dependencies }, async (cwd) => {
		await reportProgress(`Downloading ${names.join(' and ')} for n8n, once`, () =>
			// The optional dependency of sqlite3 is an old node-gyp, which does not know current versions
			// of Python. npm has its own.
			runCommand([...npm, 'install', '--ignore-scripts', '--omit=optional', ...quiet], { cwd }),
		);
		const rebuild = [...npm, 'rebuild', ...names, '--ignore-scripts=false', '--loglevel=error'];
		const env = { ...headersOfThisMachine(), ...process.env };
		await reportProgress(`Building ${names.join(' and ')} for n8n, once`, async () => {
			try {
				await runCommand(rebuild, { cwd, env });
				await runCommand([nodeIn(cwd, isBundled), '-e', 'require("sqlite3")'], { cwd });
			} catch (error) {
				const log = join(downloadFolder, 'native.log');
				await writeFile(log, (error as Error).message);
				throw new Error(nativeRemedies(version, log), { cause: error });
			}
		});
	});
	const sqlite3Folder = join(folder, 'node_modules', 'sqlite3', 'build');
	return { node: nodeIn(folder, isBundled), sqlite3: sqlite3Folder };
}

function nodeIn(folder: string, isBundled: boolean): string {
	return isBundled ? join(folder, 'node_modules', 'node', 'bin', 'node') : process.execPath;
}

/**
 * Installs n8n into the cache, which takes minutes the first time.
 *
 * @throws an error that names what this machine lacks
 */
export async function installN8n(version: string): Promise<N8nInstallation> {
	const native = await installNativeParts(version);
	const { overrides, peers } = needsOf(version);
	const manifest = { dependencies: { n8n: version, ...peers }, overrides };
	const folder = await installOnce(`n8n-${version}`, manifest, async (cwd) => {
		// One of n8n's dependencies builds a Kafka library from downloads at install, so no script may
		// run.
		await reportProgress(`Downloading n8n ${version} to ${cwd}, 2 GB, once`, () =>
			runCommand([...npm, 'install', '--legacy-peer-deps', '--ignore-scripts', ...quiet], { cwd }),
		);
		await cp(native.sqlite3, join(cwd, 'node_modules', 'sqlite3', 'build'), { recursive: true });
	});
	return { folder, command: [native.node, join(folder, 'node_modules', 'n8n', 'bin', 'n8n')] };
}
