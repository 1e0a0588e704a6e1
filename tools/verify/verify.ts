import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { run } from '../host/child';
import { filesIn } from '../host/folder';
import { pack } from '../host/package';
import { projectFolder } from '../host/paths';
import { contentFaults } from './contents';
import { scan } from './scanner';

/** Where this package is made: nothing of it may be published. */
async function namesOfThisPlace(): Promise<string[]> {
	const registry = await run(['npm', 'config', 'get', 'registry'], { cwd: projectFolder });
	return [projectFolder, new URL(registry.trim()).host];
}

/** Does `work` on the package as npm would publish it, unpacked in a folder of its own. */
export async function withPackage<T>(work: (folder: string) => Promise<T>): Promise<T> {
	const folder = await mkdtemp(join(tmpdir(), 'wallet-screening-package-'));
	try {
		const tarball = await pack(folder);
		await run(['tar', '-xzf', tarball, '-C', folder], { cwd: folder });
		return await work(join(folder, 'package'));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** What keeps an unpacked package from being published, one finding a line. */
export async function findingsIn(folder: string): Promise<string[]> {
	const files = new Map<string, string>();
	for (const path of await filesIn(folder)) {
		files.set(relative(folder, path).replaceAll(sep, '/'), await readFile(path, 'utf8'));
	}
	return [...contentFaults(files, await namesOfThisPlace()), ...(await scan(folder, 'tarball'))];
}

/** What keeps this project from being published, in its sources and in the package made of them. */
export async function verify(): Promise<string[]> {
	return [...(await scan(projectFolder, 'sources')), ...(await withPackage(findingsIn))];
}
