import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectFolder } from '../../tools/host/paths';
import { until } from '../../tools/host/until';
import { ethereum } from '../support/data/knownAddresses';

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

function run(port: string, ...options: string[]) {
	const command = ['--import', 'tsx', 'sandbox/main.ts', '--port', port, ...options];
	const child = spawn(process.execPath, command, { cwd: projectFolder });
	children.push(child);
	const output = { text: '' };
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
	return { child, output, closed: once(child, 'close') };
}

it('greets with a command that works, says so if the port is taken, and ends cleanly', async () => {
	const { child, output, closed } = run('0');
	const seen = () => output.text;
	await until('the greeting', async () => seen().includes('Ctrl+C') || undefined, { seen });
	const [, url = ''] = /curl (http:\S+)/.exec(seen()) ?? [];
	const [, body = ''] = /-d '(.+?)'/.exec(seen()) ?? [];
	const headers = [...seen().matchAll(/-H '(.+?): (.+?)'/g)].map(([, ...pair]) => pair);
	const answer = await fetch(url, { method: 'POST', headers: Object.fromEntries(headers), body });
	expect(await answer.json()).toMatchObject({ ...JSON.parse(body), chain: 'ETH' });

	const { port } = new URL(url);
	const second = run(port);
	expect(await second.closed).toEqual([1, null]);
	expect(second.output.text).toBe(
		`Port ${port} is taken, perhaps by another sandbox\nSee npm run sandbox -- --help\n`,
	);

	child.kill('SIGTERM');
	expect(await closed).toEqual([0, null]);
});

it('prints each attempt to report a job that fails', async () => {
	const target = ['--webhook-url', 'http://127.0.0.1:1', '--webhook-secret', 'a-secret'];
	const { output } = run('0', '--job-duration', '0', ...target);
	const seen = () => output.text;
	await until('the greeting', async () => seen().includes('Ctrl+C') || undefined, { seen });
	const [, baseUrl = ''] = /listens on (http:\S+)/.exec(seen()) ?? [];
	const answer = await fetch(`${baseUrl}/v1/bulk`, {
		method: 'POST',
		headers: {
			authorization: 'Bearer sandbox-read-write-key',
			'content-type': 'application/json',
		},
		body: JSON.stringify({ addresses: [ethereum] }),
	});
	const { job_id } = (await answer.json()) as { job_id: string };
	await until('two failures', async () => /Attempt 2 .*\n/.test(seen()) || undefined, { seen });
	const reason = 'connect ECONNREFUSED 127.0.0.1:1';
	const failures = [1, 2].map((at) => `Attempt ${at} to report ${job_id} failed: ${reason}`);
	expect(seen().match(/Attempt [12].*/g)).toEqual(failures);
});
