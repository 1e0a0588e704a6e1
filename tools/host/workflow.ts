import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	IRunExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';

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
	/** What nodes stored with it, by which n8n finds it. */
	readonly customData: Record<string, string>;
}

/** The items that came out of `output` of a node, in the last run of it. */
export function itemsOf({ data }: Execution, node: string, output = 0): INodeExecutionData[] {
	return data.resultData.runData[node]?.at(-1)?.data?.main?.[output] ?? [];
}

/** The workflow with every node of this package set to use the credential. */
export function withCredential(
	workflow: Workflow,
	{ id, name, type }: Saved<Credential>,
): Workflow {
	const assigned = (node: INode) =>
		node.type.startsWith('n8n-nodes-wallet-screening.')
			? { ...node, credentials: { [type]: { id, name } } }
			: node;
	return { ...workflow, nodes: workflow.nodes.map(assigned) };
}

/** A workflow with a manual trigger that hands items to another one. Its node `Call` gives what comes back. */
export function callerOf(called: Saved<Workflow>, items: IDataObject[]): Workflow {
	const workflowId = { __rl: true, mode: 'id', value: called.id };
	const node = (name: string, type: string, others: Partial<INode>): INode => ({
		...{ id: name, name, type: `n8n-nodes-base.${type}`, position: [0, 0] },
		...{ typeVersion: 1, parameters: {}, ...others },
	});
	return {
		name: `Calls ${called.name}`,
		nodes: [
			node('Start', 'manualTrigger', {}),
			node('Call', 'executeWorkflow', {
				typeVersion: 1.2,
				parameters: { workflowId, options: {} },
			}),
		],
		connections: { Start: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
		pinData: { Start: items.map((json) => ({ json })) },
	};
}
