import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './child';
import { withLock } from './lock';
import { cacheFolder } from './paths';
import { step } from './progress';

export const isRoot = process.getuid?.() === 0;

async function isThere(file: string): Promise<boolean> {
	return access(file).then(
		() => true,
		() => false,
	);
}

async function install(name: string): Promise<void> {
	// In this run level the package does not start a service of its own.
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
	const surroundings = { cwd: cacheFolder, env };
	const options = ['--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=600'];
	await run(['apt-get', 'update'], surroundings);
	await run(['apt-get', 'install', ...options, name], surroundings);
}

/**
 * Sees to it that a package of Debian's is there.
 *
 * @param locate where its program lies once it is installed
 * @returns where the program lies
 * @throws where it is missing and cannot be installed
 */
export async function debianProgram(
	name: string,
	locate: () => string | Promise<string>,
): Promise<string> {
	await mkdir(cacheFolder, { recursive: true });
	await withLock(join(cacheFolder, 'apt.lock'), async () => {
		if (await isThere(await locate())) return;
		if (!isRoot) throw new Error(`${name} is missing. As root: apt-get install ${name}`);
		await step(`Installing ${name}, once`, () => install(name));
	});
	return locate();
}
