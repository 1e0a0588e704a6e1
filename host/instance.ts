import { once } from 'node:events';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
	IBinaryData,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeTypeDescription,
	IRunExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';
import { lastLines, start, stop } from './child';
import { installN8n } from './install';
import { isRunning } from './lock';
import { installPackage } from './package';
import { cacheFolder } from './paths';
import { step } from './progress';
import { dataOf, type Login, logIn } from './rest';
import { defaultN8nVersion, type N8nVersionName } from './versions';

export interface Credential {
	readonly name: string;
	readonly type: string;
	readonly data: ICredentialDataDecryptedObject;
}

export type Saved<T> = T & { readonly id: string };

export type Workflow = Pick<
	IWorkflowBase,
	'name' | 'nodes' | 'connections' | 'settings' | 'pinData'
>;

export interface Execution {
	readonly id: string;
	readonly status: string;
	readonly data: IRunExecutionData;
}

/** An execution as n8n lists it. */
export type ListedExecution = Pick<Execution, 'id' | 'status'>;

export interface CredentialTestResult {
	readonly status: 'OK' | 'Error';
	readonly message: string;
}

/** A running n8n, in which this package is installed and its owner is logged in. */
export interface N8n {
	/** Address of the editor. */
	readonly url: string;
	readonly login: Login;
	/** The folder that it keeps its data in. */
	readonly userFolder: string;
	saveCredential(credential: Credential): Promise<Saved<Credential>>;
	/** Replaces the data of a saved credential. */
	changeCredential(
		credential: Saved<Credential>,
		data: Credential['data'],
	): Promise<Saved<Credential>>;
	deleteCredential(credential: Saved<Credential>): Promise<void>;
	/** The answer of n8n to the button "Test" of a saved credential. */
	testCredential(credential: Saved<Credential>): Promise<CredentialTestResult>;
	saveWorkflow(workflow: Workflow): Promise<Saved<Workflow>>;
	/**
	 * Switches a workflow's triggers on.
	 *
	 * @throws what n8n tells the user, when one of them refuses
	 */
	publishWorkflow(workflow: Saved<Workflow>): Promise<void>;
	unpublishWorkflow(workflow: Saved<Workflow>): Promise<void>;
	/** Does what "Listen for test event" of a trigger does in the editor. */
	listenForTestEvent(workflow: Saved<Workflow>, trigger: string): Promise<void>;
	/** Starts a workflow at its manual trigger and gives the id of the execution. */
	startExecution(workflow: Saved<Workflow>): Promise<string>;
	stopExecution(id: string): Promise<void>;
	/** Does what "Retry" of a failed or crashed execution does, and gives the id of the new one. */
	retryExecution(id: string): Promise<string>;
	/** The execution, once it has ended in whatever way. */
	finishedExecution(id: string): Promise<Execution>;
	/** Starts a workflow at its manual trigger and waits for its end. */
	runWorkflow(workflow: Saved<Workflow>): Promise<Execution>;
	/** The ids of the executions that n8n keeps, newest first. */
	executionIds(): Promise<string[]>;
	/** All executions of a workflow that n8n keeps, newest first. */
	executionsOf(workflow: Saved<Workflow>): Promise<ListedExecution[]>;
	/** The types of node that n8n knows, in all versions. */
	nodeTypes(): Promise<INodeTypeDescription[]>;
	/** The bytes of a binary property, wherever n8n's binary data mode has put them. */
	binary(property: IBinaryData): Promise<Buffer>;
	/** The process that n8n runs in. */
	processId(): Promise<number>;
	/** All that n8n has written to its log so far. */
	log(): Promise<string>;
	/** The bytes of all files in the user folder: database, event log, binary data, installed packages. */
	stored(): Promise<Buffer>;
	stop(): Promise<void>;
}

/** The items that came out of `output` of a node, in the last run of it. */
export function itemsOf({ data }: Execution, node: string, output = 0): INodeExecutionData[] {
	return data.resultData.runData[node]?.at(-1)?.data?.main?.[output] ?? [];
}

/** The workflow with every node that uses a credential of this one's type set to use this one. */
export function withCredential(
	workflow: Workflow,
	{ id, name, type }: Saved<Credential>,
): Workflow {
	const assigned = (node: INode) =>
		node.credentials?.[type]
			? { ...node, credentials: { ...node.credentials, [type]: { id, name } } }
			: node;
	return { ...workflow, nodes: workflow.nodes.map(assigned) };
}

const login: Login = { email: 'owner@example.com', password: 'Screening-1' };

// The rest is left out: a variable of n8n's own on this machine could point it at somebody's database.
const inherited = [
	...['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'],
	...['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'],
];

async function environmentOf(userFolder: string, port: number): Promise<NodeJS.ProcessEnv> {
	const noProxy = [process.env.NO_PROXY ?? process.env.no_proxy, 'localhost', '127.0.0.1'];
	return {
		...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
		NO_PROXY: noProxy.filter(Boolean).join(','),
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	};
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

/** What became of switching triggers on or off, which n8n does after it has answered the request to. */
interface Publication {
	readonly status: string;
	readonly triggers: ReadonlyArray<{ readonly errorMessage: string | null }>;
}

const startedStates = ['new', 'running', 'waiting', 'unknown'];
const endedStates = ['success', 'error', 'canceled', 'crashed'];

export interface InstanceOptions {
	/** The folder that n8n keeps its data in; it is made when missing, and kept. */
	readonly userFolder: string;
	readonly version?: N8nVersionName;
	/** Settings of n8n beside the usual ones. */
	readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Starts n8n on a free port of the loopback interface and waits until it serves its interface and the
 * webhooks of active workflows.
 *
 * @throws when n8n ends before, with the last lines of its log
 */
export async function startInstance({
	userFolder,
	version = defaultN8nVersion,
	environment = {},
}: InstanceOptions): Promise<N8n> {
	const { folder, command } = await installN8n(version);
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;

	await mkdir(userFolder, { recursive: true });
	const logFile = join(userFolder, 'n8n.log');
	const log = () => readFile(logFile, 'utf8');
	const output = await open(logFile, 'w');
	const env = { ...(await environmentOf(userFolder, port)), ...environment };
	const child = start([...command, 'start'], { cwd: userFolder, env }, output.fd);
	await output.close();

	// n8n writes this line once all is up, active workflows included; `/healthz` answers earlier.
	while (!(await log()).includes('Editor is now accessible')) {
		if (child.exitCode !== null) throw new Error(`n8n did not start:\n${lastLines(await log())}`);
		await sleep(50);
	}

	const rest = await logIn(url, login);
	// What n8n packed, its own copy of this library unpacks.
	const flatted = createRequire(join(folder, 'node_modules/n8n/package.json'))('flatted') as {
		parse(text: string): IRunExecutionData;
	};

	const settledPublication = async (id: string): Promise<Publication> => {
		for (;;) {
			const path = `/workflows/${id}/publication-status`;
			const publication = await dataOf<Publication>(rest('GET', path));
			if (publication.status !== 'in_progress') return publication;
			await sleep(50);
		}
	};

	const n8n: N8n = {
		url,
		login,
		userFolder,
		saveCredential: async (credential) => {
			const { id } = await dataOf<{ id: string }>(rest('POST', '/credentials', credential));
			return { ...credential, id };
		},
		changeCredential: async (credential, data) => {
			const changed = { ...credential, data };
			await rest('PATCH', `/credentials/${credential.id}`, changed);
			return changed;
		},
		deleteCredential: async ({ id }) => {
			await rest('DELETE', `/credentials/${id}`);
		},
		testCredential: (credentials) => dataOf(rest('POST', '/credentials/test', { credentials })),
		saveWorkflow: async (workflow) => {
			// n8n 1 wants to be told that it is not active.
			const inactive = { ...workflow, active: false };
			const { id } = await dataOf<{ id: string }>(rest('POST', '/workflows', inactive));
			return { ...workflow, id };
		},
		publishWorkflow: async ({ id }) => {
			const { versionId } = await dataOf<{ versionId: string }>(rest('GET', `/workflows/${id}`));
			await rest('POST', `/workflows/${id}/activate`, { versionId });
			const { status, triggers } = await settledPublication(id);
			if (status !== 'published') throw new Error(triggers[0]?.errorMessage ?? status);
		},
		unpublishWorkflow: async ({ id }) => {
			await rest('POST', `/workflows/${id}/deactivate`, {});
			await settledPublication(id);
		},
		listenForTestEvent: async ({ id }, name) => {
			await rest('POST', `/workflows/${id}/run`, { triggerToStartFrom: { name } });
		},
		startExecution: async (workflow) => {
			const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
			const body = { workflowData: workflow, triggerToStartFrom: { name: trigger?.name } };
			const path = `/workflows/${workflow.id}/run`;
			return (await dataOf<{ executionId: string }>(rest('POST', path, body))).executionId;
		},
		stopExecution: async (id) => {
			await rest('POST', `/executions/${id}/stop`);
		},
		retryExecution: async (id) =>
			(await dataOf<{ id: string }>(rest('POST', `/executions/${id}/retry`, {}))).id,
		finishedExecution: async (id) => {
			for (;;) {
				const { status, data } = await dataOf<{ status: string; data: string }>(
					rest('GET', `/executions/${id}`),
				);
				if (endedStates.includes(status)) return { id, status, data: flatted.parse(data) };
				await sleep(100);
			}
		},
		runWorkflow: async (workflow) => n8n.finishedExecution(await n8n.startExecution(workflow)),
		executionIds: async () => {
			const { results } = await dataOf<{ results: IDataObject[] }>(rest('GET', '/executions'));
			return results.map(({ id }) => String(id));
		},
		executionsOf: async ({ id: workflowId }) => {
			const executions: ListedExecution[] = [];
			// All statuses by name, so that n8n asks its database once: in two questions, one about those under
			// way, it misses an execution that ends between them.
			const filter = JSON.stringify({ workflowId, status: [...startedStates, ...endedStates] });
			const query = new URLSearchParams({ limit: '100', filter });
			for (;;) {
				const { results, nextCursor } = await dataOf<{
					results: ListedExecution[];
					nextCursor: string | null;
				}>(rest('GET', `/executions?${query}`));
				executions.push(...results);
				if (nextCursor === null) return executions;
				query.set('cursor', nextCursor);
			}
		},
		nodeTypes: async () => {
			const answer = await rest('GET', '/../types/nodes.json');
			return (await answer.json()) as INodeTypeDescription[];
		},
		binary: async ({ id, data }) => {
			if (!id) return Buffer.from(data, 'base64');
			const query = new URLSearchParams({ id, action: 'download' });
			return Buffer.from(await (await rest('GET', `/binary-data?${query}`)).arrayBuffer());
		},
		// The child itself only guards the process that n8n runs in.
		processId: async () =>
			Number(await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')),
		log,
		stored: async () => {
			const names = await readdir(userFolder, { recursive: true, withFileTypes: true });
			const files = names.filter((name) => name.isFile());
			return Buffer.concat(
				await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name)))),
			);
		},
		stop: () => stop(child, 10_000),
	};
	return n8n;
}

/** Deletes the folders of that name whose process has ended: tests and a demo may run side by side. */
async function deleteLeftovers(name: string): Promise<void> {
	const folders = await readdir(cacheFolder);
	const leftovers = folders.filter((folder) => {
		const [, owner, pid] = /^(.+)-(\d+)$/.exec(folder) ?? [];
		return owner === name && !isRunning(Number(pid));
	});
	await Promise.all(
		leftovers.map((folder) => rm(join(cacheFolder, folder), { recursive: true, force: true })),
	);
}

/**
 * Starts n8n with nothing in it but this package, at the first time with all that takes. What it keeps is
 * deleted when a later process starts one of the same name.
 */
export async function startFreshInstance(
	name: string,
	options: Omit<InstanceOptions, 'userFolder'> = {},
): Promise<N8n> {
	const userFolder = join(cacheFolder, `${name}-${process.pid}`);
	await installN8n(options.version ?? defaultN8nVersion);
	await deleteLeftovers(name);
	await rm(userFolder, { recursive: true, force: true });
	await installPackage(userFolder);
	return step('Starting n8n', () => startInstance({ ...options, userFolder }));
}
