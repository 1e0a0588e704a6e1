import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { npm, quiet, run } from './child';
import { withLock } from './lock';
import { downloadFolder } from './paths';
import { step } from './progress';
import { nativeRemedies, requireRoom } from './requirements';
import {
	bundledNode,
	n8nVersions,
	type N8nVersion,
	type N8nVersionName,
	sqlite3,
} from './versions';

export interface N8nInstallation {
	/** The folder whose `node_modules` hold n8n. */
	readonly folder: string;
	/** The command line that starts n8n's own command line. */
	readonly command: readonly string[];
}

type Manifest = Readonly<Record<string, unknown>>;

const receiptName = 'installed';

/** A folder for all clones: another `package.json`, or another kind of machine, has another one. */
function folderFor(name: string, manifest: Manifest): string {
	const content = JSON.stringify([process.platform, process.arch, manifest]);
	const digest = createHash('sha256').update(content).digest('hex').slice(0, 8);
	return join(downloadFolder, `${name}-${digest}`);
}

/**
 * Installs what a `package.json` asks for into a folder for all clones that this user has, which takes its time once and
 * none later. An install that was interrupted is made again; a complete one is never touched.
 *
 * @returns the folder
 */
async function installOnce(
	name: string,
	manifest: Manifest,
	install: (folder: string) => Promise<void>,
): Promise<string> {
	const folder = folderFor(name, manifest);
	// Written last, so it is missing after an interruption.
	const receipt = join(folder, receiptName);
	if (existsSync(receipt)) return folder;
	await mkdir(downloadFolder, { recursive: true });
	await withLock(`${folder}.lock`, async () => {
		if (existsSync(receipt)) return;
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder);
		await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }));
		await install(folder);
		await writeFile(receipt, '');
	});
	return folder;
}

function needsBundledNode(version: N8nVersionName): boolean {
	const [lowest, highest] = n8nVersions[version].node;
	const major = Number(process.versions.node.split('.')[0]);
	return major < lowest || major > highest;
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

/** The parts of n8n that are made for one kind of machine. */
interface NativeParts {
	/** The Node that runs n8n. */
	readonly node: string;
	/** The folder of the package `sqlite3` that holds its binary. */
	readonly sqlite3: string;
}

/**
 * Installs them before n8n: what this machine lacks shows before the download of 2 GB, and a failure throws none away.
 *
 * @throws what a machine needs for it, where it lacks that
 */
async function installNativeParts(version: N8nVersionName): Promise<NativeParts> {
	const isBundled = needsBundledNode(version);
	const dependencies = { sqlite3, ...(isBundled && { node: bundledNode }) };
	const names = Object.keys(dependencies);
	const folder = await installOnce('native', { dependencies }, async (cwd) => {
		await step(`Downloading ${names.join(' and ')} for n8n, once`, () =>
			// Without the old node-gyp of sqlite3, which knows no Python of today: npm has one of its own.
			run([...npm, 'install', '--ignore-scripts', '--omit=optional', ...quiet], { cwd }),
		);
		const rebuild = [...npm, 'rebuild', ...names, '--ignore-scripts=false', '--loglevel=error'];
		const env = { ...headersOfThisMachine(), ...process.env };
		await step(`Building ${names.join(' and ')} for n8n, once`, async () => {
			try {
				await run(rebuild, { cwd, env });
				await run([nodeIn(cwd, isBundled), '-e', 'require("sqlite3")'], { cwd });
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
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	return isBundled ? join(folder, 'node_modules', 'node', 'bin', name) : process.execPath;
}

function manifestOf(version: N8nVersionName): Manifest {
	const { overrides, peers }: N8nVersion = n8nVersions[version];
	return { dependencies: { n8n: version, ...peers }, overrides };
}

/** Whether n8n lies ready on this machine, so that nothing of it is downloaded. */
export function isInstalled(version: N8nVersionName): boolean {
	return existsSync(join(folderFor(`n8n-${version}`, manifestOf(version)), receiptName));
}

/**
 * Sees to it that n8n lies in the cache, which takes minutes the first time and none later.
 *
 * @throws what this machine lacks for it, before the download
 */
export async function installN8n(version: N8nVersionName): Promise<N8nInstallation> {
	if (!isInstalled(version)) await requireRoom(version);
	const native = await installNativeParts(version);
	const folder = await installOnce(`n8n-${version}`, manifestOf(version), async (cwd) => {
		// One of n8n's dependencies builds a Kafka library from downloads at install, so no script may run.
		await step(`Downloading n8n ${version}, 2 GB, once`, () =>
			run([...npm, 'install', '--legacy-peer-deps', '--ignore-scripts', ...quiet], { cwd }),
		);
		await cp(native.sqlite3, join(cwd, 'node_modules', 'sqlite3', 'build'), { recursive: true });
	});
	return { folder, command: [native.node, join(folder, 'node_modules', 'n8n', 'bin', 'n8n')] };
}
