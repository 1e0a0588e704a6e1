import { open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines, start, stop } from './child';

/** A running process of n8n, or of what n8n needs. */
export interface HostProcess {
	/** The process itself, which its guard is the parent of. */
	processId(): Promise<number>;
	/** All that it has written so far. */
	log(): Promise<string>;
	stop(): Promise<void>;
}

export interface ProcessOptions {
	readonly name: string;
	readonly command: readonly string[];
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** What it writes goes here. */
	readonly logFile: string;
	/** What it writes once it is ready. */
	readonly ready: string;
}

/**
 * Starts a process and waits until it says that it is ready.
 *
 * @throws when it ends before, with the last lines of its log
 */
export async function startProcess({
	name,
	command,
	cwd,
	env,
	logFile,
	ready,
}: ProcessOptions): Promise<HostProcess> {
	const log = () => readFile(logFile, 'utf8');
	const output = await open(logFile, 'w');
	const child = start(command, { cwd, env }, output.fd);
	await output.close();
	while (!(await log()).includes(ready)) {
		if (child.exitCode !== null || child.signalCode !== null) {
			throw new Error(`${name} did not start:\n${lastLines(await log())}`);
		}
		await sleep(50);
	}
	return {
		processId: async () =>
			Number(await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')),
		log,
		stop: () => stop(child, 10_000),
	};
}
