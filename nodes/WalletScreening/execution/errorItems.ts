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
import { readReference } from '../description/decisionSettings';
import { itemReader, type ParameterReader } from '../description/parameters';
import { createFailureAlert } from '../messages/alert';
import type { ErrorDetails, ScreeningError } from '../shared/errors';
import { filledText } from '../shared/json';
import { type Context, withHiddenError, withoutTags } from '../transport/n8n';
import { describeWithAdvice, currentOperation, type ErrorSite } from './advice';
import { absentInFailure, isFailure, withoutFields } from './outputItems';

/**
 * Which fields of an input item stay in its output. If an item `{ id, outcome, alert, report }` fails, it leaves as
 *
 *     none     { error, details }               nothing of the input
 *     extra    { error, details, id }           what the node has no field for
 *     whole    { error, details, id, report }   all, because the operation works on the item
 *
 * No verdict stays beside an error, so `outcome` and `alert` go. If the operation works on an item that already stood for a failure,
 * `error`, `details` and `alert` of that failure stay.
 */
export type KeptInput = 'none' | 'extra' | 'whole';

/** How the outcomes of a run leave as items. */
export interface ItemForm {
	/** A copy of the node, which n8n makes each time that it is asked for one. */
	node: INode;
	keeps: KeptInput;
	/** A failure has an alert. */
	alertText: boolean;
	/** Failures leave as items (On Error: Continue). */
	continueOnFail: boolean;
}

/**
 * Makes of a failure what the user chose under On Error: an item, an item for the error output, or an error that ends the node.
 * @throws {NodeError} the failure as n8n's error, if the node stops at one
 */
export function presentFailure(
	context: IExecuteFunctions,
	failure: ScreeningError,
	{ itemIndex, input }: { itemIndex: number; input: IDataObject },
	{ node, keeps, alertText, continueOnFail }: ItemForm,
): INodeExecutionData {
	const subject = keeps === 'whole' ? input : {};
	const error = addSubject(failure, subject, itemReader(context, itemIndex));
	const site = currentOperation(context);
	if (!continueOnFail) throw toNodeError(node, error, site, itemIndex);

	const item = createErrorItem(context, error, site, { itemIndex, alertText });
	const isEarlierFailure = keeps === 'whole' && Boolean(input.error);
	const stale = staleFields(input, keeps, isEarlierFailure);
	const kept = keeps === 'none' ? {} : withoutFields(input, stale);
	// Of a field that both have, that of this failure counts, unless the item names an earlier one.
	const added = isEarlierFailure ? kept : withoutFields(kept, Object.keys(item.json));
	const json = { ...item.json, ...added };
	if (node.onError !== 'continueErrorOutput') return { ...item, json };

	// n8n itself adds the fields of the input to what leaves by the error output, unless the item has them, even as undefined.
	const hidden = Object.fromEntries(stale.map((name) => [name, undefined]));
	const itemForErrorOutput = { ...item, json: { ...hidden, ...json } as IDataObject };
	return withHiddenError(itemForErrorOutput, toNodeError(node, error, site, itemIndex));
}

/** The names of the fields of an input item that must not stay beside its failure. */
function staleFields(input: IDataObject, keeps: KeptInput, isEarlierFailure: boolean): string[] {
	return [
		// They would be a verdict on what failed. The alert of an earlier failure is still true.
		...absentInFailure.filter((name) => name !== 'alert' || !isEarlierFailure),
		// They are of an earlier screening. An operation that works on the item works on them.
		...(keeps === 'whole' ? [] : ['report', 'evidence']),
		...Object.keys(input).filter((name) => containsPrivateKey(input[name])),
	];
}

/** Adds to an error which address and reference it is about, also from the item that is worked on, unless it withholds a private key. */
function addSubject(
	error: ScreeningError,
	item: IDataObject,
	read: ParameterReader,
): ScreeningError {
	const { details } = error;
	if (details.withheld !== undefined) return error;
	const isNamed = details.address !== undefined || details.addressExcerpt !== undefined;
	const address = isNamed ? undefined : filledText(item.address);
	return error.withDetails({
		...(address !== undefined && { address }),
		reference: details.reference ?? tryReadReference(read) ?? filledText(item.reference),
	});
}

function tryReadReference(read: ParameterReader): string | undefined {
	try {
		return readReference(read);
	} catch {
		return undefined;
	}
}

/** The details of an error under the names that the user sees. */
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

/** Makes n8n's error for one input item; its `context` has the class and the details. */
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
	Object.assign(nodeError.context, { errorClass, ...publicDetails(details, proposedNames) });
	return nodeError;
}

/**
 * Makes the item that stands for what failed: `{ error, address?, reference?, details }`, with an alert if `alertText` is set.
 * Without `itemIndex` it belongs to no input item, but to a delivery. It has no `error` property beside its JSON: n8n would throw
 * the details away.
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
			...publicDetails(details, proposedNames),
		},
	};
	const alertContext = { reference, at: new Date(), timeZone: context.getTimezone() };
	const alert = alertText && { alert: createFailureAlert(failure, alertContext) };
	return {
		json: { ...failure, ...alert } as IDataObject,
		...(itemIndex !== undefined && { pairedItem: { item: itemIndex } }),
	};
}

/**
 * Ends the node with the first failure among its items, for a tool whose caller takes every returned item for a success. The message
 * holds what else came, because it may be billed.
 * @throws {NodeOperationError} if an item stands for a failure
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
