import { once } from 'node:events';
import { run, start, stop } from '../../tools/host/child';
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
		const { start } = require('./tools/host/child');
		const sleeper = ['sh', '-c', 'echo $$; sleep 100; echo awake'];
		start(sleeper, { cwd: '.' }, 'pipe').stdout.pipe(process.stdout);
	`;
	const command = [process.execPath, '--import=tsx', '--eval', script];
	const guard = start(command, { cwd: projectFolder }, 'pipe');
	try {
		const [pid] = (await once(guard, 'message')) as [number];
		const [line] = (await once(guard.stdout!, 'data')) as [Buffer];
		const child = Number(line);
		expect(isRunning(child)).toBe(true);
		process.kill(pid, 'SIGKILL');
		await gone(child);
	} finally {
		await stop(guard, 0);
	}
});

test('a child process leaves none of its own behind', async () => {
	const left = await run(['sh', '-c', 'sleep 100 >/dev/null 2>&1 & echo $!'], { cwd: '.' });
	await gone(Number(left));
	expect(left).toMatch(/^\d+\n$/);
});
