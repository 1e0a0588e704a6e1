import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	type NodeError,
	NodeOperationError,
} from 'n8n-workflow';
import { holdsPrivateKey } from '../address/refusal';
import { readReference } from '../description/decision';
import { itemReader, type ParameterReader } from '../description/parameters';
import { createFailureAlert } from '../messages/alert';
import type { ScreeningError, Settled } from '../shared/errors';
import { filledText } from '../shared/json';
import {
	type Context,
	continueOnFail,
	mustThrowForTool,
	withHiddenError,
	withoutTags,
} from '../transport/n8n';
import { currentOperation, describeWithAdvice } from './advice';
import { namesUsedIn, verdictFields } from './outputItems';

/** An output item before it is paired. */
export type OutputItem = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What came of an input item, or of several that share it: an item, or the error in its place. */
export type Outcome = Settled<OutputItem> & { readonly inputIndex: number | number[] };

/** Gives each input item the same error. */
export function forAllItems(context: IExecuteFunctions, error: ScreeningError): Outcome[] {
	return context.getInputData().map((_, inputIndex) => ({ error, inputIndex }));
}

/** What items hold beside their outcomes: nothing by default. */
interface ItemOptions {
	/** A failure has an alert. */
	alertText?: boolean;
	/** The fields of the input item come after those of the node, without those whose name the node uses. */
	includeInputFields?: boolean;
	/** Each item leaves as it came, also one that failed, with what the node adds. */
	keepsInput?: boolean;
}

/** Outcomes as n8n's items. Throws the first failure, as n8n's error, unless the user chose to continue. */
export function toItems(
	context: IExecuteFunctions,
	outcomes: Outcome[],
	options: ItemOptions = {},
): INodeExecutionData[] {
	const inputs = context.getInputData();
	const errorItems = new ErrorItems(context, options);
	return outcomes.map(({ value, error, inputIndex }) => {
		const isOfOne = !Array.isArray(inputIndex);
		const itemIndex = isOfOne ? inputIndex : (inputIndex[0] ?? 0);
		const input = (isOfOne ? inputs[itemIndex]?.json : undefined) ?? {};
		if (error) return errorItems.itemOf(error, itemIndex, input);
		const { json } = value;
		const kept = options.includeInputFields ? without(input, namesUsedIn(json)) : {};
		const pairedItem = isOfOne ? { item: inputIndex } : inputIndex.map((item) => ({ item }));
		return { ...value, json: { ...json, ...kept }, pairedItem };
	});
}

/** Makes the item that stands for a failure, in the way that the user chose under On Error. */
class ErrorItems {
	private readonly node: INode;
	private readonly isContinued: boolean;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly options: ItemOptions,
	) {
		this.node = context.getNode();
		this.isContinued = continueOnFail(context);
	}

	/** Throws n8n's error if the node stops. */
	itemOf(failure: ScreeningError, itemIndex: number, input: IDataObject): INodeExecutionData {
		const inHand = this.options.keepsInput ? input : {};
		const error = withNames(failure, inHand, itemReader(this.context, itemIndex));
		const place = currentOperation(this.context);
		if (!this.isContinued) throw toNodeError(this.node, error, place, itemIndex);
		const { alertText = false } = this.options;
		const item = toErrorItem(this.context, error, place, { itemIndex, alertText });
		const stale = this.staleFields(input);
		const json = this.withInput(item.json, input, stale);
		if (this.node.onError !== 'continueErrorOutput') return { ...item, json };
		const shown = { ...item, json: { ...hidden(stale), ...json } };
		return withHiddenError(shown, toNodeError(this.node, error, place, itemIndex));
	}

	/** The JSON of a failure, with the fields of the input that stay. */
	private withInput(failure: IDataObject, input: IDataObject, stale: string[]): IDataObject {
		const { keepsInput, includeInputFields } = this.options;
		if (!keepsInput && !includeInputFields) return failure;
		const kept = without(input, stale);
		return this.failedBefore(input)
			? { ...failure, ...kept }
			: { ...failure, ...without(kept, Object.keys(failure)) };
	}

	/** The fields of the input that would be taken for a verdict on what failed, and those that hold a private key. */
	private staleFields(input: IDataObject): string[] {
		const isStillTrue = (name: string) => name === 'alert' && this.failedBefore(input);
		return [
			...verdictFields.filter((name) => !isStillTrue(name)),
			...(this.options.keepsInput ? [] : ['report', 'evidence']),
			...privateKeysIn(input),
		];
	}

	/** An item that stood for a failure still does: it names that one, and its alert is still true. */
	private failedBefore(input: IDataObject): boolean {
		return this.options.keepsInput === true && Boolean(input.error);
	}
}

/** n8n itself adds the fields of the input to what leaves by the error output, unless the item has them, be it as undefined. */
const hidden = (names: string[]): IDataObject =>
	Object.fromEntries(names.map((name) => [name, undefined]));

function without(json: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
}

/** The names of the fields that hold a private key, however deep inside. */
const privateKeysIn = (json: IDataObject) =>
	Object.keys(json).filter((name) => holdsPrivateKey(json[name]));

/** The error with the names of its subject, also from the item in hand, unless it withholds a private key. */
function withNames(
	error: ScreeningError,
	inHand: IDataObject,
	read: ParameterReader,
): ScreeningError {
	const { details } = error;
	if (details.withheld !== undefined) return error;
	const address = details.address ?? filledText(inHand.address);
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

/** n8n's error for one input item; `context` carries the class and what is known. */
export function toNodeError(
	node: INode,
	error: ScreeningError,
	place: string,
	itemIndex: number,
): NodeError {
	const { errorClass, httpCode, add, details } = error;
	const { message } = error;
	const shown = { message, description: withoutTags(describeWithAdvice(error, place)), itemIndex };
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
			description: describeWithAdvice(error, place),
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
	if (!first || !mustThrowForTool(context)) return;
	// n8n replaces a message that holds a system's error code, and descriptions may hold one.
	const all = items.map(({ json }) =>
		isFailure(json) ? { ...json, details: { ...json.details, description: undefined } } : json,
	);
	const { description } = first.details;
	const said = `${first.error} ${JSON.stringify(all)}`;
	throw new NodeOperationError(context.getNode(), said, { ...(description && { description }) });
}
