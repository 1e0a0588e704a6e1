import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../../tools/host/until';

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

function run(...args: string[]) {
	const command = ['--import', 'tsx', 'sandbox/main.ts', ...args];
	const child = spawn(process.execPath, command, { cwd: join(__dirname, '../..') });
	children.push(child);
	const output = { text: '' };
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
	}
	return { child, output, closed: once(child, 'close') };
}

it('greets with a command that works, says so if the port is taken, and ends cleanly', async () => {
	const { child, output, closed } = run('--port', '0');
	await until('the greeting', async () => output.text.includes('Ctrl+C') || undefined, {
		seen: () => output.text,
	});
	const [, url = ''] = /curl (http:\S+)/.exec(output.text) ?? [];
	const headers = [...output.text.matchAll(/-H '(.+?): (.+?)'/g)].map(([, name, value]) => [
		name!,
		value!,
	]);
	const [, body = ''] = /-d '(.+?)'/.exec(output.text) ?? [];
	const answer = await fetch(url, { method: 'POST', headers: Object.fromEntries(headers), body });
	expect(await answer.json()).toMatchObject({ ...JSON.parse(body), chain: 'ETH' });

	const { port } = new URL(url);
	const second = run('--port', port);
	expect(await second.closed).toEqual([1, null]);
	expect(second.output.text).toBe(`Port ${port} is taken; choose another with --port\n`);

	child.kill('SIGTERM');
	expect(await closed).toEqual([0, null]);
});
