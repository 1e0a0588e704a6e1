import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
	type IVersionedNodeType,
	NodeHelpers,
} from 'n8n-workflow';

export type NodeTypeTable = Record<string, INodeType | IVersionedNodeType>;

/** Stands in for n8n's Manual Trigger; its items are pinned by the engine. */
const manualTrigger: INodeType = {
	description: describe('Manual Trigger', { group: ['trigger'], inputs: [] }),
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** Stands in for n8n's No Operation node. */
const noOp: INodeType = {
	description: describe('No Operation'),
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** Gives `{ value }` for each item; with an expression for it, a test sees what n8n resolves. */
const expression: INodeType = {
	description: describe('Expression', {
		properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	}),
	async execute(this: IExecuteFunctions) {
		return [
			this.getInputData().map((_, item) => valueItem(this.getNodeParameter('value', item), item)),
		];
	},
};

export const standIns: NodeTypeTable = {
	'n8n-nodes-base.manualTrigger': manualTrigger,
	'n8n-nodes-base.noOp': noOp,
	'test.expression': expression,
};

/**
 * What the workflow engine asks for node types.
 *
 * @param onThrow gets each error object just as a node threw it: n8n saves only a copy.
 */
export function nodeTypesOf(table: NodeTypeTable, onThrow: (error: unknown) => void): INodeTypes {
	const getByName = (name: string) => {
		const type = table[name];
		if (type === undefined) throw new Error(`Unknown node type "${name}"`);
		return type;
	};
	return {
		getByName,
		getByNameAndVersion: (name, version) =>
			watched(NodeHelpers.getVersionedNodeType(getByName(name), version), onThrow),
		getKnownTypes: () => ({}),
	};
}

function watched(type: INodeType, onThrow: (error: unknown) => void): INodeType {
	const { execute } = type;
	if (execute === undefined) return type;
	const watchedExecute: INodeType['execute'] = async function (...parameters) {
		try {
			return await execute.apply(this, parameters);
		} catch (error) {
			onThrow(error);
			throw error;
		}
	};
	return Object.assign(Object.create(type) as INodeType, { execute: watchedExecute });
}

function describe(
	displayName: string,
	more: Partial<INodeTypeDescription> = {},
): INodeTypeDescription {
	return {
		displayName,
		name: displayName,
		group: ['transform'],
		version: 1,
		description: displayName,
		defaults: { name: displayName },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
		...more,
	};
}

function valueItem(value: unknown, item: number): INodeExecutionData {
	return { json: { value } as INodeExecutionData['json'], pairedItem: { item } };
}
