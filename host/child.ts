import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

interface Surroundings {
	readonly cwd: string;
	readonly env?: NodeJS.ProcessEnv;
}

/**
 * Starts a command in a process group of its own, which ends with this process at the latest.
 *
 * @param output a file descriptor, or `pipe` to read what the command writes
 */
export function start(
	command: readonly string[],
	{ cwd, env = process.env }: Surroundings,
	output: 'pipe' | number,
): ChildProcess {
	return spawn(process.execPath, [join(__dirname, 'guard.js'), ...command], {
		cwd,
		env,
		detached: true,
		stdio: ['pipe', output, output],
	});
}

/** Ends a started command: asks it to, and after `patience` milliseconds no longer asks. */
export async function stop(child: ChildProcess, patience: number): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = once(child, 'exit');
	child.kill('SIGTERM');
	const timer = setTimeout(() => child.stdin?.end(), patience);
	await exited;
	clearTimeout(timer);
}

/**
 * Runs a command to its end.
 *
 * @returns what it wrote to standard output
 * @throws an error with the last lines that it wrote, when it fails
 */
export async function run(command: readonly string[], surroundings: Surroundings): Promise<string> {
	const child = start(command, surroundings, 'pipe');
	let stdout = '';
	let everything = '';
	child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()));
	child.stdout?.on('data', (data: Buffer) => (everything += data.toString()));
	child.stderr?.on('data', (data: Buffer) => (everything += data.toString()));
	const [code] = (await once(child, 'close')) as [number | null];
	if (code !== 0) {
		throw new Error(`"${command.join(' ')}" failed (${code}):\n${lastLines(everything)}`);
	}
	return stdout;
}

export function lastLines(text: string): string {
	return text.trimEnd().split('\n').slice(-25).join('\n');
}
