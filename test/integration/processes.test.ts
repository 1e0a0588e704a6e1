import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runCommand, startCommand, stopCommand } from '../../tools/host/child';
import { isRunning } from '../../tools/host/folder';
import { projectFolder } from '../../tools/host/paths';
import { until } from '../../tools/host/until';

const gone = async (pid: number) => {
	expect(pid).toBeGreaterThan(0);
	const ended = async () => (isRunning(pid) ? undefined : true);
	await until(`process ${pid} to end`, ended, { pauseMs: 10 });
};

test('a child process ends with its owner, even when that is killed', async () => {
	const script = `
		const { startCommand } = require('./tools/host/child');
		const sleeper = ['sh', '-c', 'echo $$; sleep 100; echo awake'];
		startCommand(sleeper, { cwd: '.' }, 'pipe').stdout.pipe(process.stdout);
	`;
	const command = [process.execPath, '--import=tsx', '--eval', script];
	const guard = startCommand(command, { cwd: projectFolder }, 'pipe');
	try {
		const [pid] = (await once(guard, 'message')) as [number];
		const [line] = (await once(guard.stdout!, 'data')) as [Buffer];
		const child = Number(line);
		expect(isRunning(child)).toBe(true);
		process.kill(pid, 'SIGKILL');
		await gone(child);
	} finally {
		await stopCommand(guard, 0);
	}
});

test('a child process leaves none of its own behind', async () => {
	const left = await runCommand(['sh', '-c', 'sleep 100 >/dev/null 2>&1 & echo $!'], { cwd: '.' });
	await gone(Number(left));
	expect(left).toMatch(/^\d+\n$/);
});

describe('a script', () => {
	/** Runs the code of a script, which has the functions of `script.ts` by their names. */
	function runCode(code: string) {
		const functions = "const { runScript, untilInterrupted } = require('./tools/host/script');";
		const command = ['--import=tsx', '--eval', `${functions} ${code}`];
		const child = spawn(process.execPath, command, { cwd: projectFolder });
		const output = { text: '' };
		for (const stream of [child.stdout, child.stderr])
			stream.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
		return { child, output, closed: once(child, 'close') };
	}

	test('that fails prints the message alone, and ends although something still runs', async () => {
		const fail = "setInterval(() => {}, 1000); throw new Error('The port is taken.');";
		const { output, closed } = runCode(`runScript(async () => { ${fail} });`);
		expect(await closed).toEqual([1, null]);
		expect(output.text).toBe('The port is taken.\n');
	});

	test.each([
		['ends at once while it starts', 'await new Promise(() => {});', 130, ''],
		['ends in order once it waits for Ctrl+C', 'await untilInterrupted();', 0, 'Stopped\n'],
	])('%s', async (_what, wait, status, last) => {
		const { child, output, closed } = runCode(`runScript(async () => {
			console.log('Started');
			const work = setTimeout(() => {}, 60_000);
			${wait}
			console.log('Stopped');
			clearTimeout(work);
		});`);
		await until('the script to start', async () => output.text.includes('Started') || undefined);
		child.kill('SIGTERM');
		expect(await closed).toEqual([status, null]);
		expect(output.text).toBe(`Started\n${last}`);
	});
});
