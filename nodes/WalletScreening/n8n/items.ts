import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { withoutPrivateKeys, withoutRefused } from '../address/privateKey';
import { ofReport, verdicts } from '../risk/report';
import { ScreeningError } from '../service/errors';
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

/** What items hold beside their outcomes: nothing by default. */
interface ItemOptions {
	/** A failure has an alert. */
	alertText?: boolean;
	/** The fields of the input item are added, except what it says about a report; the output's win. */
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
		const given = (ignoresInput ? undefined : inputs[itemIndex]?.json) ?? {};
		if (!(outcome instanceof ScreeningError)) {
			const { json } = outcome;
			const kept = includeInputFields ? without(given, staleBeside(json, given)) : {};
			return { ...outcome, json: { ...kept, ...json }, pairedItem: pairing(from) };
		}
		if (!isContinued) throw toNodeError(node, outcome, place, itemIndex);
		const item = toErrorItem(outcome, place, { itemIndex, alertText });
		if (isTool(context)) item.json.error = `${meaningOf(place)}: ${String(item.json.error)}`;
		// n8n itself adds the input to what leaves by the error output, and stores the input of each node.
		const input = outcome.known.withheld ? withoutRefused(given) : withoutPrivateKeys(given);
		// An alert on an earlier failure is still true. Evidence is of what the item holds; a screening that failed holds nothing.
		const earlier = input.error ? verdicts.filter((name) => name !== 'alert') : verdicts;
		const stale = [...earlier, ...(keepsInput ? [] : ['evidence'])];
		const kept = keepsInput
			? without(input, stale)
			: includeInputFields
				? without(input, ofReport)
				: {};
		// An item that stood for a failure before still names that one.
		const isEarlier = keepsInput && Boolean(input.error);
		const json = isEarlier ? { ...item.json, ...kept } : { ...kept, ...item.json };
		if (node.onError !== 'continueErrorOutput') return { ...item, json };
		const hidden = Object.fromEntries(stale.map((name) => [name, undefined]));
		const masked = Object.entries(input).filter(([name, value]) => value !== given[name]);
		const shown = { ...item, json: { ...Object.fromEntries(masked), ...hidden, ...json } };
		return withHiddenError(shown, toNodeError(node, outcome, place, itemIndex));
	});
}

function without(json: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
}

/**
 * The fields of an input item that would be taken for new beside a result: what it says of a report, unless the result names
 * that very report and says nothing else of it, and an earlier failure of this node.
 */
function staleBeside(json: IDataObject, input: IDataObject): string[] {
	const isOfSame =
		input.report_id !== undefined &&
		json.report_id === input.report_id &&
		!ofReport.some((name) => name !== 'report_id' && name in json);
	const { errorClass } = (input.details ?? {}) as IDataObject;
	const failure = input.error && errorClass ? ['error', 'details'] : [];
	return [...(isOfSame ? [] : ofReport), ...failure];
}

function pairing(from: number | number[]) {
	return Array.isArray(from) ? from.map((item) => ({ item })) : { item: from };
}
