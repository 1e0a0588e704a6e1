import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { holdsPrivateKey } from '../address/privateKey';
import type { ScreeningError } from '../shared/errors';
import type { Settled } from '../shared/settled';
import { currentOperation } from './advice';
import { referenceIn } from '../description/decision';
import { toErrorItem, toNodeError } from './nodeError';
import { itemReader, type Read } from '../description/parameters';
import { isTool, withHiddenError } from '../transport/quirks';
import { filledText } from '../shared/json';

/** An output item before it is paired. */
export type OutputItem = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What came of an input item, or of several that share it: an item, or the error in its place. */
export type Outcome = Settled<OutputItem> & { readonly inputIndex: number | number[] };

/** The same error for each input item. */
export function forAllItems(context: IExecuteFunctions, error: ScreeningError): Outcome[] {
	return context.getInputData().map((_, inputIndex) => ({ error, inputIndex }));
}

/** Whether failures leave as items: On Error is to continue, or the answer is for an AI agent, whose run an error would end. */
export function continueOnFail(context: IExecuteFunctions): boolean {
	return context.continueOnFail() || isTool(context);
}

const namesOf = (names: string) => names.split(' ');

/** What the node says of a report, flat, and what the service sent, in the order of a report item. */
const reportItemFields = namesOf(
	'outcome sanctions summary level score address chain asked_chain reference report reasons change alert evidence verification',
);
const jobItemFields = namesOf('job_id completed failed address_count addresses unread job');
const failureFields = ['error', 'details'];
/** What a failed item cannot say, because it holds no report that it could be said of. */
const verdictFields = namesOf(
	'outcome sanctions summary level score asked_chain reasons change alert verification',
);

/** The fields of a report item first, and in their order. */
export function inFieldOrder(json: IDataObject): IDataObject {
	const ordered: IDataObject = {};
	for (const name of reportItemFields) if (name in json) ordered[name] = json[name];
	return { ...ordered, ...json };
}

/** What stays of an item whose report is decided on anew. */
const keptFields = ['report', 'change'];

/** An item whose report was decided on: what is new takes the place of all that an earlier decision said, in its order. */
export function decidedAnew(json: IDataObject, made: IDataObject): IDataObject {
	const decided: IDataObject = {};
	for (const name of reportItemFields) {
		const source = keptFields.includes(name) ? json : made;
		if (name in source) decided[name] = source[name];
	}
	for (const name in json) if (!reportItemFields.includes(name)) decided[name] = json[name];
	return decided;
}

/** The names that the node uses in an item like this one: a field of the input would be taken for one of them. */
function namesBeside(json: IDataObject): string[] {
	const ofKind = 'level' in json ? reportItemFields : 'job' in json ? jobItemFields : [];
	return [...Object.keys(json), ...ofKind, ...failureFields];
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
	{ alertText = false, includeInputFields = false, keepsInput = false }: ItemOptions = {},
): INodeExecutionData[] {
	const node = context.getNode();
	const place = currentOperation(context);
	const isContinued = continueOnFail(context);
	const inputs = context.getInputData();

	function errorItem(failure: ScreeningError, itemIndex: number, input: IDataObject) {
		const error = withNames(failure, keepsInput ? input : {}, itemReader(context, itemIndex));
		if (!isContinued) throw toNodeError(node, error, place, itemIndex);
		const item = toErrorItem(context, error, place, { itemIndex, alertText });
		// What stood for a failure before still does: that one is named, and its alert is still true.
		const isEarlier = keepsInput && Boolean(input.error);
		const stale = [
			...verdictFields.filter((name) => !(isEarlier && name === 'alert')),
			...(keepsInput ? [] : ['report', 'evidence']),
			...privateKeysIn(input),
		];
		const kept = keepsInput || includeInputFields ? without(input, stale) : {};
		const json = isEarlier
			? { ...item.json, ...kept }
			: { ...item.json, ...without(kept, Object.keys(item.json)) };
		if (node.onError !== 'continueErrorOutput') return { ...item, json };
		// n8n itself adds the input to what leaves by the error output.
		const hidden = Object.fromEntries(stale.map((name) => [name, undefined]));
		const shown = { ...item, json: { ...hidden, ...json } };
		return withHiddenError(shown, toNodeError(node, error, place, itemIndex));
	}

	return outcomes.map(({ value, error, inputIndex }) => {
		const isOfOne = !Array.isArray(inputIndex);
		const itemIndex = isOfOne ? inputIndex : (inputIndex[0] ?? 0);
		const input = (isOfOne ? inputs[itemIndex]?.json : undefined) ?? {};
		if (error) return errorItem(error, itemIndex, input);
		const { json } = value;
		const kept = includeInputFields ? without(input, namesBeside(json)) : {};
		const pairedItem = isOfOne ? { item: inputIndex } : inputIndex.map((item) => ({ item }));
		return { ...value, json: { ...json, ...kept }, pairedItem };
	});
}

function without(json: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
}

/** The names of the fields that hold a private key, however deep inside. */
const privateKeysIn = (json: IDataObject) =>
	Object.keys(json).filter((name) => holdsPrivateKey(json[name]));

/** The error with what it is about, also from the item in hand, unless it is about what nobody may read. */
function withNames(error: ScreeningError, inHand: IDataObject, read: Read): ScreeningError {
	const { details } = error;
	if (details.withheld !== undefined) return error;
	const address = details.address ?? filledText(inHand.address);
	return error.withDetails({
		...(address !== undefined && { address }),
		reference: details.reference ?? readableReference(read) ?? filledText(inHand.reference),
	});
}

function readableReference(read: Read): string | undefined {
	try {
		return referenceIn(read);
	} catch {
		return undefined;
	}
}
