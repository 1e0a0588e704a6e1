import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	type NodeError,
	NodeOperationError,
} from 'n8n-workflow';
import {
	containsPrivateKey,
	removePrivateKeys,
	removeNestedPrivateKeys,
} from '../address/privateKey';
import { readReference, referenceOf } from '../description/evidenceSettings';
import { createItemReader, type ParameterReader } from '../description/parameters';
import { createFailureAlert } from '../messages/alert';
import type { ErrorDetails, ScreeningError } from '../shared/errors';
import { nonBlankText, tryStringify } from '../shared/json';
import { excerptJson, formatCount } from '../shared/text';
import type { Context } from '../transport/context';
import { withoutTags } from '../transport/display';
import { type OnError, withHiddenError } from '../transport/onError';
import type { CreatedResources } from './account';
import { describeWithAdvice, type ErrorSite } from './advice';
import { addCreated, describeCreated, maxIdsShown } from './created';
import { addInputToFailure, blockForErrorOutput, type KeptInput, listDropped } from './keptInput';
import { isErrorItem } from './itemFields';

/** How items leave the node. */
export interface OutputSettings {
	onError: OnError;
	keeps: KeptInput;
	/** The operation gives verdicts on reports. */
	givesVerdict: boolean;
	/** An error item has an alert. */
	alertText: boolean;
	/** A copy of the node, which n8n makes each time that it is asked for one. */
	node: INode;
	/** Where a request can have failed; undefined for an operation that sends none. */
	site: ErrorSite | undefined;
	/** What the run made so far. */
	created: CreatedResources;
}

/** The input item that failed, and its place in the input. */
interface FailedInput {
	itemIndex: number;
	input: IDataObject;
}

/**
 * Turns a failed item into what the user chose under On Error: an error that ends the node, or an
 * item, which may leave by the error output. The error names what the run made, and what the item
 * was about. `keptInput.ts` shows what is kept of the input.
 * @throws {NodeError} the failure as n8n's error, with On Error: Stop
 */
export function applyOnError(
	context: IExecuteFunctions,
	failure: ScreeningError,
	{ itemIndex, input }: FailedInput,
	{ onError, keeps, alertText, node, site, created }: OutputSettings,
): INodeExecutionData {
	const withCreated = addCreated(failure, created, onError);
	// Only an operation that works on its input item may take the address from it.
	const source = keeps === 'whole' ? input : {};
	const error = addSubject(withCreated, source, createItemReader(context, itemIndex));
	if (onError === 'stop') throw createNodeError(node, error, site, itemIndex);

	const item = createErrorItem(context, error, site, { itemIndex, alertText });
	const dropped = listDropped(item.json, input, { keeps, site });
	const json = addInputToFailure(item.json, input, { keeps, dropped });
	if (onError === 'continue') return { ...item, json };

	const itemForErrorOutput = { ...item, json: blockForErrorOutput(json, dropped) };
	return withHiddenError(itemForErrorOutput, createNodeError(node, error, site, itemIndex));
}

/**
 * Adds to an error the address and the reference that it is about, unless it withholds a private
 * key. They come from the error, a parameter or the input item.
 */
function addSubject(
	error: ScreeningError,
	source: IDataObject,
	read: ParameterReader,
): ScreeningError {
	const { details } = error;
	if (details.withheld !== undefined) return error;
	const isNamed = details.address !== undefined || details.addressExcerpt !== undefined;
	return error.withDetails({
		...(!isNamed && { address: nonBlankText(source.address) }),
		reference: details.reference ?? tryReadReference(read) ?? referenceOf(source),
	});
}

/**
 * Removes private keys from an error: one may stand where a name of a field, a reference, a report
 * or an address in a result of the service was meant.
 */
function hidePrivateKeys(error: ScreeningError): ScreeningError {
	const { message, description, serviceMessage, details, stack = '' } = error;
	const { reportItem, ...others } = details;
	const replaced = Object.entries(others).map(([name, value]) => [
		name,
		removeNestedPrivateKeys(value),
	]);
	const hidden = error
		.withText({
			message: removePrivateKeys(message),
			description: removePrivateKeys(description),
			// The service may repeat what it was asked for.
			serviceMessage: serviceMessage && removePrivateKeys(serviceMessage),
		})
		.withDetails({
			...(Object.fromEntries(replaced) as typeof others),
			...(reportItem && { reportItem: fieldsWithoutPrivateKeys(reportItem) }),
		});
	// It begins with the message.
	hidden.stack = removePrivateKeys(stack);
	return hidden;
}

/**
 * The fields of an item that contain no private key. No text in a field is replaced: evidence would
 * not match a report whose text was replaced.
 */
const fieldsWithoutPrivateKeys = (item: object): object =>
	Object.fromEntries(
		Object.entries(item).filter(([name, value]) => !containsPrivateKey({ [name]: value })),
	);

function tryReadReference(read: ParameterReader): string | undefined {
	try {
		return readReference(read);
	} catch {
		return undefined;
	}
}

/**
 * Makes n8n's error for a failed input item: a `NodeApiError` if the service answered with a
 * status, else a `NodeOperationError`. Its `context` has the class and the details. No private key
 * is in it.
 */
export function createNodeError(
	node: INode,
	failure: ScreeningError,
	site: ErrorSite | undefined,
	itemIndex: number,
): NodeError {
	const error = hidePrivateKeys(failure);
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
 * Makes the item that stands for what failed: `{ error, address?, reference?, details }`, with an
 * alert if `alertText` is set. No private key is in it. Without `itemIndex` it belongs to no input
 * item, but to a delivery. It has no `error` property beside its JSON: n8n would throw the details
 * away. (`withHiddenError` adds one that n8n does not copy.)
 */
export function createErrorItem(
	context: Context,
	failure: ScreeningError,
	site: ErrorSite | undefined,
	{ itemIndex, alertText = false }: { itemIndex?: number; alertText?: boolean } = {},
): INodeExecutionData {
	const error = hidePrivateKeys(failure);
	const { errorClass, httpCode, proposedNames } = error;
	const { reference, ...details } = error.details;
	const { address } = details;
	const json = {
		error: error.message,
		...(address !== undefined && { address }),
		...(reference !== undefined && { reference }),
		details: {
			errorClass,
			httpCode: httpCode === undefined ? null : String(httpCode),
			description: describeWithAdvice(error, site),
			...(itemIndex !== undefined && { itemIndex }),
			...publicDetails(details, proposedNames),
		},
	};
	const alertContext = {
		reference,
		at: new Date(),
		timeZone: context.getTimezone(),
		// Of the operations that send no request, only Decide makes alerts.
		failedStep: site === undefined ? 'decision' : 'screening',
	} as const;
	const alert = alertText && { alert: createFailureAlert(json, alertContext) };
	return {
		json: { ...json, ...alert } as IDataObject,
		...(itemIndex !== undefined && { pairedItem: { item: itemIndex } }),
	};
}

/**
 * The details of an error under the names that the user sees. If the item of its report has a field
 * of the same name, that of the error counts.
 */
function publicDetails(
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

/** The most characters of the output that the answer of a tool shows. */
const maxToolOutput = 20_000;

/**
 * Ends the node with the first failure among its items, for a tool whose caller takes every
 * returned item for a success. The message holds the whole output, because it may be billed. One
 * that is too long gives way to the first failure, and to the IDs of what the run made.
 * @throws {NodeOperationError} if one of the items is an error item
 */
export function throwFailureOfTool(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	created: CreatedResources,
): void {
	const outputs = items.map(({ json }) => json);
	const failures = outputs.flatMap((json) => (isErrorItem(json) ? [json] : []));
	const [first] = failures;
	if (!first) return;
	const output = tryStringify(outputs);
	const isShort = output !== undefined && output.length <= maxToolOutput;
	const parts = isShort
		? [output]
		: [
				`${failures.length} of ${formatCount(outputs.length, 'item')} failed.`,
				...describeCreated(created, maxIdsShown),
				excerptJson(first, maxToolOutput),
			];
	const message = [first.error, ...parts].join(' ');
	const { description } = first.details;
	const options = { ...(description && { description }) };
	const error = keepMessage(new NodeOperationError(context.getNode(), message, options), message);
	const { report_ids, job_ids } = created;
	Object.assign(error.context, { report_ids, job_ids });
	throw error;
}
