import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

/**
 * A node that gives `{ value }` for each item. If the value is an expression, a test sees what n8n
 * resolves.
 */
export const expressionNode: INodeType = {
	description: {
		displayName: 'Expression',
		name: 'expression',
		description: 'Resolves an expression',
		group: ['transform'],
		version: 1,
		defaults: { name: 'Expression' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	},
	async execute(this: IExecuteFunctions) {
		const items = this.getInputData().map((_, item) => {
			const json = { value: this.getNodeParameter('value', item) } as INodeExecutionData['json'];
			return { json, pairedItem: { item } };
		});
		return [items];
	},
};
