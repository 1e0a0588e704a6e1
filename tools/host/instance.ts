import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IRunExecutionData } from 'n8n-workflow';
import { environmentOf, freePort } from './environment';
import { filesIn, freshFolder } from './folder';
import { installN8n } from './install';
import { type Owner, ownerOf } from './owner';
import { installPackage } from './package';
import { type HostProcess, startProcess } from './process';
import { reportProgress } from './progress';
import { type Login, logIn } from './rest';
import { defaultN8nVersion } from './versions';

// What starts what:
//
// | Function                            | Starts                                                    |
// | ----------------------------------- | --------------------------------------------------------- |
// | `startFreshInstance`                | an n8n with this package, in a folder that is deleted     |
// | `startInstance`                     | an n8n in a folder of the caller, and logs its owner in   |
// | `startFreshCluster` (queue/)        | an n8n in queue mode, by the next two and `startInstance` |
// | `startRedis`, `startPostgres`       | the servers of that cluster                               |
// | `startProcess` (process.ts)         | any of these processes, and waits until it is ready       |
// | `startCommand` (child.ts)           | a command in a process group that ends with this process  |
// | `startParts` (engine/parts.ts)      | no process, but the parts of n8n that its engine needs    |

/** A running n8n, in which this package is installed and its owner is logged in. */
export interface N8n extends Owner, HostProcess {
	/** Address of the editor. */
	readonly url: string;
	readonly login: Login;
	/** The folder that it keeps its data in. */
	readonly userFolder: string;
	/**
	 * The bytes of all files in the user folder: database, event log, binary data, installed
	 * packages.
	 */
	bytesOfUserFolder(): Promise<Buffer>;
}

const login: Login = { email: 'owner@example.com', password: 'Screening-1' };

export interface InstanceOptions {
	/** The folder that n8n keeps its data in; it is made when missing, and kept. */
	readonly userFolder: string;
	readonly version?: string;
	/** Environment variables of n8n, in addition to those of `environmentOf`. */
	readonly environment?: Readonly<Record<string, string>>;
	/** The port that is tried first. */
	readonly port?: number;
}

/**
 * Starts n8n on a free port of the loopback interface and waits until it serves its interface and
 * the webhooks of active workflows.
 *
 * @throws when n8n ends before, with the last lines of its log
 */
export async function startInstance({
	userFolder,
	version = defaultN8nVersion,
	environment = {},
	port: wanted,
}: InstanceOptions): Promise<N8n> {
	const { folder, command } = await installN8n(version);
	await mkdir(userFolder, { recursive: true });
	const startedAt = new Date();
	const { running, url } = await onFreePort(async (port) => {
		const started = await startProcess({
			name: 'n8n',
			command: [...command, 'start'],
			cwd: userFolder,
			env: { ...(await environmentOf(userFolder, port)), ...environment },
			logFile: join(userFolder, 'n8n.log'),
			// n8n writes this line once all is up, active workflows included; `/healthz` answers earlier.
			ready: 'Editor is now accessible',
		});
		return { running: started, url: `http://127.0.0.1:${port}` };
	}, wanted);

	const rest = await logIn(url, login).catch(async (error: unknown) => {
		await running.stop();
		throw error;
	});
	// n8n packs the data of executions with this library, so n8n's own copy unpacks them.
	const flatted = createRequire(join(folder, 'node_modules/n8n/package.json'))('flatted') as {
		parse(text: string): IRunExecutionData;
	};
	return {
		...ownerOf(rest, flatted.parse, startedAt),
		...running,
		url,
		login,
		userFolder,
		bytesOfUserFolder: async () =>
			Buffer.concat(await Promise.all((await filesIn(userFolder)).map((file) => readFile(file)))),
	};
}

/**
 * Calls `start` with the wanted port, or with a free one. If another process takes that port first,
 * it calls `start` again with another free port, up to `tries` times in all.
 */
async function onFreePort<T>(
	start: (port: number) => Promise<T>,
	wanted: number | undefined,
	tries = 3,
): Promise<T> {
	try {
		return await start(wanted ?? (await freePort()));
	} catch (error) {
		const isTaken = /already in use|EADDRINUSE/.test((error as Error).message);
		if (!isTaken || tries === 1) throw error;
		return await onFreePort(start, undefined, tries - 1);
	}
}

/**
 * Starts an n8n in which only this package is installed. The first time, it downloads n8n and
 * builds the package. The user folder is deleted when this process ends.
 */
export async function startFreshInstance(
	name: string,
	options: Omit<InstanceOptions, 'userFolder'> = {},
): Promise<N8n> {
	await installN8n(options.version ?? defaultN8nVersion);
	const userFolder = await freshFolder(name);
	await installPackage(userFolder);
	return reportProgress('Starting n8n', () => startInstance({ ...options, userFolder }));
}
