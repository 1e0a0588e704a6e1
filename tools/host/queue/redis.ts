import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../environment';
import { redis, requireProgram } from '../programs';
import { startProcess, type DataServer } from '../process';

/** Starts a Redis that keeps everything in memory. */
export async function startRedis(folder: string): Promise<DataServer> {
	const port = await freePort();
	await mkdir(folder);
	const nothingSaved = ['--save', '', '--appendonly', 'no'];
	const running = await startProcess({
		name: 'Redis',
		command: [
			requireProgram(redis),
			'--bind',
			'127.0.0.1',
			'--port',
			String(port),
			...nothingSaved,
		],
		cwd: folder,
		env: process.env,
		logFile: join(folder, 'redis.log'),
		ready: 'Ready to accept connections',
	});
	return { ...running, port };
}
