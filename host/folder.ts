import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './lock';

/**
 * Not below this project: a package that is installed there would find the project's `node_modules`, with other versions
 * of what it is to get from n8n.
 */
const freshFolders = join(tmpdir(), 'n8n-nodes-wallet-screening');

/** Deletes the folders of that name whose process has ended: tests and a demo may run side by side. */
async function deleteLeftovers(name: string): Promise<void> {
	const folders = await readdir(freshFolders);
	const leftovers = folders.filter((folder) => {
		const [, owner, pid] = /^(.+)-(\d+)$/.exec(folder) ?? [];
		return owner === name && !isRunning(Number(pid));
	});
	await Promise.all(
		leftovers.map((folder) => rm(join(freshFolders, folder), { recursive: true, force: true })),
	);
}

/** An empty folder of this process, which is deleted when a later process asks for one of the same name. */
export async function freshFolder(name: string): Promise<string> {
	const folder = join(freshFolders, `${name}-${process.pid}`);
	await mkdir(freshFolders, { recursive: true });
	await deleteLeftovers(name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder);
	return folder;
}
