import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { step } from './progress';
import { until } from './until';

/** Who holds a lock, as its file says. */
interface Holder {
	readonly pid: number;
	/** A process of another machine, or container, with the same files cannot be looked for. */
	readonly host: string;
	/** No two locks that were ever taken have the same. */
	readonly token: string;
}

/** Milliseconds that one process may make others wait: the slowest download of n8n, or a build of the package. */
const patience = 60 * 60_000;

export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

async function holderOf(file: string): Promise<Holder | undefined> {
	const text = await readFile(file, 'utf8').catch(() => undefined);
	return text === undefined ? undefined : (JSON.parse(text) as Holder);
}

/** Puts a whole file in place, unless one is there: nobody ever reads half of one. */
async function take(file: string): Promise<boolean> {
	const holder: Holder = { pid: process.pid, host: hostname(), token: randomUUID() };
	const draft = `${file}.${holder.token}.draft`;
	await writeFile(draft, JSON.stringify(holder));
	try {
		await link(draft, file);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		return false;
	} finally {
		await rm(draft);
	}
}

/**
 * Takes a lock, also from a holder that has died.
 *
 * Only the holder may remove a file, or the process with the lock on its removal, which is named after the token of
 * that file. So a waiter that is late never removes the file of the next holder.
 */
async function takeFree(file: string): Promise<boolean> {
	if (await take(file)) return true;
	const holder = await holderOf(file);
	if (!holder || holder.host !== hostname() || isRunning(holder.pid)) return false;
	const removal = `${file}.${holder.token}`;
	if (!(await takeFree(removal))) return false;
	try {
		if ((await holderOf(file))?.token === holder.token) await rm(file);
	} finally {
		await rm(removal);
	}
	return await take(file);
}

async function waitFor(file: string): Promise<void> {
	const look = async () => ((await takeFree(file)) ? true : undefined);
	const seen = async () => {
		const holder = await holderOf(file);
		return `process ${holder?.pid} on ${holder?.host} holds it. If that is not a command of this project, delete the file.`;
	};
	await until(`the lock ${file}`, look, { patience, pause: 250, seen });
}

/**
 * Does `work` while no other process does work under the same lock file. A file whose process has died
 * does not count.
 *
 * @throws when the lock is not free within an hour
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
	if (!(await takeFree(file))) {
		const pid = (await holderOf(file))?.pid;
		await step(`Waiting for process ${pid}, which is at the same work`, () => waitFor(file));
	}
	try {
		return await work();
	} finally {
		await rm(file, { force: true });
	}
}
