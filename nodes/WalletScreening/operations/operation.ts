import type { INodeProperties } from 'n8n-workflow';
import type { Paired } from '../n8n/items';
import type { Run } from '../n8n/run';

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
	/** It ends after the option `Timeout`. */
	isTimed?: true;
	run: (run: Run) => Promise<Paired[]>;
}
