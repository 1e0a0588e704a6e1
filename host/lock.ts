import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { step } from './progress';

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

async function waitFor(file: string): Promise<void> {
	while (!(await take(file))) {
		const pid = Number(await readFile(file, 'utf8').catch(() => ''));
		// An empty file is one that its process is about to fill.
		if (pid > 0 && !isRunning(pid)) await rm(file, { force: true });
		else await sleep(250);
	}
}

/**
 * Does `work` while no other process does work under the same lock file. A file whose process has died
 * does not count.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
	if (!(await take(file))) {
		await step(`Waiting for the process that holds ${basename(file)}`, () => waitFor(file));
	}
	try {
		return await work();
	} finally {
		await rm(file, { force: true });
	}
}
