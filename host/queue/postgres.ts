import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../child';
import { freePort } from '../environment';
import { startProcess } from '../process';
import { debianProgram, isRoot } from '../debian';
import type { Store } from './store';

export const postgresUser = 'n8n';
/** The database that every cluster of PostgreSQL has from the start. */
export const postgresDatabase = 'postgres';

// PostgreSQL refuses to run as root. The folder may lie where only root may enter.
const mayEnter = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
const unprivileged = isRoot
	? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', ...mayEnter]
	: [];

async function programs(): Promise<string> {
	const root = '/usr/lib/postgresql';
	const versions = await readdir(root).catch(() => []);
	const newest = Math.max(0, ...versions.map(Number));
	return join(root, String(newest), 'bin');
}

/** Starts a PostgreSQL with an empty database that whoever is on this machine may use. */
export async function startPostgres(folder: string): Promise<Store> {
	const postgres = await debianProgram('postgresql', async () =>
		join(await programs(), 'postgres'),
	);
	const initdb = join(await programs(), 'initdb');
	const port = await freePort();
	const data = join(folder, 'data');
	const surroundings = { cwd: folder, env: process.env };
	await mkdir(folder);
	await mkdir(data);
	if (isRoot) await run(['chown', 'postgres:postgres', data], surroundings);
	const access = [`--username=${postgresUser}`, '--auth=trust'];
	await run(
		[...unprivileged, initdb, `--pgdata=${data}`, ...access, '--encoding=UTF8', '--no-sync'],
		surroundings,
	);
	const settings = {
		listen_addresses: '127.0.0.1',
		port,
		unix_socket_directories: '',
		// What is in it is of no use once the machine has stopped.
		fsync: 'off',
	};
	const running = await startProcess({
		name: 'PostgreSQL',
		command: [
			...[...unprivileged, postgres, '-D', data],
			...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
		],
		...surroundings,
		logFile: join(folder, 'postgres.log'),
		ready: 'database system is ready to accept connections',
	});
	return { ...running, port };
}
