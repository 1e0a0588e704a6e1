import type { ChildProcess } from 'node:child_process';
import { npm, startCommand } from '../../../tools/host/child';
import { projectFolder } from '../../../tools/host/paths';
import { until } from '../../../tools/host/until';

interface Trial {
	readonly process: ChildProcess;
	/** Waits for the address of its first page. */
	firstPage(): Promise<string>;
}

/** Starts `npm run n8n`. */
export function startTrial(): Trial {
	const process = startCommand([...npm, 'run', '--silent', 'n8n'], { cwd: projectFolder }, 'pipe');
	let output = '';
	process.stdout?.on('data', (data: Buffer) => (output += data.toString()));
	const findPage = async () => /in your browser: (http:\S+)[^]*Ctrl\+C ends/.exec(output)?.[1];
	const firstPage = async () =>
		await until('the first page', findPage, { timeoutMs: 20 * 60_000, seen: () => output });
	return { process, firstPage };
}
