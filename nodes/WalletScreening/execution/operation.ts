import type { INodeProperties, IParameterBuilderHint } from 'n8n-workflow';
import type { Run, RunSettings, SettledItem } from './run';

/** How the editor offers a resource or an operation. */
export interface MenuEntry {
	name: string;
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
	 * It sends no request, so n8n hides the credential by the operation's `value` alone, which no
	 * other operation may have.
	 */
	sendsNothing?: true;
	/**
	 * It gives no verdict on a report. Its items keep fields of the input, which may hold an older
	 * verdict or failure, so its hint counts only what failed now.
	 */
	givesNoVerdict?: true;
	/** The service may bill each time that it runs. */
	isBilled?: true;
}
