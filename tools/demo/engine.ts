import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { createEngine } from '../host/engine';
import type { Credential } from '../host/workflow';

/** n8n's engine in this process, in which nodes of this package run. */
export async function openEngine({ name, type, data }: Credential) {
	const engine = await createEngine({ credentials: { [name]: { type, data } } });
	const node = (of: Pick<INode, 'name' | 'type'> & Partial<INode>): INode => ({
		...{ id: of.name, typeVersion: 1, position: [0, 0], parameters: {} },
		...of,
	});
	return {
		/**
		 * What Wallet Screening makes of input items.
		 *
		 * @throws why the workflow failed, in the node's words
		 */
		async run(parameters: INodeParameters, input: IDataObject[]): Promise<INodeExecutionData[]> {
			const nodes = [
				node({ name: 'Start', type: 'n8n-nodes-base.manualTrigger' }),
				node({
					name: 'Screen',
					type: 'n8n-nodes-wallet-screening.walletScreening',
					parameters,
					credentials: { [type]: { id: name, name } },
				}),
			];
			const connections = {
				Start: { main: [[{ node: 'Screen', type: 'main' as const, index: 0 }]] },
			};
			const { error, items } = await engine.run(
				{ nodes, connections },
				{ input: input.map((json) => ({ json })) },
			);
			if (error)
				throw new Error(`The workflow failed: ${error.message}. ${error.description ?? ''}`);
			return items[0] ?? [];
		},
		bytes: engine.bytes,
		close: engine.close,
	};
}

export type DemoEngine = Awaited<ReturnType<typeof openEngine>>;
