import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommand } from '../child';
import { freePort } from '../environment';
import { postgres, requireProgram } from '../programs';
import { startProcess, type DataServer } from '../process';

export const postgresUser = 'n8n';
/** The database that every cluster of PostgreSQL has from the start. */
export const postgresDatabase = 'postgres';

const isRoot = process.getuid?.() === 0;

// PostgreSQL refuses to run as root.
const unprivileged = isRoot
	? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups']
	: [];

/** Starts a PostgreSQL with an empty database that every user of this machine may use. */
export async function startPostgres(folder: string): Promise<DataServer> {
	const program = await realpath(requireProgram(postgres));
	const port = await freePort();
	await mkdir(folder);
	const data = await createDatabase(program);
	const settings = {
		listen_addresses: '127.0.0.1',
		port,
		unix_socket_directories: '',
		// The data are of no use once the machine has stopped.
		fsync: 'off',
	};
	const running = await startProcess({
		name: 'PostgreSQL',
		command: [
			...unprivileged,
			program,
			'-D',
			data,
			...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
		],
		cwd: tmpdir(),
		env: process.env,
		logFile: join(folder, 'postgres.log'),
		ready: 'database system is ready to accept connections',
	});
	return {
		...running,
		port,
		stop: async () => {
			await running.stop();
			await rm(data, { recursive: true, force: true });
		},
	};
}

/**
 * Makes an empty database.
 *
 * @param program the path of PostgreSQL's server, which lies beside its other programs
 * @returns the folder of the data
 */
async function createDatabase(program: string): Promise<string> {
	// The data are not in the folder of a cluster, which only its owner may enter.
	const data = await mkdtemp(join(tmpdir(), 'wallet-screening-postgres-'));
	const options = { cwd: tmpdir() };
	if (isRoot) await runCommand(['chown', 'postgres:postgres', data], options);
	const access = [`--username=${postgresUser}`, '--auth=trust'];
	const initdb = join(dirname(program), 'initdb');
	await runCommand(
		[...unprivileged, initdb, `--pgdata=${data}`, ...access, '--encoding=UTF8', '--no-sync'],
		options,
	);
	return data;
}
