import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/* What becomes of a failure in n8n: in a workflow, and in a tool of an AI agent. */

/**
 * What becomes of an item that fails: it ends the node, leaves as an item, or leaves by the error
 * output.
 */
export type OnError = 'stop' | 'continue' | 'errorOutput';

/**
 * Reads what the user chose under On Error. A tool always continues, because an error would end the
 * run of the AI agent.
 */
export function readOnError(context: IExecuteFunctions): OnError {
	if (!context.continueOnFail() && !isTool(context)) return 'stop';
	return context.getNode().onError === 'continueErrorOutput' ? 'errorOutput' : 'continue';
}

/**
 * Gives an item the property `error`, by which n8n 2.41 sends it to the error output. There n8n
 * copies the item to add the input fields. If the copy had `error`, n8n would replace its JSON by the
 * message alone. So the property is not enumerable, and the copy lacks it. (n8n also sends an item
 * there whose JSON has no fields but `error`, `message` and `details`.)
 */
export function withHiddenError(item: INodeExecutionData, value: Error): INodeExecutionData {
	return Object.defineProperty(item, 'error', { value, writable: true });
}

/**
 * Whether an AI agent runs the node as its tool. In n8n 2.41 `isToolExecution` is false for an
 * agent that runs its tools as nodes, but the type of the node ends with `Tool`.
 */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Whether a failure of a tool has to be thrown. Behind the MCP Server Trigger of n8n 2.41 the
 * client learns of no other failure, and n8n's agents turn what is thrown into an answer.
 */
export function mustThrowForTool(context: IExecuteFunctions): boolean {
	const { isToolExecution } = context as { isToolExecution?: () => boolean };
	return isToolExecution?.call(context) === true;
}
