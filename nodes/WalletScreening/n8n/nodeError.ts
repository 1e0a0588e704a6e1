import {
	type INode,
	type INodeExecutionData,
	NodeApiError,
	type NodeError,
	NodeOperationError,
} from 'n8n-workflow';
import type { ErrorClass, ScreeningError } from '../service/errors';

/** Classes in which the service was not asked, or did answer and what it says is the trouble. */
const operational: ErrorClass[] = ['invalid_input', 'job_failed', 'job_timeout', 'missing_result'];

/** n8n's error for one input item; `context` carries the class and what is known. */
export function toNodeError(node: INode, error: ScreeningError, itemIndex: number): NodeError {
	const { errorClass, description, httpCode, known } = error;
	const message = named(error.message, itemIndex);
	const nodeError = operational.includes(errorClass)
		? new NodeOperationError(node, message, { description, itemIndex })
		: new NodeApiError(
				node,
				{},
				{ message, description, itemIndex, ...(httpCode && { httpCode: String(httpCode) }) },
			);
	Object.assign(nodeError.context, { errorClass, ...known });
	return nodeError;
}

/**
 * The item that stands for what failed: for an input with "On Error: Continue", or, without an index, in the trigger. It
 * has no `error` property beside its JSON: n8n would throw the details away.
 */
export function toErrorItem(error: ScreeningError, itemIndex?: number): INodeExecutionData {
	const { errorClass, description, httpCode, known } = error;
	return {
		json: {
			error: itemIndex === undefined ? error.message : named(error.message, itemIndex),
			details: {
				errorClass,
				httpCode: httpCode === undefined ? null : String(httpCode),
				description,
				...known,
			},
		} as INodeExecutionData['json'],
		...(itemIndex !== undefined && { pairedItem: { item: itemIndex } }),
	};
}

/**
 * The item that stands for what failed, with "On Error: Continue (using error output)". n8n 1 sends to that output only
 * what has an `error` property beside its JSON. It is not enumerable, so that it is gone from the copy to which n8n adds
 * the fields of the input: beside one that stays, n8n puts the message alone in place of the JSON.
 */
export function toErrorOutputItem(
	node: INode,
	error: ScreeningError,
	itemIndex: number,
): INodeExecutionData {
	const value = toNodeError(node, error, itemIndex);
	return Object.defineProperty(toErrorItem(error, itemIndex), 'error', { value });
}

function named(message: string, itemIndex: number): string {
	return `${message} [item ${itemIndex}]`;
}
