import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'wallet-screening';

/** Whether a process has this ID, also if it belongs to another user. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

const folders = new Set<string>();
process.once('exit', () => {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/**
 * Deletes the folders of that name that a killed process left behind. Other processes keep theirs:
 * tests and a demo may run side by side.
 */
async function deleteLeftovers(name: string): Promise<void> {
	const found = await readdir(tmpdir());
	const leftovers = found.filter((folder) => {
		const [, owner, pid] = new RegExp(`^${prefix}-(.+)-(\\d+)-\\w{6}$`).exec(folder) ?? [];
		return owner === name && !isRunning(Number(pid));
	});
	// Folders of another user cannot be deleted, and stay.
	await Promise.allSettled(
		leftovers.map((folder) => rm(join(tmpdir(), folder), { recursive: true, force: true })),
	);
}

/**
 * An empty folder, which is deleted when this process ends. It does not lie below this project,
 * where an installed package would find the project's `node_modules`, with other versions of what
 * n8n provides.
 */
export async function freshFolder(name: string): Promise<string> {
	await deleteLeftovers(name);
	const folder = await mkdtemp(join(tmpdir(), `${prefix}-${name}-${process.pid}-`));
	folders.add(folder);
	return folder;
}

/** The paths of all files in a folder, sorted. For a file, its own path. */
export async function filesIn(path: string): Promise<string[]> {
	if (!(await stat(path)).isDirectory()) return [path];
	const entries = await readdir(path, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name))
		.sort();
}
