import type { INodeProperties, IParameterBuilderHint } from 'n8n-workflow';
import type { Run, RunSettings, SettledItem } from './run';

/** How the editor offers a resource or an operation. */
export interface MenuEntry {
	name: string;
	/** The value of the parameter Resource or Operation that chooses it. */
	value: string;
	description: string;
	action?: string;
	/** A hint for n8n's assistant, and for programs that build workflows through n8n's MCP server. */
	builderHint?: IParameterBuilderHint;
}

/** One operation: how it is offered, what it asks of the user, and what it does. */
export interface Operation extends MenuEntry, RunSettings {
	action: string;
	fields: INodeProperties[];
	/**
	 * Gives what came of each input item, in the order of the input.
	 * @throws {ScreeningError} what is the error of every item
	 */
	execute(run: Run): Promise<SettledItem[]>;
	/**
	 * It sends no request, so n8n shows no credential for it. The condition for that is on `value`
	 * alone, so no operation of another resource may have the same one.
	 */
	sendsNothing?: true;
	/**
	 * It gives no verdict on a report. Its items keep fields of the input, which may hold the verdict
	 * of an earlier step. So the hint counts only the items that failed in this run.
	 */
	givesNoVerdict?: true;
	/** The service may bill what it requests. */
	isBilled?: true;
}

/** What the user chose. `resource` and `value` are the values of Resource and Operation. */
export interface OperationChoice {
	resource: string;
	value: string;
	/** Undefined if this node has no such operation. */
	operation: Operation | undefined;
}
