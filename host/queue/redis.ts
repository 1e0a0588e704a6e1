import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../environment';
import { startProcess } from '../process';
import { redis, required } from '../parts';
import type { Store } from './store';

/** Starts a Redis that keeps all in memory. */
export async function startRedis(folder: string): Promise<Store> {
	const program = required(redis);
	const port = await freePort();
	await mkdir(folder);
	const nothingSaved = ['--save', '', '--appendonly', 'no'];
	const running = await startProcess({
		name: 'Redis',
		command: [program, '--bind', '127.0.0.1', '--port', String(port), ...nothingSaved],
		cwd: folder,
		env: process.env,
		logFile: join(folder, 'redis.log'),
		ready: 'Ready to accept connections',
	});
	return { ...running, port };
}
