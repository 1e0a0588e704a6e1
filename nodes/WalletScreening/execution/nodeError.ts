import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	type NodeError,
	NodeOperationError,
} from 'n8n-workflow';
import { createFailureAlert } from '../messages/alert';
import type { ScreeningError } from '../shared/errors';
import type { Context } from '../transport/context';
import { advised } from './advice';
import { throwsForTool, withoutTags } from '../transport/quirks';

/** n8n's error for one input item; `context` carries the class and what is known. */
export function toNodeError(
	node: INode,
	error: ScreeningError,
	place: string,
	itemIndex: number,
): NodeError {
	const { errorClass, httpCode, add, details } = error;
	const { message } = error;
	const shown = { message, description: withoutTags(advised(error, place)), itemIndex };
	const nodeError =
		httpCode === undefined
			? new NodeOperationError(node, message, shown)
			: new NodeApiError(node, {}, { ...shown, httpCode: String(httpCode) });
	if (error.stack !== undefined) nodeError.stack = error.stack;
	const { reportItem, ...facts } = details;
	Object.assign(nodeError.context, { errorClass, ...reportItem, ...facts, ...(add && { add }) });
	return nodeError;
}

interface Failure {
	error: string;
	details: { errorClass: string; description?: string };
}

/** Whether the JSON of an item stands for what failed. */
export const isFailure = (json: { error?: unknown; details?: unknown }): json is Failure =>
	json.error !== undefined &&
	(json.details as Partial<Failure['details']>)?.errorClass !== undefined;

/**
 * The item that stands for what failed: `{ error, address?, reference?, details }`, with an alert if `alertText` is set. Without
 * `itemIndex` it belongs to no input item, but to a delivery. It has no `error` property beside its JSON: n8n would throw the
 * details away.
 */
export function toErrorItem(
	context: Context,
	error: ScreeningError,
	place: string,
	{ itemIndex, alertText = false }: { itemIndex?: number; alertText?: boolean } = {},
): INodeExecutionData {
	const { errorClass, httpCode, add, details } = error;
	const { reference, reportItem, ...facts } = details;
	const { address } = facts;
	const failure = {
		error: error.message,
		// A refused text that is cut finds no row again.
		...(address !== undefined && !address.endsWith('…') && { address }),
		...(reference !== undefined && { reference }),
		details: {
			errorClass,
			httpCode: httpCode === undefined ? null : String(httpCode),
			description: advised(error, place),
			...(itemIndex !== undefined && { itemIndex }),
			...reportItem,
			...facts,
			...(add && { add }),
		},
	};
	const about = { reference, at: new Date(), timeZone: context.getTimezone() };
	const alert = alertText && { alert: createFailureAlert(failure, about) };
	return {
		json: { ...failure, ...alert } as IDataObject,
		...(itemIndex !== undefined && { pairedItem: { item: itemIndex } }),
	};
}

/**
 * Throws if the node runs as a tool whose caller takes every returned item for a success, and one of them is a failure. The
 * message holds what else came: it may be billed.
 */
export function throwFailureOfTool(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const [first] = items.flatMap(({ json }) => (isFailure(json) ? [json] : []));
	if (!first || !throwsForTool(context)) return;
	// n8n replaces a message that holds a system's error code, and descriptions may hold one.
	const all = items.map(({ json }) =>
		isFailure(json) ? { ...json, details: { ...json.details, description: undefined } } : json,
	);
	const { description } = first.details;
	const said = `${first.error} ${JSON.stringify(all)}`;
	throw new NodeOperationError(context.getNode(), said, { ...(description && { description }) });
}
