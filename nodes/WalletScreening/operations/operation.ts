import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

/** One operation: how it is offered, what it asks of the user, and what it does. */
export interface Operation {
	option: INodePropertyOptions & { action: string };
	fields: INodeProperties[];
	run: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;
}
