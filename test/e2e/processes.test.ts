import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../../host/child';
import { isRunning, withLock } from '../../host/lock';
import { projectFolder } from '../../host/paths';

describe('a child process', () => {
	test('ends with its owner, even when that is killed', async () => {
		const owner = spawn(
			process.execPath,
			[
				'--import=tsx',
				'--eval',
				`const { start } = require('./host/child');
				const command = ['sh', '-c', 'echo $$; sleep 100; echo awake'];
				start(command, { cwd: '.' }, 'pipe').stdout.pipe(process.stdout);`,
			],
			{ cwd: projectFolder, stdio: ['ignore', 'pipe', 'inherit'] },
		);
		const [line] = (await once(owner.stdout, 'data')) as [Buffer];
		const child = Number(line.toString());
		expect(isRunning(child)).toBe(true);

		owner.kill('SIGKILL');
		await once(owner, 'close');
		while (isRunning(child)) await sleep(10);
	});

	test('that fails says so with its last lines', async () => {
		const command = ['sh', '-c', 'echo fine; echo the reason >&2; exit 3'];
		await expect(run(command, { cwd: '.' })).rejects.toThrow(/failed \(3\)[^]*the reason/);
	});
});

describe('a lock', () => {
	let folder: string;
	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'lock-'));
	});
	afterEach(() => rm(folder, { recursive: true }));

	test('lets one work at a time', async () => {
		const file = join(folder, 'lock');
		let atWork = 0;
		const work = async () => {
			expect(++atWork).toBe(1);
			await sleep(20);
			atWork -= 1;
		};
		await Promise.all([withLock(file, work), withLock(file, work), withLock(file, work)]);
	});

	test('of a process that has died does not count', async () => {
		const file = join(folder, 'lock');
		const child = spawn('true');
		await once(child, 'close');
		await writeFile(file, String(child.pid));

		expect(await withLock(file, async () => 'done')).toBe('done');
	});
});
