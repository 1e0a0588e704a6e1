import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	type NodeError,
	NodeOperationError,
} from 'n8n-workflow';
import { containsPrivateKey } from '../address/refusal';
import { readReference } from '../description/decision';
import { itemReader, type ParameterReader } from '../description/parameters';
import { createFailureAlert } from '../messages/alert';
import type { ErrorDetails, ScreeningError } from '../shared/errors';
import { filledText } from '../shared/json';
import { type Context, withHiddenError, withoutTags } from '../transport/n8n';
import { describeWithAdvice, currentOperation, type ErrorSite } from './advice';
import { isFailure, verdictFields, withoutFields } from './outputItems';

/**
 * Which fields of an input item stay in its output: none; those that are extra to the fields of the node; or the whole item, because
 * the operation works on it.
 */
export type KeptInput = 'none' | 'extra' | 'whole';

/** What all error items of a run have in common. */
interface ErrorForm {
	/** A copy of the node, which n8n makes each time that it is asked for one. */
	node: INode;
	keeps: KeptInput;
	/** A failure has an alert. */
	alertText: boolean;
	/** Failures leave as items (On Error: Continue). */
	isContinued: boolean;
}

/**
 * The item that stands for the failure of an input item, in the way that the user chose under On Error.
 * @throws {NodeError} the failure as n8n's error, if the node stops at one
 */
export function toErrorOutput(
	context: IExecuteFunctions,
	failure: ScreeningError,
	{ itemIndex, input }: { itemIndex: number; input: IDataObject },
	{ node, keeps, alertText, isContinued }: ErrorForm,
): INodeExecutionData {
	const subject = keeps === 'whole' ? input : {};
	const error = withNames(failure, subject, itemReader(context, itemIndex));
	const site = currentOperation(context);
	if (!isContinued) throw toNodeError(node, error, site, itemIndex);
	const item = createErrorItem(context, error, site, { itemIndex, alertText });
	const json = { ...item.json, ...keptInput(input, item.json, keeps) };
	if (node.onError !== 'continueErrorOutput') return { ...item, json };
	// n8n itself adds the fields of the input to what leaves by the error output, unless the item has them, even as undefined.
	const stale = staleFields(input, keeps).map((name) => [name, undefined]);
	const shown = { ...item, json: { ...Object.fromEntries(stale), ...json } as IDataObject };
	return withHiddenError(shown, toNodeError(node, error, site, itemIndex));
}

/** The fields of the input that stay beside those of its failure. */
function keptInput(input: IDataObject, failure: IDataObject, keeps: KeptInput): IDataObject {
	if (keeps === 'none') return {};
	const kept = withoutFields(input, staleFields(input, keeps));
	return failedBefore(input, keeps) ? kept : withoutFields(kept, Object.keys(failure));
}

/** The fields of the input that would be taken for a verdict on what failed, and those that hold a private key, however deep. */
function staleFields(input: IDataObject, keeps: KeptInput): string[] {
	const isStillTrue = (name: string) => name === 'alert' && failedBefore(input, keeps);
	return [
		...verdictFields.filter((name) => !isStillTrue(name)),
		...(keeps === 'whole' ? [] : ['report', 'evidence']),
		...Object.keys(input).filter((name) => containsPrivateKey(input[name])),
	];
}

/** Whether an input item stood for a failure. It still does: it names that one, and its alert is still true. */
const failedBefore = (input: IDataObject, keeps: KeptInput): boolean =>
	keeps === 'whole' && Boolean(input.error);

/** The error with the names of its subject, also from the item in hand, unless it withholds a private key. */
function withNames(
	error: ScreeningError,
	inHand: IDataObject,
	read: ParameterReader,
): ScreeningError {
	const { details } = error;
	if (details.withheld !== undefined) return error;
	const isNamed = details.address !== undefined || details.addressExcerpt !== undefined;
	const address = isNamed ? undefined : filledText(inHand.address);
	return error.withDetails({
		...(address !== undefined && { address }),
		reference: details.reference ?? readableReference(read) ?? filledText(inHand.reference),
	});
}

function readableReference(read: ParameterReader): string | undefined {
	try {
		return readReference(read);
	} catch {
		return undefined;
	}
}

/** What is known of a failure, as the user sees it. */
function shownFacts(details: ErrorDetails, proposedNames: ScreeningError['proposedNames']): object {
	const { reportItem, addressExcerpt, ...facts } = details;
	return {
		...reportItem,
		...(addressExcerpt !== undefined && { address: addressExcerpt }),
		...facts,
		...(proposedNames && { add: proposedNames }),
	};
}

/** n8n's error for one input item; `context` carries the class and what is known. */
export function toNodeError(
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
	if (error.stack !== undefined) nodeError.stack = error.stack;
	Object.assign(nodeError.context, { errorClass, ...shownFacts(details, proposedNames) });
	return nodeError;
}

/**
 * The item that stands for what failed: `{ error, address?, reference?, details }`, with an alert if `alertText` is set. Without
 * `itemIndex` it belongs to no input item, but to a delivery. It has no `error` property beside its JSON: n8n would throw the
 * details away.
 */
export function createErrorItem(
	context: Context,
	error: ScreeningError,
	site: ErrorSite | undefined,
	{ itemIndex, alertText = false }: { itemIndex?: number; alertText?: boolean } = {},
): INodeExecutionData {
	const { errorClass, httpCode, proposedNames } = error;
	const { reference, ...details } = error.details;
	const { address } = details;
	const failure = {
		error: error.message,
		...(address !== undefined && { address }),
		...(reference !== undefined && { reference }),
		details: {
			errorClass,
			httpCode: httpCode === undefined ? null : String(httpCode),
			description: describeWithAdvice(error, site),
			...(itemIndex !== undefined && { itemIndex }),
			...shownFacts(details, proposedNames),
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
 * Ends the node with the first failure among its items. A tool whose caller takes every returned item for a success needs it. The
 * message holds what else came: it may be billed.
 * @throws {NodeOperationError}
 */
export function throwFailureOfTool(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const [first] = items.flatMap(({ json }) => (isFailure(json) ? [json] : []));
	if (!first) return;
	// n8n replaces a message that holds a system's error code, and descriptions may hold one.
	const all = items.map(({ json }) =>
		isFailure(json) ? { ...json, details: { ...json.details, description: undefined } } : json,
	);
	const { description } = first.details;
	const message = `${first.error} ${JSON.stringify(all)}`;
	throw new NodeOperationError(context.getNode(), message, { ...(description && { description }) });
}
