import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { npm, start, stop } from '../../tools/host/child';
import { projectFolder } from '../../tools/host/paths';
import { dataOf, logIn } from '../../tools/host/rest';
import { until } from '../../tools/host/until';

describe('npm run n8n', () => {
	let demo: ChildProcess;
	afterEach(() => stop(demo, 0));

	test('prints what works, leaves n8n running until Ctrl+C, and nothing after it', async () => {
		demo = start([...npm, 'run', '--silent', 'n8n'], { cwd: projectFolder }, 'pipe');
		let output = '';
		demo.stdout?.on('data', (data: Buffer) => (output += data.toString()));
		const isUp = async () => output.includes('Ctrl+C ends') || undefined;
		await until('the editor', isUp, { patience: 20 * 60_000, seen: () => output });
		const read = (pattern: RegExp) => pattern.exec(output)?.slice(1) ?? [];

		const [day = '', body = ''] = read(/curl -X PUT (\S+) -d (\d+)/);
		expect(await (await fetch(day, { method: 'PUT', body })).json()).toEqual({ day: 1 });

		const [editor = ''] = read(/in your browser: (http:\S+?)\/workflow/);
		const [email = '', password = ''] = read(/E-mail +(\S+)\s+Password +(\S+)/);
		const rest = await logIn(editor, { email, password });
		const [url = '', authorization = ''] = read(/curl (\S+\/v1\/bulk) -H 'Authorization: (.+?)'/);
		const headers = { authorization, 'content-type': 'application/json' };
		const [submitted = ''] = read(/-d '(.+?)'/);
		expect((await fetch(url, { method: 'POST', headers, body: submitted })).status).toBe(202);
		const received = async () => {
			const { results } = await dataOf<{ results: object[] }>(rest('GET', '/executions'));
			return results.find((one) => (one as { status: string }).status === 'success');
		};
		const execution = await until('the webhook to start a workflow', received);
		expect(execution).toMatchObject({ mode: 'webhook', workflowName: 'Receive a Bulk Job' });

		// The terminal tells all processes of the command, npm and the demo among them.
		process.kill(-demo.pid!, 'SIGINT');
		await once(demo, 'exit', { signal: AbortSignal.timeout(30_000) });
		await expect(fetch(`${editor}/healthz`)).rejects.toThrow();
	});
});
