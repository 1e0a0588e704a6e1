import type { IDataObject, INode } from 'n8n-workflow';
import type { Credential, Saved, Workflow } from '../../../tools/host/workflow';

/** The names that `screeningNode` and `triggerNode` give their nodes. */
export const screeningNodeName = 'Wallet Screening';
export const triggerNodeName = 'Wallet Screening Trigger';

/** A node. By default it has version 1, no parameters, and its name as id. */
export type PlainNode = Pick<INode, 'name' | 'type'> & Partial<INode>;

export const startNode: PlainNode = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

/** Connects each node to the next one, and places them in a row. */
export function connectInRow(...nodes: PlainNode[]): Pick<Workflow, 'nodes' | 'connections'> {
	const connectionTo = (name: string) => ({
		main: [[{ node: name, type: 'main' as const, index: 0 }]],
	});
	return {
		nodes: nodes.map((node, index) => ({
			id: node.name,
			typeVersion: 1,
			position: [220 * index, 0],
			parameters: {},
			...node,
		})),
		connections: Object.fromEntries(
			nodes.slice(1).map(({ name }, index) => [nodes[index]!.name, connectionTo(name)]),
		),
	};
}

/** Returns a workflow of these nodes, connected in a row. */
export function workflowOf(name: string, ...nodes: PlainNode[]): Workflow {
	return { name, ...connectInRow(...nodes), settings: { executionOrder: 'v1' } };
}

/** Returns the field `credentials` of a node that uses this credential. */
export const credentialsOf = ({ id, name, type }: Saved<Credential>) => ({ [type]: { id, name } });

/** Parameters with which the node screens the address of each item. */
export const screenEach = {
	resource: 'address',
	operation: 'screen',
	address: '={{ $json.address }}',
};

/** Returns a Wallet Screening node. */
export function screeningNode(
	credential: Saved<Credential>,
	parameters: INode['parameters'],
	others: Partial<INode> = {},
): PlainNode {
	const type = 'n8n-nodes-wallet-screening.walletScreening';
	return {
		name: screeningNodeName,
		type,
		parameters,
		credentials: credentialsOf(credential),
		...others,
	};
}

/** Returns a Wallet Screening Trigger. `webhookId` is a part of its URL. */
export function triggerNode(
	credential: Saved<Credential>,
	parameters: IDataObject,
	webhookId: string,
): PlainNode {
	const type = 'n8n-nodes-wallet-screening.walletScreeningTrigger';
	return {
		name: triggerNodeName,
		type,
		webhookId,
		parameters: parameters as INode['parameters'],
		credentials: credentialsOf(credential),
	};
}

/** Returns a workflow for a real n8n that passes `input` to a Wallet Screening node. */
export function runnableWorkflow(
	input: IDataObject[],
	parameters: INode['parameters'],
	credential: Saved<Credential>,
	onError: NonNullable<INode['onError']> = 'stopWorkflow',
): Workflow {
	return {
		...workflowOf('Screening', startNode, screeningNode(credential, parameters, { onError })),
		pinData: { [startNode.name]: input.map((json) => ({ json })) },
	};
}

/** Returns a credential for the service at `baseUrl`. Its plan has no rate limit. */
export const serviceCredential = (apiKey: string, baseUrl: string): Credential => ({
	name: 'Wallet Screening API',
	type: 'walletScreeningApi',
	data: { apiKey, baseUrl, plan: 'enterprise' },
});
