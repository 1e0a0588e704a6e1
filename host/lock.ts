import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

async function take(file: string): Promise<boolean> {
	try {
		await writeFile(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		return false;
	}
}

/**
 * Does `work` while no other process does work under the same lock file. A file whose process has died
 * does not count.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
	while (!(await take(file))) {
		const pid = Number(await readFile(file, 'utf8').catch(() => ''));
		// An empty file is one that its process is about to fill.
		if (pid > 0 && !isRunning(pid)) await rm(file, { force: true });
		else await sleep(250);
	}
	try {
		return await work();
	} finally {
		await rm(file, { force: true });
	}
}
