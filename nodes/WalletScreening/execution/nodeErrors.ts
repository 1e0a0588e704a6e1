import { type INode, NodeApiError, type NodeError, NodeOperationError } from 'n8n-workflow';
import type { ErrorDetails, ScreeningError } from '../shared/errors';
import { withoutTags } from '../transport/display';
import { describeWithAdvice } from './advice';
import type { ErrorSite } from './errorSites';

/**
 * Makes n8n's error for a failed input item: a `NodeApiError` if the service answered with a
 * status, else a `NodeOperationError`. Its `context` has the class and the details.
 */
export function createNodeError(
	node: INode,
	error: ScreeningError,
	site: ErrorSite | undefined,
	itemIndex: number,
): NodeError {
	const { errorClass, httpCode, message, details, proposedNames } = error;
	const shown = { message, description: withoutTags(describeWithAdvice(error, site)), itemIndex };
	const nodeError =
		httpCode === undefined
			? new NodeOperationError(node, message, shown)
			: new NodeApiError(node, {}, { ...shown, httpCode: String(httpCode) });
	keepMessage(nodeError, message);
	if (error.stack !== undefined) nodeError.stack = error.stack;
	Object.assign(nodeError.context, { errorClass, ...publicDetails(details, proposedNames) });
	return nodeError;
}

/**
 * Puts back the message of an error. The constructors of n8n 2.41 replace a message by a text of
 * their own if the code of a system error occurs anywhere in it, in capital or small letters: a
 * name such as `filePermission` contains `EPERM`.
 */
export function keepMessage<Failure extends NodeError>(
	nodeError: Failure,
	message: string,
): Failure {
	nodeError.message = message;
	return nodeError;
}

/**
 * The details of an error under the names that the user sees. If the item of its report has a field
 * of the same name, that of the error counts.
 */
export function publicDetails(
	details: ErrorDetails,
	proposedNames: ScreeningError['proposedNames'],
): object {
	const { reportItem, addressExcerpt, ...others } = details;
	return {
		...reportItem,
		...(addressExcerpt !== undefined && { address: addressExcerpt }),
		...others,
		...(proposedNames && { add: proposedNames }),
	};
}
