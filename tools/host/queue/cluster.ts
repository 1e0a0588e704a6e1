import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { environmentOf, freePort } from '../environment';
import { freshFolder } from '../folder';
import { installN8n } from '../install';
import { type N8n, startInstance } from '../instance';
import { installPackage } from '../package';
import { type HostProcess, startProcess, type DataServer } from '../process';
import { reportProgress } from '../progress';
import { defaultN8nVersion } from '../versions';
import { postgresDatabase, postgresUser, startPostgres } from './postgres';
import { startRedis } from './redis';

/** A process of n8n that receives webhooks. */
interface WebhookProcessor extends HostProcess {
	readonly url: string;
}

/** n8n in queue mode. */
export interface Cluster {
	/** The process in which the owner works. It receives webhooks, as `webhookProcessors` do. */
	readonly main: N8n;
	/** The processes that run the executions. */
	readonly workers: readonly HostProcess[];
	readonly webhookProcessors: readonly WebhookProcessor[];
	/** Starts more processes, in whose folders this package was installed by hand. */
	grow(more: ClusterSize): Promise<void>;
	/** Stops each process before those that it uses. */
	stop(): Promise<void>;
}

/** The number of processes beside main. */
export interface ClusterSize {
	readonly workers: number;
	readonly webhookProcessors?: number;
}

export interface ClusterOptions extends ClusterSize {
	/** How many executions a worker runs at once. */
	readonly concurrency: number;
	/** Whether n8n starts without this package. */
	readonly omitsPackage?: boolean;
	/** Environment variables of n8n, in addition to those of the queue mode. */
	readonly environment?: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string>>;

function queueMode(redis: DataServer, postgres: DataServer): Environment {
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

/** How a process of n8n is started. */
interface ProcessKind {
	readonly command: readonly string[];
	/** The text that it writes once it is ready. */
	readonly ready: string;
}

/** @param concurrency how many executions a worker runs at once */
const processKinds = (command: readonly string[], concurrency: number) => ({
	worker: {
		command: [...command, 'worker', `--concurrency=${concurrency}`],
		ready: 'n8n worker is now ready',
	},
	webhookProcessor: {
		command: [...command, 'webhook'],
		ready: 'Webhook listener waiting for requests',
	},
});

/** Starts a process of n8n beside main, in a user folder of its own. */
async function startBeside(
	userFolder: string,
	environment: Environment,
	{ command, ready }: ProcessKind,
): Promise<WebhookProcessor> {
	const port = await freePort();
	await mkdir(userFolder, { recursive: true });
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

/**
 * Calls `start` with each number from 1 to `count`, at once.
 *
 * @throws the first error, but only after all have settled, so that none is left in progress
 */
async function startEach<T>(count: number, start: (number: number) => Promise<T>): Promise<T[]> {
	const starts = Array.from({ length: count }, (_, index) => start(index + 1));
	await Promise.allSettled(starts);
	return Promise.all(starts);
}

/**
 * Starts an n8n in queue mode in which only this package is installed (or nothing, with
 * `omitsPackage`), with its own Redis and PostgreSQL. Its folder is deleted when this process ends.
 * The data of PostgreSQL lie elsewhere: stopping it deletes them, but after a crash they stay.
 *
 * @throws if Redis or PostgreSQL is missing, or if a process ends before it is ready
 */
export async function startFreshCluster(name: string, options: ClusterOptions): Promise<Cluster> {
	const { command } = await installN8n(defaultN8nVersion);
	const folder = await freshFolder(name);
	if (!options.omitsPackage) await installPackage(join(folder, 'main'));
	const started = new StartedProcesses();
	try {
		return await reportProgress('Starting n8n in queue mode', () =>
			startProcesses(folder, command, options, started),
		);
	} catch (error) {
		await started.stop();
		throw error;
	}
}

/** The processes that were started so far. */
class StartedProcesses {
	private readonly newestFirst: HostProcess[] = [];

	/** Waits until a process is started, and keeps it. */
	async add<T extends HostProcess>(starting: Promise<T>): Promise<T> {
		const running = await starting;
		this.newestFirst.unshift(running);
		return running;
	}

	/** Stops each process before those that it uses. */
	async stop(): Promise<void> {
		for (const running of this.newestFirst) await running.stop();
	}
}

async function startProcesses(
	folder: string,
	command: readonly string[],
	options: ClusterOptions,
	started: StartedProcesses,
): Promise<Cluster> {
	const redis = await started.add(startRedis(join(folder, 'redis')));
	const postgres = await started.add(startPostgres(join(folder, 'postgres')));
	const environment = { ...queueMode(redis, postgres), ...options.environment };
	const main = await started.add(startInstance({ userFolder: join(folder, 'main'), environment }));
	const kinds = processKinds(command, options.concurrency);
	const workers: HostProcess[] = [];
	const webhookProcessors: WebhookProcessor[] = [];
	const grow = async (more: ClusterSize, withPackage: boolean) => {
		const start = async (name: string, kind: ProcessKind) => {
			const userFolder = join(folder, name);
			if (withPackage) await installPackage(userFolder);
			return await started.add(startBeside(userFolder, environment, kind));
		};
		const startWorker = (number: number) =>
			start(`worker-${workers.length + number}`, kinds.worker);
		const startProcessor = (number: number) =>
			start(`webhook-${webhookProcessors.length + number}`, kinds.webhookProcessor);
		workers.push(...(await startEach(more.workers, startWorker)));
		webhookProcessors.push(...(await startEach(more.webhookProcessors ?? 0, startProcessor)));
	};
	await grow(options, !options.omitsPackage);
	return {
		main,
		workers,
		webhookProcessors,
		grow: (more) => grow(more, true),
		stop: () => started.stop(),
	};
}
