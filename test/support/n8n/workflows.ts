import type { IDataObject, INode } from 'n8n-workflow';
import type { Credential, Saved, Workflow } from '../../../tools/host/instance';

/** The names of this package's nodes in the workflows that are made here. */
export const screeningNode = 'Wallet Screening';
export const triggerNode = 'Wallet Screening Trigger';

/** A node. By default it has version 1, no parameters, and its name as id. */
export type PlainNode = Pick<INode, 'name' | 'type'> & Partial<INode>;

export const start: PlainNode = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

/** Returns nodes in a row, each connected to the next one. */
export function inARow(...nodes: PlainNode[]): Pick<Workflow, 'nodes' | 'connections'> {
	const next = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	return {
		nodes: nodes.map((node, index) => ({
			id: node.name,
			typeVersion: 1,
			position: [220 * index, 0],
			parameters: {},
			...node,
		})),
		connections: Object.fromEntries(
			nodes.slice(1).map(({ name }, index) => [nodes[index]!.name, next(name)]),
		),
	};
}

/** Returns a workflow of nodes that are connected in a row. */
export function workflowOf(name: string, ...nodes: PlainNode[]): Workflow {
	return { name, ...inARow(...nodes), settings: { executionOrder: 'v1' } };
}

/** Returns the field `credentials` of a node that uses this credential. */
export const using = ({ id, name, type }: Saved<Credential>) => ({ [type]: { id, name } });

/** Parameters with which the node screens the address of each item. */
export const screenEach = {
	resource: 'address',
	operation: 'screen',
	address: '={{ $json.address }}',
};

/** Returns a Wallet Screening node. */
export function screening(
	credential: Saved<Credential>,
	parameters: INode['parameters'],
	others: Partial<INode> = {},
): PlainNode {
	const type = 'n8n-nodes-wallet-screening.walletScreening';
	return { name: screeningNode, type, parameters, credentials: using(credential), ...others };
}

/** Returns a Wallet Screening Trigger. `webhookId` is a part of its URL. */
export function trigger(
	credential: Saved<Credential>,
	parameters: IDataObject,
	webhookId: string,
): PlainNode {
	const type = 'n8n-nodes-wallet-screening.walletScreeningTrigger';
	return {
		name: triggerNode,
		type,
		webhookId,
		parameters: parameters as INode['parameters'],
		credentials: using(credential),
	};
}

/** Returns a workflow, for a real n8n to run, that passes `input` to a Wallet Screening node. */
export function runnableWorkflow(
	input: IDataObject[],
	parameters: INode['parameters'],
	credential: Saved<Credential>,
	onError: NonNullable<INode['onError']> = 'stopWorkflow',
): Workflow {
	return {
		...workflowOf('Screening', start, screening(credential, parameters, { onError })),
		pinData: { [start.name]: input.map((json) => ({ json })) },
	};
}

/** Returns a credential for the service at `baseUrl`. Its plan has no rate limit. */
export const serviceCredential = (apiKey: string, baseUrl: string): Credential => ({
	name: 'Wallet Screening API',
	type: 'walletScreeningApi',
	data: { apiKey, baseUrl, plan: 'enterprise' },
});
