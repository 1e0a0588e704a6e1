import {
	type IAllExecuteFunctions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
	NodeConnectionTypes,
	sleep,
} from 'n8n-workflow';
import { unlessAborted } from '../shared/abort';
import type { Clock } from '../shared/time';

/** What both nodes get from n8n. */
export type Context = IExecuteFunctions | IWebhookFunctions;

/** The ID of the workflow; empty if n8n gives none. */
export function workflowIdOf(context: Context): string {
	return String(context.getWorkflow().id ?? '');
}

/** Whether the editor listens for a delivery, and no published workflow. */
export function isTest(context: IWebhookFunctions): boolean {
	return context.getMode() === 'manual';
}

/** The signal that is aborted when the user stops the execution; a webhook cannot be stopped. */
export function stopSignal(context: Context): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * Makes a signal that is aborted after so many milliseconds, rounded up: the timer refuses
 * fractions, and 4.1 minutes are one.
 */
export function createTimeoutSignal(ms: number): AbortSignal {
	return AbortSignal.timeout(Math.ceil(ms));
}

/**
 * Makes a clock that does not follow changes of the machine's time. Its sleeps reject with the
 * signal's reason.
 */
export function systemClock(signal?: AbortSignal): Clock {
	return {
		now: () => performance.now(),
		sleep: async (ms) => await unlessAborted(sleep(ms), [signal]),
	};
}

/** Milliseconds of work after which n8n gets a moment for its other work. */
const maxWork = 50;

/** Makes a function that gives n8n that moment when it is due. */
export function createBreather(): () => Promise<void> {
	let since = performance.now();
	return async () => {
		if (performance.now() - since < maxWork) return;
		await sleep(0);
		since = performance.now();
	};
}

/** Shows a line above the output. */
export function showHint(
	context: IExecuteFunctions,
	message: string,
	type: 'info' | 'warning' | 'danger',
): void {
	context.addExecutionHints({ message: withoutTags(message), type, location: 'outputPane' });
}

/* Workarounds, each with the version of n8n that needs it. */

/**
 * The type of the connections between nodes.
 * @throws {Error} in a very old n8n, which has no name for it, and shows the error
 */
export function mainConnection() {
	const { Main } = (NodeConnectionTypes as Partial<typeof NodeConnectionTypes> | undefined) ?? {};
	if (Main) return Main;
	throw new Error(
		'This n8n is too old for n8n-nodes-wallet-screening. Update n8n to version 2.41 or later, then restart it.',
	);
}

/**
 * n8n 2.41: its request helper takes the abort signal of the execution from the context, and not
 * the one that the request names. This context has `signal` in that place.
 */
export function withSignal(context: Context, signal: AbortSignal): IAllExecuteFunctions {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IAllExecuteFunctions;
}

/**
 * Node 20 warns of a leak if more than ten waits listen to one signal, as those of many items do. A
 * community node may not import what sets that limit, `setMaxListeners` of `events`.
 */
export function withoutListenerLimit(signal: AbortSignal): AbortSignal {
	const limit = Object.getOwnPropertySymbols(signal).find(
		({ description }) => description === 'events.maxEventTargetListeners',
	);
	return limit ? Object.defineProperty(signal, limit, { value: 0 }) : signal;
}

/**
 * n8n 2.41 sends an item to the error output if it has an `error` property, or if its JSON has no
 * fields but `error`, `message` and `details`. It replaces the JSON of an item with that property
 * by only the message, unless the property is gone from the copy to which it adds the fields of the
 * input: so the property is not enumerable.
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
 * Whether a failure of a tool has to be thrown. Behind the MCP Server Trigger of n8n 2.41 the
 * client learns of no other failure, and n8n's agents turn what is thrown into an answer.
 */
export function mustThrowForTool(context: IExecuteFunctions): boolean {
	const { isToolExecution } = context as { isToolExecution?: () => boolean };
	return isToolExecution?.call(context) === true;
}

/**
 * n8n 2.41 shows hints and the descriptions of errors as HTML, in which a link from outside would
 * be alive.
 */
export function withoutTags(text: string): string {
	return text.replace(/[<>]/g, (sign) => (sign === '<' ? '‹' : '›'));
}
