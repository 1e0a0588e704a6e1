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
	/** It sends no request, so the node needs no credential. No other operation has the same value. */
	sendsNothing?: true;
	run: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;
}
