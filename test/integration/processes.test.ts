import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, start, stop } from '../../host/child';
import { isRunning, withLock } from '../../host/lock';
import { projectFolder } from '../../host/paths';
import { startProcess } from '../../host/process';
import { until } from '../../host/until';

const gone = async (pid: number) => {
	expect(pid).toBeGreaterThan(0);
	await until(`process ${pid} to end`, async () => (isRunning(pid) ? undefined : true), {
		pause: 10,
	});
};

/** Runs a script that may import from `host/`, under a guard. */
const startScript = (script: string) =>
	start([process.execPath, '--import=tsx', '--eval', script], { cwd: projectFolder }, 'pipe');

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'wallet-screening-processes-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a child process', () => {
	test('ends with its owner, even when that is killed', async () => {
		const guard = startScript(`
			const { start } = require('./host/child');
			const sleeper = ['sh', '-c', 'echo $$; sleep 100; echo awake'];
			start(sleeper, { cwd: '.' }, 'pipe').stdout.pipe(process.stdout);
		`);
		try {
			const [owner] = (await once(guard, 'message')) as [number];
			const [line] = (await once(guard.stdout!, 'data')) as [Buffer];
			const child = Number(line.toString());
			expect(isRunning(child)).toBe(true);

			process.kill(owner, 'SIGKILL');
			await gone(child);
		} finally {
			await stop(guard, 0);
		}
	});

	test('that fails says so with its last lines', async () => {
		const command = ['sh', '-c', 'echo fine; echo the reason >&2; exit 3'];
		await expect(run(command, { cwd: '.' })).rejects.toThrow(/failed \(3\)[^]*the reason/);
	});

	test('that cannot be started says so', async () => {
		await expect(run(['no-such-program'], { cwd: '.' })).rejects.toThrow(/no-such-program/);
	});

	test('that takes too long is ended', async () => {
		const command = ['sh', '-c', 'echo $$; sleep 100'];
		const error = await run(command, { cwd: '.' }, { patience: 3_000 }).catch((e: Error) => e);
		expect(error).toMatchObject({ message: expect.stringContaining('longer than 3 seconds') });
		await gone(Number(/^\d+$/m.exec((error as Error).message)?.[0]));
	});

	test('that never gets ready is ended, and it is said what was waited for', async () => {
		const starting = startProcess({
			name: 'The sleeper',
			command: ['sh', '-c', 'echo $$; sleep 100'],
			cwd: folder,
			env: process.env,
			logFile: join(folder, 'log'),
			ready: 'awake',
			patience: 3_000,
		});
		await expect(starting).rejects.toThrow('3 seconds for The sleeper to write "awake"');
		await gone(Number(await readFile(join(folder, 'log'), 'utf8')));
	});

	test('leaves none of its own behind', async () => {
		const left = await run(['sh', '-c', 'sleep 100 >/dev/null 2>&1 & echo $!'], { cwd: '.' });
		await gone(Number(left));
		expect(left).toMatch(/^\d+\n$/);
	});

	test('that is ready tells its own id, and ends when asked to', async () => {
		const running = await startProcess({
			name: 'The sleeper',
			command: ['sh', '-c', 'echo $$; exec sleep 100'],
			cwd: folder,
			env: process.env,
			logFile: join(folder, 'log'),
			ready: '\n',
		});
		const pid = await running.processId();
		expect(`${pid}\n`).toBe(await running.log());
		await running.stop();
		expect(isRunning(pid)).toBe(false);
	});
});

describe('a lock', () => {
	let file: string;
	beforeEach(() => {
		file = join(folder, 'lock');
	});

	/** Work that fails when any other is done at the same time. */
	function exclusiveWork() {
		let atWork = 0;
		return async () => {
			expect(++atWork).toBe(1);
			await sleep(5);
			atWork -= 1;
		};
	}

	async function leaveLockOfDeadProcess(): Promise<void> {
		const child = startScript(`
			const { withLock } = require('./host/lock');
			withLock(${JSON.stringify(file)}, () => { console.log('locked'); return new Promise(() => setInterval(() => {}, 1e6)) });
		`);
		const [pid] = (await once(child, 'message')) as [number];
		await once(child.stdout!, 'data');
		process.kill(pid, 'SIGKILL');
		await once(child, 'exit');
	}

	test('lets one work at a time', async () => {
		const work = exclusiveWork();
		await Promise.all(Array.from({ length: 5 }, () => withLock(file, work)));
		expect(await readdir(folder)).toEqual([]);
	});

	test('of a process that has died goes to one of those who wait', async () => {
		await leaveLockOfDeadProcess();
		const work = exclusiveWork();
		await Promise.all(Array.from({ length: 10 }, () => withLock(file, work)));
		expect(await readdir(folder)).toEqual([]);
	});

	test('is not touched while another one takes it over', async () => {
		await leaveLockOfDeadProcess();
		const holder = JSON.parse(await readFile(file, 'utf8')) as { token: string };
		const removal = `${file}.${holder.token}`;
		await writeFile(removal, JSON.stringify({ ...holder, pid: process.pid }));

		let isDone = false;
		const waiting = withLock(file, async () => (isDone = true));
		await sleep(600);
		expect(isDone).toBe(false);
		await rm(removal);
		expect(await waiting).toBe(true);
	});

	test('goes on although one has died that was about to take it over', async () => {
		await leaveLockOfDeadProcess();
		const holder = JSON.parse(await readFile(file, 'utf8')) as { token: string };
		const other = { ...holder, token: 'another' };
		await writeFile(`${file}.${holder.token}`, JSON.stringify(other));

		expect(await withLock(file, async () => 'done')).toBe('done');
		expect(await readdir(folder)).toEqual([]);
	});

	test('of another machine counts as long as it is there', async () => {
		await leaveLockOfDeadProcess();
		const holder = JSON.parse(await readFile(file, 'utf8')) as object;
		expect(holder).toMatchObject({ host: hostname() });
		await writeFile(file, JSON.stringify({ ...holder, host: 'another.invalid' }));

		let isDone = false;
		const waiting = withLock(file, async () => (isDone = true));
		await sleep(600);
		expect(isDone).toBe(false);
		await rm(file);
		await waiting;
	});
});

describe('a wait', () => {
	test('ends, and says what it waited for and what it saw', async () => {
		const waiting = until('the bus', async () => undefined, {
			patience: 30,
			pause: 10,
			seen: () => 'a tram',
		});
		await expect(waiting).rejects.toThrow('Waited 0.03 seconds for the bus, in vain: a tram');
	});
});
