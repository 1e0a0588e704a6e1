import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { readReference, referenceOf } from '../description/evidenceSettings';
import { createItemReader, type ParameterReader } from '../description/parameters';
import { createFailureAlert } from '../messages/alert';
import type { ScreeningError } from '../shared/errors';
import { nonBlankText } from '../shared/json';
import type { Context } from '../transport/context';
import { type OnError, withHiddenError } from '../transport/onError';
import type { CreatedResources } from './ledger';
import { describeWithAdvice } from './advice';
import { addCreated } from './created';
import type { ErrorSite } from './errorSites';
import { addInputToFailure, type KeptInput } from './keptInput';
import { createNodeError, publicDetails } from './nodeErrors';
import { hidePrivateKeys } from './privateKeysInError';

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
	/** What the run made, without the jobs that an earlier error item names. */
	created: CreatedResources;
}

/** An input item, and its place in the input. */
export interface InputItem {
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
	{ itemIndex, input }: InputItem,
	{ onError, keeps, alertText, node, site, created }: OutputSettings,
): INodeExecutionData {
	// 1. What the run made, and what the item was about. Only an operation that works on its input item
	// may take the address from it.
	const source = keeps === 'whole' ? input : {};
	const withCreated = addCreated(failure, created, onError);
	const withSubject = addSubject(withCreated, source, createItemReader(context, itemIndex));
	// 2. No private keys: from here on, texts are made of the error. A reference may be one, too.
	const error = hidePrivateKeys(withSubject);
	// 3. The error of n8n, for Stop. An item is not made first, because its alert takes time.
	const nodeError = () => createNodeError(node, error, site, itemIndex);
	if (onError === 'stop') throw nodeError();
	// 4. The item, with its alert. What is kept of the input comes last: no alert is on that.
	const item = createErrorItem(context, error, site, { itemIndex, alertText });
	const json = addInputToFailure(item.json, input, { keeps, site, onError });
	const output = { ...item, json };
	return onError === 'errorOutput' ? withHiddenError(output, nodeError()) : output;
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

function tryReadReference(read: ParameterReader): string | undefined {
	try {
		return readReference(read);
	} catch {
		return undefined;
	}
}

/**
 * Makes the item of a delivery that failed, with an alert if `alertText` is set. It belongs to no
 * input item.
 */
export function createDeliveryErrorItem(
	context: Context,
	failure: ScreeningError,
	alertText = false,
): INodeExecutionData {
	return createErrorItem(context, hidePrivateKeys(failure), 'trigger', { alertText });
}

/**
 * Makes the item that stands for what failed: `{ error, address?, reference?, details }`, with an
 * alert if `alertText` is set. It has no `error` property beside its JSON: n8n would throw the
 * details away. (`withHiddenError` adds one that n8n does not copy.)
 *
 * @param error without private keys: they are not removed here
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
		// Of the operations that send no request, only Decide has the option Alert Text.
		failedStep: site === undefined ? 'decision' : 'screening',
	} as const;
	const alert = alertText && { alert: createFailureAlert(json, alertContext) };
	return {
		json: { ...json, ...alert } as IDataObject,
		...(itemIndex !== undefined && { pairedItem: { item: itemIndex } }),
	};
}
