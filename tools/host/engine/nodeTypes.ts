import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
	type IVersionedNodeType,
	NodeHelpers,
} from 'n8n-workflow';

// The path needs its ending: without it, the JSON file of the same name would be loaded.
const { WalletScreening } =
	require('../../../nodes/WalletScreening/WalletScreening.node.ts') as typeof import('../../../nodes/WalletScreening/WalletScreening.node');

export type NodeTypeTable = Record<string, INodeType | IVersionedNodeType>;

function standIn(
	name: string,
	execute: NonNullable<INodeType['execute']>,
	more: Partial<INodeTypeDescription> = {},
): INodeType {
	const description: INodeTypeDescription = {
		displayName: name,
		name,
		description: name,
		group: ['transform'],
		version: 1,
		defaults: { name },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
		...more,
	};
	return { description, execute };
}

async function passOn(this: IExecuteFunctions) {
	return [this.getInputData()];
}

async function resolveValue(this: IExecuteFunctions) {
	return [
		this.getInputData().map((_, item) => {
			const json = { value: this.getNodeParameter('value', item) } as INodeExecutionData['json'];
			return { json, pairedItem: { item } };
		}),
	];
}

/** The node of this package, under the name that n8n gives it, and what tests need beside it. */
export const defaultNodeTypes: NodeTypeTable = {
	'n8n-nodes-wallet-screening.walletScreening': new WalletScreening(),
	// Its items are pinned by the engine.
	'n8n-nodes-base.manualTrigger': standIn('Manual Trigger', passOn, { inputs: [] }),
	/** Gives `{ value }` for each item; with an expression for it, a test sees what n8n resolves. */
	'test.expression': standIn('Expression', resolveValue, {
		properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	}),
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
