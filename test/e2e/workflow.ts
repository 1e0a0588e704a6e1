import type { IDataObject, INode } from 'n8n-workflow';
import type { Credential, Saved, Workflow } from '../../host/instance';

/** What the first n8n ever installed on a machine may take, in milliseconds; jest's time-out for the start. */
export const patience = 20 * 60_000;

/** Name of the node under test in {@link screeningWorkflow}. */
export const screeningNode = 'Wallet Screening';

/** A workflow that hands `input` to a Wallet Screening node. */
export function screeningWorkflow(
	input: IDataObject[],
	parameters: INode['parameters'],
	{ id, name, type }: Saved<Credential>,
	onError: NonNullable<INode['onError']> = 'stopWorkflow',
): Workflow {
	return {
		name: 'Screening',
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'screening',
				name: screeningNode,
				type: 'n8n-nodes-wallet-screening.walletScreening',
				typeVersion: 1,
				position: [220, 0],
				parameters,
				credentials: { [type]: { id, name } },
				onError,
			},
		],
		connections: { Start: { main: [[{ node: screeningNode, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
		pinData: { Start: input.map((json) => ({ json })) },
	};
}

/** A credential for the service at `baseUrl`, whose key has no rate limit. */
export function serviceCredential(apiKey: string, baseUrl: string): Credential {
	return {
		name: 'Wallet Screening API',
		type: 'walletScreeningApi',
		data: { apiKey, baseUrl, plan: 'enterprise' },
	};
}
