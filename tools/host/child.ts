import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';

interface CommandOptions {
	readonly cwd: string;
	readonly env?: NodeJS.ProcessEnv;
}

/**
 * Starts a command in a process group of its own, which ends with this process at the latest.
 *
 * @param output a file descriptor, or `pipe` to read what the command writes
 * @returns the guard of the command (guard.js), whose first message is the process ID of the
 * command itself
 */
export function startCommand(
	command: readonly string[],
	{ cwd, env = process.env }: CommandOptions,
	output: 'pipe' | number,
): ChildProcess {
	return spawn(process.execPath, [join(__dirname, 'guard.js'), ...command], {
		cwd,
		env,
		detached: true,
		stdio: ['ignore', output, output, 'ipc'],
	});
}

/**
 * Ends a started command: sends it SIGTERM, and kills its process group after `graceMs`
 * milliseconds.
 *
 * @throws if it still runs 10 seconds later
 */
export async function stopCommand(child: ChildProcess, graceMs: number): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill('SIGTERM');
	// Any message makes the guard kill the group.
	const killTimer = setTimeout(() => child.connected && child.send('end'), graceMs);
	try {
		await once(child, 'exit', { signal: AbortSignal.timeout(graceMs + 10_000) });
	} catch (error) {
		throw new Error(`Process ${child.pid} did not exit.`, { cause: error });
	} finally {
		clearTimeout(killTimer);
	}
}

/**
 * Runs a command to its end.
 *
 * @returns what it wrote to standard output
 * @throws an error with the last lines that it wrote, when it fails
 */
export async function runCommand(
	command: readonly string[],
	options: CommandOptions,
): Promise<string> {
	const child = startCommand(command, options, 'pipe');
	let stdout = '';
	let everything = '';
	// A character of several bytes may come in two pieces.
	child.stdout?.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
		everything += text;
	});
	child.stderr?.setEncoding('utf8').on('data', (text: string) => (everything += text));
	const [code] = (await once(child, 'close')) as [number | null];
	if (code === 0) return stdout;
	throw new Error(`"${command.join(' ')}" failed (${code}):\n${lastLines(everything)}`);
}

/** The command line that starts npm. If npm runs this script, it is the same npm. */
export const npm: readonly string[] = basename(process.env.npm_execpath ?? '').startsWith('npm-cli')
	? [process.execPath, process.env.npm_execpath as string]
	: ['npm'];

/** Options with which npm prints errors only. */
export const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

/** The last 25 lines of a text, for the message of an error. */
export function lastLines(text: string): string {
	return text.trimEnd().split('\n').slice(-25).join('\n');
}
