import type { INodeProperties, IParameterBuilderHint } from 'n8n-workflow';
import type { Outcome } from './items';
import type { Run } from './run';

/** How the editor offers a resource or an operation. */
export interface Option {
	name: string;
	value: string;
	description: string;
	action?: string;
	/** A hint for n8n's assistant, and for programs that build workflows through n8n's MCP server. */
	builderHint?: IParameterBuilderHint;
}

/** One operation: how it is offered, what it asks of the user, and what it does. */
export interface Operation extends Option {
	action: string;
	fields: INodeProperties[];
	/** Gives each input item its outcomes, in the order of the input. What it throws is the outcome of every item. */
	execute(run: Run): Promise<Outcome[]>;
	/** It sends no request, so the node needs no credential. No other operation has the same name. */
	sendsNothing?: true;
	/** The service may bill each time that it runs. */
	isBilled?: true;
	/** It ends after the option `Timeout`. */
	isTimed?: true;
}
