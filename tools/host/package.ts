import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { name } from '../../package.json';
import { npm, quiet, runCommand } from './child';
import { filesIn } from './folder';
import { withLock } from './lock';
import { cacheFolder, projectFolder } from './paths';
import { reportProgress } from './progress';

/** The files that the published package is made of. */
export const sources = [
	'nodes',
	'credentials',
	'package.json',
	'tsconfig.json',
	'gulpfile.js',
	'README.md',
	'CHANGELOG.md',
	'LICENSE',
];

/** This package as it would be published. */
interface BuiltPackage {
	readonly tarball: string;
	/** A folder into which npm has installed the tarball, which lies there too. */
	readonly installed: string;
}

async function digestOfSources(): Promise<string> {
	const digest = createHash('sha256');
	for (const source of sources) {
		for (const file of await filesIn(join(projectFolder, source))) {
			const content = await readFile(file);
			digest.update(`${file}\0${content.length}\0`).update(content);
		}
	}
	return digest.digest('hex').slice(0, 16);
}

async function buildInto(folder: string): Promise<void> {
	const cwd = projectFolder;
	await mkdir(folder, { recursive: true });
	await runCommand([...npm, 'run', 'build'], { cwd });
	const packing = [...npm, 'pack', '--json', '--pack-destination', folder];
	const [{ filename }] = JSON.parse(await runCommand(packing, { cwd })) as [{ filename: string }];
	await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
	await runCommand(
		[...npm, 'install', '--legacy-peer-deps', '--ignore-scripts', ...quiet, `./${filename}`],
		{ cwd: folder },
	);
}

/** Builds and packs this package, once for all processes until its sources change. */
async function buildPackage(): Promise<BuiltPackage> {
	const folder = join(cacheFolder, 'package');
	await mkdir(folder, { recursive: true });
	return withLock(folder, async () => {
		const installed = join(folder, await digestOfSources());
		// npm writes this file last, so it is missing after an interruption.
		const receipt = join(installed, 'package-lock.json');
		if (!(await stat(receipt).catch(() => undefined))) {
			for (const other of await readdir(folder)) {
				await rm(join(folder, other), { recursive: true, force: true });
			}
			await reportProgress('Building the package', () => buildInto(installed));
		}
		const names = await readdir(installed);
		const tarball = names.find((name) => name.endsWith('.tgz')) as string;
		return { tarball: join(installed, tarball), installed };
	});
}

/**
 * Packs this package as it would be published, and builds it first if need be.
 *
 * @returns the tarball in `destination`
 */
export async function pack(destination: string): Promise<string> {
	const { tarball } = await buildPackage();
	const copy = join(destination, basename(tarball));
	await copyFile(tarball, copy);
	return copy;
}

/** Where n8n keeps the community packages of a user folder. */
const packagesOf = (userFolder: string) => join(userFolder, '.n8n', 'nodes');

/** The folder of this package in a user folder of n8n. */
export const installedIn = (userFolder: string) =>
	join(packagesOf(userFolder), 'node_modules', name);

/** Puts this package where n8n looks for it. */
export async function installPackage(userFolder: string): Promise<void> {
	const { installed } = await buildPackage();
	await cp(installed, packagesOf(userFolder), { recursive: true });
}
