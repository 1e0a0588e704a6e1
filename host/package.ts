import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './child';
import { withLock } from './lock';
import { cacheFolder, projectFolder } from './paths';
import { step } from './progress';

const sources = ['nodes', 'credentials', 'package.json', 'tsconfig.build.json', 'gulpfile.js'];

async function newestChange(path: string, ending = ''): Promise<number> {
	const isFolder = (await stat(path)).isDirectory();
	const names = isFolder ? await readdir(path, { recursive: true }) : [''];
	const entries = await Promise.all(
		names.filter((name) => name.endsWith(ending)).map((name) => stat(join(path, name))),
	);
	return Math.max(0, ...entries.map(({ mtimeMs }) => mtimeMs));
}

async function isBuilt(): Promise<boolean> {
	// The compiler is the last to write, and does so only when all is right; the other files keep the
	// times of their sources.
	const built = await newestChange(join(projectFolder, 'dist'), '.js').catch(() => 0);
	const written = await Promise.all(
		sources.map((source) => newestChange(join(projectFolder, source))),
	);
	return built > Math.max(...written);
}

/**
 * Packs this package as it would be published, and builds it first if need be.
 *
 * @returns the tarball in `destination`
 */
export async function pack(destination: string): Promise<string> {
	const cwd = projectFolder;
	// Others may be packing or testing what lies in `dist`: it is not built again without need.
	return withLock(join(cacheFolder, 'package.lock'), async () => {
		if (!(await isBuilt()))
			await step('Building the package', () => run(['npm', 'run', 'build'], { cwd }));
		const packed = await run(['npm', 'pack', '--json', '--pack-destination', destination], { cwd });
		const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
		return join(destination, filename);
	});
}

/**
 * Packs this package, and installs it where n8n keeps the community packages of a user folder.
 */
export async function installPackage(userFolder: string): Promise<void> {
	const folder = join(userFolder, '.n8n', 'nodes');
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
	const tarball = await pack(folder);
	await step('Installing the package into n8n', () =>
		run(
			[
				'npm',
				'install',
				'--legacy-peer-deps',
				'--ignore-scripts',
				'--no-audit',
				'--no-fund',
				tarball,
			],
			{
				cwd: folder,
			},
		),
	);
}
