import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

/** How the editor offers a resource or an operation. */
export interface Option {
	name: string;
	value: string;
	description: string;
	action?: string;
}

/** One operation: how it is offered, what it asks of the user, and what it does. */
export interface Operation extends Option {
	action: string;
	fields: INodeProperties[];
	/** It sends no request, so the node needs no credential. No other operation has the same value. */
	sendsNothing?: true;
	run: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;
}
