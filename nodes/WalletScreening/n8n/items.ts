import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isPrivateKey } from '../address/privateKey';
import { ScreeningError } from '../service/errors';
import { withoutEdges } from '../service/input';
import { meaningOf } from './advice';
import { placeOf } from './context';
import { toErrorItem, toNodeError } from './nodeError';
import { isTool, withHiddenError } from './quirks';

/** An output item before it is paired. */
export type Result = Pick<INodeExecutionData, 'json' | 'binary'>;

export type Outcome = Result | ScreeningError;

/** An outcome and the input items that it stands for. */
export interface Paired {
	outcome: Outcome;
	from: number | number[];
}

/** The same outcome for each input item. */
export function ofAll(context: IExecuteFunctions, outcome: ScreeningError): Paired[] {
	return context.getInputData().map((_, from) => ({ outcome, from }));
}

/** Whether failures leave as items: On Error is to continue, or the answer is for an AI agent, whose run an error would end. */
export function continueOnFail(context: IExecuteFunctions): boolean {
	return context.continueOnFail() || isTool(context);
}

/** What the node says of a report, flat, and what the service sent, in the order of a report item. */
const ofReport = [
	...['outcome', 'summary', 'level', 'score', 'address', 'chain', 'asked_chain', 'reference'],
	...['report', 'reasons', 'change', 'alert', 'evidence', 'verification'],
];
const ofJob = ['job_id', 'completed', 'failed', 'address_count', 'addresses', 'unread', 'job'];
const ofFailure = ['error', 'details'];
/** What a failed item cannot say, because it holds no report that it could be said of. */
const verdicts = ofReport.filter(
	(name) => !['address', 'chain', 'reference', 'report', 'evidence'].includes(name),
);

/** The fields of a report item first, and in their order. */
export function inOrder(json: IDataObject): IDataObject {
	const names = ofReport.filter((name) => name in json);
	return { ...Object.fromEntries(names.map((name) => [name, json[name]])), ...json };
}

/** An item whose report was decided on: what is new takes the place of all that an earlier decision said, in its order. */
export function decidedAnew(json: IDataObject, { report: _, ...made }: IDataObject): IDataObject {
	const old = ofReport.filter((name) => name !== 'report' && name !== 'change');
	return inOrder({ ...without(json, old), ...made });
}

/** The names that the node uses in an item like this one: a field of the input would be taken for one of them. */
function namesBeside(json: IDataObject): string[] {
	const ofKind = 'level' in json ? ofReport : 'job' in json ? ofJob : [];
	return [...Object.keys(json), ...ofKind, ...ofFailure];
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
	const place = placeOf(context);
	const isContinued = continueOnFail(context);
	const inputs = context.getInputData();
	return outcomes.map(({ outcome, from }) => {
		const itemIndex = Array.isArray(from) ? (from[0] ?? 0) : from;
		const isRead = !ignoresInput && !Array.isArray(from);
		const given = (isRead ? inputs[itemIndex]?.json : undefined) ?? {};
		if (!(outcome instanceof ScreeningError)) {
			const { json } = outcome;
			const kept = includeInputFields ? without(given, namesBeside(json)) : {};
			return { ...outcome, json: { ...json, ...kept }, pairedItem: pairing(from) };
		}
		if (!isContinued) throw toNodeError(node, outcome, place, itemIndex);
		const item = toErrorItem(outcome, place, { itemIndex, alertText });
		if (isTool(context)) item.json.error = `${meaningOf(place)}: ${String(item.json.error)}`;
		// An item that stood for a failure before still names that one, and its alert is still true.
		const isEarlier = keepsInput && Boolean(given.error);
		const stale = [...verdicts, ...(keepsInput ? [] : ['report', 'evidence'])].filter(
			(name) => !(isEarlier && name === 'alert'),
		);
		if (outcome.known.withheld) stale.push(...privateKeysIn(given));
		const kept = keepsInput || includeInputFields ? without(given, stale) : {};
		const json = { ...item.json, ...(isEarlier ? kept : without(kept, Object.keys(item.json))) };
		if (node.onError !== 'continueErrorOutput') return { ...item, json };
		// n8n itself adds the input to what leaves by the error output.
		const hidden = Object.fromEntries(stale.map((name) => [name, undefined]));
		const shown = { ...item, json: { ...hidden, ...json } };
		return withHiddenError(shown, toNodeError(node, outcome, place, itemIndex));
	});
}

function without(json: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
}

/** The names of the fields that hold a private key. */
const privateKeysIn = (json: IDataObject) =>
	Object.keys(json).filter((name) => isPrivateKey(withoutEdges(String(json[name]))));

function pairing(from: number | number[]) {
	return Array.isArray(from) ? from.map((item) => ({ item })) : { item: from };
}
