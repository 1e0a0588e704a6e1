import type { IBinaryData, INodeTypeDescription, IRunExecutionData } from 'n8n-workflow';
import { dataOf, type Rest } from './rest';
import { until } from './until';
import type { Credential, Execution, Saved, Workflow } from './workflow';

/** An execution as n8n lists it. */
interface ListedExecution extends Pick<Execution, 'id' | 'status'> {
	readonly workflowName: string;
	/** ISO 8601. */
	readonly createdAt: string;
}

/** An execution as n8n gives it: its data are packed. */
interface PackedExecution extends Omit<Execution, 'workflow' | 'data'> {
	readonly workflowData: Pick<Workflow, 'name'>;
	readonly data: string;
}

export interface CredentialTestResult {
	readonly status: 'OK' | 'Error';
	readonly message: string;
}

/** The result of switching triggers on or off, which n8n does after it has answered the request. */
interface Publication {
	readonly status: string;
	readonly triggers: ReadonlyArray<{ readonly errorMessage: string | null }>;
}

/** The actions of an owner in the editor of n8n. */
export interface Owner {
	/** Saves a new workflow, under its id if it has one. */
	saveWorkflow(workflow: Workflow & { id?: string }): Promise<Saved<Workflow>>;
	/**
	 * Switches a workflow's triggers on.
	 *
	 * @throws what n8n tells the user, when one of them refuses
	 */
	publishWorkflow(workflow: Saved<Workflow>): Promise<void>;
	unpublishWorkflow(workflow: Saved<Workflow>): Promise<void>;

	/**
	 * Starts a workflow at its manual trigger, or as if the named trigger had started it with this
	 * output.
	 *
	 * @returns the ID of the execution
	 */
	startExecution(workflow: Saved<Workflow>, trigger?: string, output?: unknown): Promise<string>;
	/** Starts a workflow at its manual trigger and waits for its end. */
	runWorkflow(workflow: Saved<Workflow>): Promise<Execution>;
	/**
	 * Runs a workflow as if the named trigger had started it with this output, and waits for the end.
	 */
	runFrom(workflow: Saved<Workflow>, trigger: string, output?: unknown): Promise<Execution>;
	/** Clicks "Listen for test event" of a trigger. */
	listenForTestEvent(workflow: Saved<Workflow>, trigger: string): Promise<void>;

	/** The execution as it stands. @throws if n8n does not keep it */
	execution(id: string): Promise<Execution>;
	/**
	 * Waits for the end of an execution, and does not load its data.
	 *
	 * @throws if that takes over 20 minutes
	 */
	untilEnded(id: string): Promise<void>;
	/** Waits for the end of an execution, and returns it. @throws if that takes over 20 minutes */
	finishedExecution(id: string): Promise<Execution>;
	/** All executions of a workflow that n8n keeps, or of all workflows, newest first. */
	executionsOf(workflow?: Saved<Workflow>): Promise<ListedExecution[]>;
	stopExecution(id: string): Promise<void>;
	/** Clicks "Retry" of a failed or crashed execution. @returns the ID of the new execution */
	retryExecution(id: string): Promise<string>;
	/**
	 * Waits until no execution is new or running at two looks in a row. Executions that wait for a
	 * person do not count.
	 *
	 * @param timeoutMs the longest wait, in milliseconds; a minute by default
	 * @throws if it takes longer
	 */
	untilQuiet(timeoutMs?: number): Promise<void>;
	/** The bytes of a binary property, wherever n8n's binary data mode has put them. */
	binary(property: IBinaryData): Promise<Buffer>;

	saveCredential(credential: Credential): Promise<Saved<Credential>>;
	/** Replaces the data of a saved credential. */
	changeCredential(credential: Saved<Credential>, data: Credential['data']): Promise<void>;
	deleteCredential(credential: Saved<Credential>): Promise<void>;
	/** The result that n8n shows after "Test" of a saved credential. */
	testCredential(credential: Saved<Credential>): Promise<CredentialTestResult>;

	/** The types of node that n8n knows, in all versions. */
	nodeTypes(): Promise<INodeTypeDescription[]>;
}

/**
 * Milliseconds that an execution may take: 1,000 addresses at the rate of the Pro plan, many times
 * over.
 */
const executionTimeoutMs = 20 * 60_000;

const unfinishedStates = ['new', 'running', 'waiting', 'unknown'];
const endedStates = ['success', 'error', 'canceled', 'crashed'];

/**
 * An owner who acts through n8n's internal REST interface.
 *
 * @param rest logged in as the owner
 * @param unpack reads the data of an execution, which n8n packs with `flatted`
 * @param startedAt when this process of n8n was started. An earlier one may have used its database.
 */
export function ownerOf(
	rest: Rest,
	unpack: (data: string) => IRunExecutionData,
	startedAt: Date,
): Owner {
	return {
		...workflowActions(rest),
		...executionActions(rest, unpack, startedAt),
		...credentialActions(rest),
	};
}

type WorkflowActions = Pick<
	Owner,
	'saveWorkflow' | 'publishWorkflow' | 'unpublishWorkflow' | 'nodeTypes'
>;

function workflowActions(rest: Rest): WorkflowActions {
	/** Waits until a publication has a status other than the pending ones. */
	const waitForPublication = async (id: string, pending: string[]): Promise<Publication> => {
		let status = '';
		const look = async () => {
			const path = `/workflows/${id}/publication-status`;
			const publication = await dataOf<Publication>(rest('GET', path));
			status = publication.status;
			return pending.includes(status) ? undefined : publication;
		};
		const what = `n8n to switch the triggers of workflow ${id}`;
		return until(what, look, { seen: () => `it is ${status}` });
	};
	return {
		async saveWorkflow(workflow) {
			const { id } = await dataOf<{ id: string }>(rest('POST', '/workflows', workflow));
			return { ...workflow, id };
		},
		async publishWorkflow({ id }) {
			const { versionId } = await dataOf<{ versionId: string }>(rest('GET', `/workflows/${id}`));
			await rest('POST', `/workflows/${id}/activate`, { versionId });
			// With PostgreSQL n8n runs two queries at once. A publication that ends between them is
			// reported as not published, so that status may also mean *not yet*.
			const { status, triggers } = await waitForPublication(id, ['in_progress', 'not_published']);
			if (status !== 'published') throw new Error(triggers[0]?.errorMessage ?? status);
		},
		async unpublishWorkflow({ id }) {
			await rest('POST', `/workflows/${id}/deactivate`, {});
			await waitForPublication(id, ['in_progress']);
		},
		nodeTypes: async () =>
			(await (await rest('GET', '/../types/nodes.json')).json()) as INodeTypeDescription[],
	};
}

type ExecutionActions = Omit<Owner, keyof WorkflowActions | keyof CredentialActions>;

function executionActions(
	rest: Rest,
	unpack: (data: string) => IRunExecutionData,
	startedAt: Date,
): ExecutionActions {
	/** @returns the ID of the execution */
	const startAt = async (name: string | undefined, workflow: Saved<Workflow>, data?: unknown) => {
		const body = { workflowData: workflow, triggerToStartFrom: { name, data } };
		const path = `/workflows/${workflow.id}/run`;
		return (await dataOf<{ executionId: string }>(rest('POST', path, body))).executionId;
	};
	const execution = async (id: string): Promise<Execution> => {
		const kept = await dataOf<PackedExecution | undefined>(rest('GET', `/executions/${id}`));
		if (!kept) throw new Error(`n8n keeps no execution ${id}`);
		const { status, data, customData, workflowData } = kept;
		return { id, workflow: workflowData.name, status, customData, data: unpack(data) };
	};
	const startExecution: Owner['startExecution'] = async (workflow, trigger, output) => {
		const manual = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
		return await startAt(trigger ?? manual?.name, workflow, output);
	};
	const finishedExecution = async (id: string): Promise<Execution> => {
		await untilEnded(rest, id);
		return await execution(id);
	};
	return {
		execution,
		startExecution,
		untilEnded: async (id) => await untilEnded(rest, id),
		finishedExecution,
		runWorkflow: async (workflow) => finishedExecution(await startExecution(workflow)),
		runFrom: async (...start) => finishedExecution(await startExecution(...start)),
		async listenForTestEvent(workflow, trigger) {
			await startAt(trigger, workflow);
		},
		async stopExecution(id) {
			await rest('POST', `/executions/${id}/stop`);
		},
		retryExecution: async (id) =>
			(await dataOf<{ id: string }>(rest('POST', `/executions/${id}/retry`, {}))).id,
		untilQuiet: async (timeoutMs = 60_000) => await untilQuiet(rest, startedAt, timeoutMs),
		executionsOf: async (workflow) => await listExecutions(rest, { workflowId: workflow?.id }),
		binary: async (property) => await readBinary(rest, property),
	};
}

async function untilEnded(rest: Rest, id: string): Promise<void> {
	let status = '';
	const look = async () => {
		// n8n deletes some executions when they end, so only those in progress are surely listed.
		const inProgress = await listExecutions(rest, { status: unfinishedStates });
		const seen = inProgress.find((one) => one.id === id);
		status = seen?.status ?? '';
		return seen ? undefined : true;
	};
	const options = { timeoutMs: executionTimeoutMs, pauseMs: 100, seen: () => `it is ${status}` };
	await until(`execution ${id} to end`, look, options);
}

async function readBinary(rest: Rest, { id, data }: IBinaryData): Promise<Buffer> {
	if (!id) return Buffer.from(data, 'base64');
	const query = new URLSearchParams({ id, action: 'download' });
	return Buffer.from(await (await rest('GET', `/binary-data?${query}`)).arrayBuffer());
}

async function untilQuiet(rest: Rest, startedAt: Date, timeoutMs: number): Promise<void> {
	const filter = encodeURIComponent(JSON.stringify({ status: ['new', 'running'] }));
	let quietLooks = 0;
	let busy: ListedExecution[] = [];
	const look = async () => {
		const path = `/executions?filter=${filter}`;
		const { results } = await dataOf<{ results: ListedExecution[] }>(rest('GET', path));
		// An execution that a killed n8n has left never ends.
		busy = results.filter(({ createdAt }) => Date.parse(createdAt) >= startedAt.getTime());
		quietLooks = busy.length > 0 ? 0 : quietLooks + 1;
		return quietLooks > 1 || undefined;
	};
	const seen = () =>
		busy.map(({ id, workflowName, status }) => `${id} of ${workflowName} is ${status}`).join();
	// Each look is a request that n8n answers beside its work.
	await until('all executions to end', look, { timeoutMs, pauseMs: 200, seen });
}

interface ExecutionFilter {
	/** All workflows if absent. */
	workflowId?: string | undefined;
	/**
	 * All statuses if absent. They are then named, so that n8n runs one query. In two queries, one for
	 * executions in progress, it misses an execution that ends between them.
	 */
	status?: string[];
}

async function listExecutions(
	rest: Rest,
	{ workflowId, status = [...unfinishedStates, ...endedStates] }: ExecutionFilter,
): Promise<ListedExecution[]> {
	const executions: ListedExecution[] = [];
	const filter = JSON.stringify({ workflowId, status });
	const query = new URLSearchParams({ limit: '100', filter });
	for (;;) {
		const { results, nextCursor } = await dataOf<{
			results: ListedExecution[];
			nextCursor?: string | null;
		}>(rest('GET', `/executions?${query}`));
		executions.push(...results);
		if (!nextCursor) return executions;
		query.set('cursor', nextCursor);
	}
}

type CredentialActions = Pick<
	Owner,
	'saveCredential' | 'changeCredential' | 'deleteCredential' | 'testCredential'
>;

const credentialActions = (rest: Rest): CredentialActions => ({
	async saveCredential(credential) {
		const { id } = await dataOf<{ id: string }>(rest('POST', '/credentials', credential));
		return { ...credential, id };
	},
	async changeCredential(credential, data) {
		await rest('PATCH', `/credentials/${credential.id}`, { ...credential, data });
	},
	async deleteCredential({ id }) {
		await rest('DELETE', `/credentials/${id}`);
	},
	testCredential: (credentials) => dataOf(rest('POST', '/credentials/test', { credentials })),
});
