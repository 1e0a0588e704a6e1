import type { INode, INodeParameters } from 'n8n-workflow';
import type { Credential, Saved, Workflow } from '../../../host/instance';

const using = ({ id, name, type }: Saved<Credential>) => ({ [type]: { id, name } });

/** A click, and an address that is screened. */
export function screeningWorkflow(
	credential: Saved<Credential>,
	parameters: INodeParameters,
): Workflow {
	const node = { typeVersion: 1, parameters: {} };
	const start: INode = {
		...{ ...node, id: 'start', name: 'Start', position: [0, 0] },
		type: 'n8n-nodes-base.manualTrigger',
	};
	const screen: INode = {
		...{ ...node, id: 'screen', name: 'Screen the Sender', position: [220, 0] },
		type: 'n8n-nodes-wallet-screening.walletScreening',
		parameters,
		credentials: using(credential),
	};
	return {
		name: 'Screen the sender of a payment',
		settings: {},
		nodes: [start, screen],
		connections: { Start: { main: [[{ node: screen.name, type: 'main', index: 0 }]] } },
	};
}

export function triggerWorkflow(credential: Saved<Credential>): Workflow {
	const trigger: INode = {
		id: 'trigger',
		name: 'When a Bulk Job Is Complete',
		type: 'n8n-nodes-wallet-screening.walletScreeningTrigger',
		typeVersion: 1,
		position: [0, 0],
		webhookId: '5e6f3f0a-3f0a-4c1e-9d63-6a2f7b1c0d11',
		parameters: {},
		credentials: using(credential),
	};
	return { name: 'Bulk jobs', settings: {}, nodes: [trigger], connections: {} };
}
