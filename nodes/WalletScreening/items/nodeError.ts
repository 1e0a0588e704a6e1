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

function named(message: string, itemIndex: number): string {
	return `${message} [item ${itemIndex}]`;
}
