import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from './lock';
import { cacheFolder } from './paths';

/** Deletes the folders of that name whose process has ended: tests and a demo may run side by side. */
async function deleteLeftovers(name: string): Promise<void> {
	const folders = await readdir(cacheFolder);
	const leftovers = folders.filter((folder) => {
		const [, owner, pid] = /^(.+)-(\d+)$/.exec(folder) ?? [];
		return owner === name && !isRunning(Number(pid));
	});
	await Promise.all(
		leftovers.map((folder) => rm(join(cacheFolder, folder), { recursive: true, force: true })),
	);
}

/** An empty folder of this process, which is deleted when a later process asks for one of the same name. */
export async function freshFolder(name: string): Promise<string> {
	const folder = join(cacheFolder, `${name}-${process.pid}`);
	await mkdir(cacheFolder, { recursive: true });
	await deleteLeftovers(name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder);
	return folder;
}
