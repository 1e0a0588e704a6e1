import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isPrivateKey } from '../address/privateKey';
import { ScreeningError } from '../service/errors';
import { withoutEdges } from '../service/input';
import { failureMeaning } from './advice';
import { operationPlace } from './context';
import { toErrorItem, toNodeError } from './nodeError';
import { isTool, withHiddenError } from './quirks';

/** An output item before it is paired. */
type OutputItem = Pick<INodeExecutionData, 'json' | 'binary'>;

export type ItemOrError = OutputItem | ScreeningError;

/** An outcome and the input items that it stands for. */
export interface Paired {
	result: ItemOrError;
	inputIndex: number | number[];
}

/** The same outcome for each input item. */
export function ofAll(context: IExecuteFunctions, result: ScreeningError): Paired[] {
	return context.getInputData().map((_, inputIndex) => ({ result, inputIndex }));
}

/** Whether failures leave as items: On Error is to continue, or the answer is for an AI agent, whose run an error would end. */
export function continueOnFail(context: IExecuteFunctions): boolean {
	return context.continueOnFail() || isTool(context);
}

/** What the node says of a report, flat, and what the service sent, in the order of a report item. */
const reportItemFields =
	'outcome summary level score address chain asked_chain reference report reasons change alert evidence verification'.split(
		' ',
	);
const jobItemFields = [
	'job_id',
	'completed',
	'failed',
	'address_count',
	'addresses',
	'unread',
	'job',
];
const failureFields = ['error', 'details'];
/** What a failed item cannot say, because it holds no report that it could be said of. */
const verdictFields = reportItemFields.filter(
	(name) => !['address', 'chain', 'reference', 'report', 'evidence'].includes(name),
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
	/** Nothing of the input is read: it may be what failed. */
	ignoresInput?: boolean;
}

/** Outcomes as n8n's items. Throws the first failure, as n8n's error, unless the user chose to continue. */
export function toItems(
	context: IExecuteFunctions,
	outcomes: Paired[],
	{ alertText = false, includeInputFields = false, ...rest }: ItemOptions = {},
): INodeExecutionData[] {
	const { keepsInput = false, ignoresInput = false } = rest;
	const node = context.getNode();
	const place = operationPlace(context);
	const isContinued = continueOnFail(context);
	const inputs = context.getInputData();
	return outcomes.map(({ result, inputIndex }) => {
		const itemIndex = Array.isArray(inputIndex) ? (inputIndex[0] ?? 0) : inputIndex;
		const isRead = !ignoresInput && !Array.isArray(inputIndex);
		const given = (isRead ? inputs[itemIndex]?.json : undefined) ?? {};
		if (!(result instanceof ScreeningError)) {
			const { json } = result;
			const kept = includeInputFields ? without(given, namesBeside(json)) : {};
			return { ...result, json: { ...json, ...kept }, pairedItem: pairing(inputIndex) };
		}
		if (!isContinued) throw toNodeError(node, result, place, itemIndex);
		const item = toErrorItem(result, place, { itemIndex, alertText });
		if (isTool(context)) item.json.error = `${failureMeaning(place)}: ${String(item.json.error)}`;
		// An item that stood for a failure before still names that one, and its alert is still true.
		const isEarlier = keepsInput && Boolean(given.error);
		const stale = [...verdictFields, ...(keepsInput ? [] : ['report', 'evidence'])].filter(
			(name) => !(isEarlier && name === 'alert'),
		);
		if (result.details.withheld) stale.push(...privateKeysIn(given));
		const kept = keepsInput || includeInputFields ? without(given, stale) : {};
		const json = { ...item.json, ...(isEarlier ? kept : without(kept, Object.keys(item.json))) };
		if (node.onError !== 'continueErrorOutput') return { ...item, json };
		// n8n itself adds the input to what leaves by the error output.
		const hidden = Object.fromEntries(stale.map((name) => [name, undefined]));
		const shown = { ...item, json: { ...hidden, ...json } };
		return withHiddenError(shown, toNodeError(node, result, place, itemIndex));
	});
}

function without(json: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
}

/** The names of the fields that hold a private key. */
const privateKeysIn = (json: IDataObject) =>
	Object.keys(json).filter((name) => isPrivateKey(withoutEdges(String(json[name]))));

function pairing(inputIndex: number | number[]) {
	return Array.isArray(inputIndex) ? inputIndex.map((item) => ({ item })) : { item: inputIndex };
}
