import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/server';

const root = join(__dirname, '../..');
const children: ChildProcess[] = [];

function run(...args: string[]) {
	const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.ts', ...args], {
		cwd: root,
	});
	children.push(child);
	const output = { text: '' };
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
	}
	return { child, output, exit: once(child, 'exit') };
}

/** Waits for the greeting; throws with what was written instead when the child ends without one. */
async function greeted({ child, output }: ReturnType<typeof run>): Promise<void> {
	const ended = once(child, 'close').then(() => true);
	while (!output.text.includes('Ctrl+C')) {
		const more = once(child.stdout, 'data').then(() => false);
		if ((await Promise.race([more, ended])) && !output.text.includes('Ctrl+C')) {
			throw new Error(`The sandbox ended without a greeting:\n${output.text}`);
		}
	}
}

afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
});

it.each(['SIGINT', 'SIGTERM'] as const)(
	'greets with an address and keys that work, and ends cleanly on %s',
	async (signal) => {
		const sandbox = run('--port', '0');
		const { child, output, exit } = sandbox;
		await greeted(sandbox);
		const [, baseUrl = ''] = /listens on (http:\S+)/.exec(output.text) ?? [];
		const [, key = ''] = /Read-write key +(\S+)/.exec(output.text) ?? [];
		const answer = await fetch(`${baseUrl}/v1/screen`, {
			method: 'POST',
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
			body: '{"address":"a"}',
		});
		expect(answer.status).toBe(200);
		expect(output.text).toContain(`curl ${baseUrl}/v1/screen`);
		child.kill(signal);
		expect(await exit).toEqual([0, null]);
	},
);

it('says so when the port is taken', async () => {
	const sandbox = await startSandbox();
	const { port } = new URL(sandbox.baseUrl);
	const { output, exit } = run('--port', port);
	expect(await exit).toEqual([1, null]);
	expect(output.text).toBe(`Port ${port} is taken; choose another with --port\n`);
	await sandbox.close();
});

it('points to the help when an option is wrong', async () => {
	const { output, exit } = run('--latency', 'soon');
	expect(await exit).toEqual([1, null]);
	expect(output.text).toMatch(/^--latency must be a number .* not "soon"\nSee .* --help\n$/);
});
