import type { INodeProperties } from 'n8n-workflow';
import type { Work } from '../n8n/run';

/** How the editor offers a resource or an operation. */
export interface Option {
	name: string;
	value: string;
	description: string;
	action?: string;
}

/** One operation: how it is offered, what it asks of the user, and what it does. */
export interface Operation extends Option, Work {
	action: string;
	fields: INodeProperties[];
}
