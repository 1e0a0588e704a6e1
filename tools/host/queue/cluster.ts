import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { environmentOf, freePort } from '../environment';
import { freshFolder } from '../folder';
import { installN8n } from '../install';
import { type N8n, startInstance } from '../instance';
import { installPackage } from '../package';
import { type HostProcess, startProcess, type Store } from '../process';
import { step } from '../progress';
import { defaultN8nVersion } from '../versions';
import { postgresDatabase, postgresUser, startPostgres } from './postgres';
import { startRedis } from './redis';

/** A process that takes webhooks in. */
interface WebhookProcessor extends HostProcess {
	readonly url: string;
}

/** n8n in queue mode. */
export type Cluster = Awaited<ReturnType<typeof startFreshCluster>>;

export interface ClusterOptions {
	readonly workers: number;
	/** How many executions a worker runs at once. */
	readonly concurrency: number;
	readonly webhookProcessors?: number;
	/** Whether n8n starts without this package. */
	readonly isEmpty?: boolean;
	/** Settings of n8n beside the usual ones. */
	readonly environment?: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string>>;

function queueMode(redis: Store, postgres: Store): Environment {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_USER: postgresUser,
		DB_POSTGRESDB_DATABASE: postgresDatabase,
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		// The processes of a cluster have no files in common.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	};
}

/** Starts a process of n8n beside main, in a user folder of its own that holds the packages that main's has. */
async function startBeside(
	main: N8n,
	userFolder: string,
	environment: Environment,
	{ command, ready }: { command: readonly string[]; ready: string },
): Promise<WebhookProcessor> {
	const port = await freePort();
	const [from, to] = [main.userFolder, userFolder].map((one) => join(one, '.n8n', 'nodes'));
	await mkdir(userFolder);
	if (existsSync(from!)) await cp(from!, to!, { recursive: true });
	const running = await startProcess({
		name: `n8n's ${basename(userFolder)}`,
		command,
		cwd: userFolder,
		env: { ...(await environmentOf(userFolder, port)), ...environment },
		logFile: join(userFolder, 'n8n.log'),
		ready,
	});
	return { ...running, url: `http://127.0.0.1:${port}` };
}

/** What `begin` gives for each number from 1 on; fails after all have ended, so that none is left in progress. */
async function several<T>(count: number, begin: (number: number) => Promise<T>): Promise<T[]> {
	const begun = Array.from({ length: count }, (_, index) => begin(index + 1));
	await Promise.allSettled(begun);
	return Promise.all(begun);
}

/**
 * Starts n8n in queue mode with nothing in it but this package, in all its processes, with a Redis and a PostgreSQL of its own.
 * What it keeps is deleted when a later process starts one of the same name.
 *
 * @throws where Redis or PostgreSQL is missing and cannot be installed, or where one of the processes ends
 */
export async function startFreshCluster(name: string, options: ClusterOptions) {
	const { command } = await installN8n(defaultN8nVersion);
	const folder = await freshFolder(name);
	const userFolder = join(folder, 'main');
	if (!options.isEmpty) await installPackage(userFolder);

	const started: HostProcess[] = [];
	const keep = async <T extends HostProcess>(starting: Promise<T>): Promise<T> => {
		started.unshift(await starting);
		return starting;
	};
	/** Those that use another one come before it. */
	const stop = async () => {
		for (const one of started) await one.stop();
	};
	const start = async () => {
		const redis = await keep(startRedis(join(folder, 'redis')));
		const postgres = await keep(startPostgres(join(folder, 'postgres')));
		const environment = { ...queueMode(redis, postgres), ...options.environment };
		const main = await keep(startInstance({ userFolder, environment }));
		const workers = await several(options.workers, (number) =>
			keep(
				startBeside(main, join(folder, `worker-${number}`), environment, {
					command: [...command, 'worker', `--concurrency=${options.concurrency}`],
					ready: 'n8n worker is now ready',
				}),
			),
		);
		const webhookProcessors = await several(options.webhookProcessors ?? 0, (number) =>
			keep(
				startBeside(main, join(folder, `webhook-${number}`), environment, {
					command: [...command, 'webhook'],
					ready: 'Webhook listener waiting for requests',
				}),
			),
		);
		/** In `main` the owner works; like `webhookProcessors` it takes webhooks in. `workers` run the executions. */
		return { main, workers, webhookProcessors, stop };
	};

	try {
		return await step('Starting n8n in queue mode', start);
	} catch (error) {
		await stop();
		throw error;
	}
}
