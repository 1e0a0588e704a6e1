import type { IBinaryData, INodeTypeDescription, IRunExecutionData } from 'n8n-workflow';
import { dataOf, type Rest } from './rest';
import { until } from './until';
import type { Credential, Execution, Saved, Workflow } from './workflow';

/** An execution as n8n lists it. */
type ListedExecution = Pick<Execution, 'id' | 'status'>;

export interface CredentialTestResult {
	readonly status: 'OK' | 'Error';
	readonly message: string;
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
 * The actions of an owner in the editor of n8n, by n8n's internal REST interface.
 *
 * @param rest logged in as the owner
 * @param unpack reads the data of an execution, which n8n packs with `flatted`
 */
export function ownerOf(rest: Rest, unpack: (data: string) => IRunExecutionData) {
	const startAt = async (name: string | undefined, workflow: Saved<Workflow>, data?: unknown) => {
		const body = { workflowData: workflow, triggerToStartFrom: { name, data } };
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

	const execution = async (id: string): Promise<Execution> => {
		const kept = await dataOf<(Omit<Execution, 'data'> & { data: string }) | undefined>(
			rest('GET', `/executions/${id}`),
		);
		if (!kept) throw new Error(`n8n keeps no execution ${id}`);
		const { status, data, customData } = kept;
		return { id, status, customData, data: unpack(data) };
	};
	/** Starts a workflow at its manual trigger. @returns the ID of the execution */
	const startExecution = async (workflow: Saved<Workflow>): Promise<string> => {
		const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
		return (await startAt(trigger?.name, workflow)).executionId;
	};
	/** Waits for the end of an execution. @throws if that takes over 20 minutes */
	const finishedExecution = async (id: string): Promise<Execution> => {
		let state = '';
		const look = async () => {
			const seen = await execution(id);
			state = seen.status;
			return endedStates.includes(state) ? seen : undefined;
		};
		const patience = { patience: executionPatience, pause: 100, seen: () => `it is ${state}` };
		return until(`execution ${id} to end`, look, patience);
	};

	return {
		execution,
		startExecution,
		finishedExecution,
		/** Starts a workflow at its manual trigger and waits for its end. */
		runWorkflow: async (workflow: Saved<Workflow>) =>
			finishedExecution(await startExecution(workflow)),
		/** Runs a workflow from the named trigger, as if that had the output `output`, and waits for the end. */
		runFrom: async (workflow: Saved<Workflow>, trigger: string, output?: unknown) =>
			finishedExecution((await startAt(trigger, workflow, output)).executionId),
		saveCredential: async (credential: Credential): Promise<Saved<Credential>> => {
			const { id } = await dataOf<{ id: string }>(rest('POST', '/credentials', credential));
			return { ...credential, id };
		},
		/** Replaces the data of a saved credential. */
		changeCredential: async (
			credential: Saved<Credential>,
			data: Credential['data'],
		): Promise<void> => {
			await rest('PATCH', `/credentials/${credential.id}`, { ...credential, data });
		},
		deleteCredential: async ({ id }: Saved<Credential>): Promise<void> => {
			await rest('DELETE', `/credentials/${id}`);
		},
		/** The result that n8n shows after "Test" of a saved credential. */
		testCredential: (credentials: Saved<Credential>): Promise<CredentialTestResult> =>
			dataOf(rest('POST', '/credentials/test', { credentials })),
		/** Saves a new workflow, under its id if it has one. */
		saveWorkflow: async (workflow: Workflow & { id?: string }): Promise<Saved<Workflow>> => {
			const { id } = await dataOf<{ id: string }>(rest('POST', '/workflows', workflow));
			return { ...workflow, id };
		},
		/**
		 * Switches a workflow's triggers on.
		 *
		 * @throws what n8n tells the user, when one of them refuses
		 */
		publishWorkflow: async ({ id }: Saved<Workflow>): Promise<void> => {
			const { versionId } = await dataOf<{ versionId: string }>(rest('GET', `/workflows/${id}`));
			await rest('POST', `/workflows/${id}/activate`, { versionId });
			// With PostgreSQL n8n runs two queries at once. A publication that ends between them is reported as not published.
			const { status, triggers } = await settledPublication(id, ['in_progress', 'not_published']);
			if (status !== 'published') throw new Error(triggers[0]?.errorMessage ?? status);
		},
		unpublishWorkflow: async ({ id }: Saved<Workflow>): Promise<void> => {
			await rest('POST', `/workflows/${id}/deactivate`, {});
			await settledPublication(id, ['in_progress']);
		},
		/** Clicks "Listen for test event" of a trigger. */
		listenForTestEvent: async (workflow: Saved<Workflow>, trigger: string): Promise<void> => {
			await startAt(trigger, workflow);
		},
		stopExecution: async (id: string): Promise<void> => {
			await rest('POST', `/executions/${id}/stop`);
		},
		/** Clicks "Retry" of a failed or crashed execution. @returns the ID of the new execution */
		retryExecution: async (id: string): Promise<string> =>
			(await dataOf<{ id: string }>(rest('POST', `/executions/${id}/retry`, {}))).id,
		/**
		 * Waits until no execution is new or running at two looks in a row. Executions that wait for a person do not count.
		 *
		 * @param patience the most milliseconds to wait
		 * @throws if it takes longer
		 */
		untilQuiet: async (patience = 60_000): Promise<void> => {
			const filter = encodeURIComponent(JSON.stringify({ status: ['new', 'running'] }));
			let looks = 0;
			await until(
				'all executions to end',
				async () => {
					const { results } = await dataOf<{ results: object[] }>(
						rest('GET', `/executions?filter=${filter}`),
					);
					looks = results.length > 0 ? 0 : looks + 1;
					return looks > 1 || undefined;
				},
				// Each look is a request that n8n answers beside its work.
				{ patience, pause: 200 },
			);
		},
		/** All executions of a workflow that n8n keeps, newest first. */
		executionsOf: async ({ id: workflowId }: Saved<Workflow>): Promise<ListedExecution[]> => {
			const executions: ListedExecution[] = [];
			// All statuses are named, so that n8n runs one query. In two queries, one for executions in progress, it misses an
			// execution that ends between them.
			const filter = JSON.stringify({ workflowId, status: [...startedStates, ...endedStates] });
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
		},
		/** The types of node that n8n knows, in all versions. */
		nodeTypes: async () =>
			(await (await rest('GET', '/../types/nodes.json')).json()) as INodeTypeDescription[],
		/** The bytes of a binary property, wherever n8n's binary data mode has put them. */
		binary: async ({ id, data }: IBinaryData): Promise<Buffer> => {
			if (!id) return Buffer.from(data, 'base64');
			const query = new URLSearchParams({ id, action: 'download' });
			return Buffer.from(await (await rest('GET', `/binary-data?${query}`)).arrayBuffer());
		},
	};
}

export type Owner = ReturnType<typeof ownerOf>;
