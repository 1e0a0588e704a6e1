import {
	type IExecuteFunctions,
	type INodeType,
	type INodeTypes,
	type IVersionedNodeType,
	NodeHelpers,
} from 'n8n-workflow';

// The path needs its ending: without it, the JSON file of the same name would be loaded.
const { WalletScreening } =
	require('../../../nodes/WalletScreening/WalletScreening.node.ts') as typeof import('../../../nodes/WalletScreening/WalletScreening.node');

export type NodeTypeTable = Record<string, INodeType | IVersionedNodeType>;

/** Begins a workflow. The engine pins its items. */
const manualTrigger: INodeType = {
	description: {
		displayName: 'Manual Trigger',
		name: 'manualTrigger',
		description: 'Begins a workflow',
		group: ['trigger'],
		version: 1,
		defaults: { name: 'Manual Trigger' },
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** The node of this package, under the name that n8n gives it, and a node to begin with. */
export const defaultNodeTypes: NodeTypeTable = {
	'n8n-nodes-wallet-screening.walletScreening': new WalletScreening(),
	'n8n-nodes-base.manualTrigger': manualTrigger,
};

/** What the workflow engine asks for node types. */
export function nodeTypesOf(table: NodeTypeTable): INodeTypes {
	const getByName = (name: string) => {
		const type = table[name];
		if (type === undefined) throw new Error(`Unknown node type "${name}"`);
		return type;
	};
	return {
		getByName,
		getByNameAndVersion: (name, version) =>
			NodeHelpers.getVersionedNodeType(getByName(name), version),
		getKnownTypes: () => ({}),
	};
}
