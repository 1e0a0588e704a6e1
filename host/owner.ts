import type {
	IBinaryData,
	IDataObject,
	INodeTypeDescription,
	IRunExecutionData,
} from 'n8n-workflow';
import { dataOf, type Rest } from './rest';
import { until } from './until';
import type { Credential, Execution, Saved, Workflow } from './workflow';

/** An execution as n8n lists it. */
type ListedExecution = Pick<Execution, 'id' | 'status'>;

export interface CredentialTestResult {
	readonly status: 'OK' | 'Error';
	readonly message: string;
}

/** What the owner of an n8n does in its editor. */
export interface Owner {
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
	/** The execution as it stands. */
	execution(id: string): Promise<Execution>;
	/** The execution, once it has ended; throws if that takes over 20 minutes. */
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
}

/** The result of switching triggers on or off, which n8n does after it has answered the request. */
interface Publication {
	readonly status: string;
	readonly triggers: ReadonlyArray<{ readonly errorMessage: string | null }>;
}

/** Milliseconds that an execution may take: 1,000 addresses at the rate of the Pro plan, many times over. */
const executionPatience = 20 * 60_000;

const startedStates = ['new', 'running', 'waiting', 'unknown'];
const endedStates = ['success', 'error', 'canceled', 'crashed'];

/**
 * @param rest logged in as the owner
 * @param unpack reads the data of an execution, which n8n packs with `flatted`
 * @param publishesAtOnce as in the table of versions
 */
export function ownerOf(
	rest: Rest,
	unpack: (data: string) => IRunExecutionData,
	publishesAtOnce: boolean,
): Owner {
	const startAt = async (node: string | undefined, workflow: Saved<Workflow>) => {
		const body = { workflowData: workflow, triggerToStartFrom: { name: node } };
		return dataOf<{ executionId: string }>(rest('POST', `/workflows/${workflow.id}/run`, body));
	};
	const settledPublication = async (id: string, unsettled: string[]): Promise<Publication> => {
		let status = '';
		const look = async () => {
			const path = `/workflows/${id}/publication-status`;
			const publication = await dataOf<Publication>(rest('GET', path));
			status = publication.status;
			return unsettled.includes(status) ? undefined : publication;
		};
		const what = `n8n to switch the triggers of workflow ${id}`;
		return until(what, look, { seen: () => `it is ${status}` });
	};

	const owner: Owner = {
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
			// n8n 1 needs the field `active`.
			const inactive = { ...workflow, active: false };
			const { id } = await dataOf<{ id: string }>(rest('POST', '/workflows', inactive));
			return { ...workflow, id };
		},
		publishWorkflow: async ({ id }) => {
			const { versionId } = await dataOf<{ versionId: string }>(rest('GET', `/workflows/${id}`));
			await rest('POST', `/workflows/${id}/activate`, { versionId });
			if (publishesAtOnce) return;
			// With PostgreSQL n8n asks two questions at once, and one that ends between them seems not to be there.
			const { status, triggers } = await settledPublication(id, ['in_progress', 'not_published']);
			if (status !== 'published') throw new Error(triggers[0]?.errorMessage ?? status);
		},
		unpublishWorkflow: async ({ id }) => {
			await rest('POST', `/workflows/${id}/deactivate`, {});
			if (!publishesAtOnce) await settledPublication(id, ['in_progress']);
		},
		listenForTestEvent: async (workflow, trigger) => {
			await startAt(trigger, workflow);
		},
		startExecution: async (workflow) => {
			const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
			return (await startAt(trigger?.name, workflow)).executionId;
		},
		stopExecution: async (id) => {
			await rest('POST', `/executions/${id}/stop`);
		},
		retryExecution: async (id) =>
			(await dataOf<{ id: string }>(rest('POST', `/executions/${id}/retry`, {}))).id,
		execution: async (id) => {
			const { status, data } = await dataOf<{ status: string; data: string }>(
				rest('GET', `/executions/${id}`),
			);
			return { id, status, data: unpack(data) };
		},
		finishedExecution: async (id) => {
			let state = '';
			const look = async (): Promise<Execution | undefined> => {
				const execution = await owner.execution(id);
				state = execution.status;
				return endedStates.includes(state) ? execution : undefined;
			};
			return until(`execution ${id} to end`, look, {
				patience: executionPatience,
				pause: 100,
				seen: () => `it is ${state}`,
			});
		},
		runWorkflow: async (workflow) => owner.finishedExecution(await owner.startExecution(workflow)),
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
					nextCursor?: string | null;
				}>(rest('GET', `/executions?${query}`));
				executions.push(...results);
				// n8n 1 knows no cursor; its first page is enough for all that is done in it.
				if (!nextCursor) return executions;
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
	};
	return owner;
}
