import { npm, start } from '../../../tools/host/child';
import { projectFolder } from '../../../tools/host/paths';
import { until } from '../../../tools/host/until';

/**
 * Starts `npm run n8n`.
 *
 * @returns its process, and a function that waits for the address of its first page
 */
export function startTrial() {
	const started = start([...npm, 'run', '--silent', 'n8n'], { cwd: projectFolder }, 'pipe');
	let output = '';
	started.stdout?.on('data', (data: Buffer) => (output += data.toString()));
	const findPage = async () => /in your browser: (http:\S+)[^]*Ctrl\+C ends/.exec(output)?.[1];
	const firstPage = async () =>
		await until('the first page', findPage, { timeoutMs: 20 * 60_000, seen: () => output });
	return { process: started, firstPage };
}
