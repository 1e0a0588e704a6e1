import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { lastLines, startCommand, stopCommand } from './child';
import { until } from './until';

/** A running process of n8n, or of what n8n needs. */
export interface HostProcess {
	/** The ID of the process itself. Its parent is its guard. */
	processId(): Promise<number>;
	/** All output so far. */
	log(): Promise<string>;
	stop(): Promise<void>;
}

/** Redis or PostgreSQL, on the loopback interface. */
export interface DataServer extends HostProcess {
	readonly port: number;
}

/** Milliseconds that a process may take until it is ready. */
const timeoutMs = 3 * 60_000;

interface ProcessOptions {
	readonly name: string;
	readonly command: readonly string[];
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** The file that takes the output. */
	readonly logFile: string;
	/** The text that the process writes once it is ready. */
	readonly ready: string;
}

/**
 * Starts a process and waits until its log holds the text `ready`.
 *
 * @throws an error with the last lines of the log, if the process ends before or takes too long
 */
export async function startProcess(options: ProcessOptions): Promise<HostProcess> {
	const { name, command, logFile, ready } = options;
	const log = () => readFile(logFile, 'utf8');
	const output = await open(logFile, 'w');
	const child = startCommand(command, options, output.fd);
	const started = once(child, 'message').then(([pid]) => pid as number);
	// A guard that cannot start sends no message. The wait below notices that.
	started.catch(() => {});
	await output.close();
	const isReady = async () => {
		if ((await log()).includes(ready)) return true;
		if (child.exitCode === null && child.signalCode === null) return undefined;
		throw new Error(`${name} did not start:\n${lastLines(await log())}`);
	};
	try {
		const seen = async () => `\n${lastLines(await log())}`;
		await until(`${name} to write "${ready}"`, isReady, { timeoutMs, seen });
	} catch (error) {
		await stopCommand(child, 0);
		throw error;
	}
	return { processId: () => started, log, stop: () => stopCommand(child, 10_000) };
}
