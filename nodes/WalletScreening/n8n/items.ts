import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { ofReport } from '../risk/report';
import { ScreeningError } from '../service/errors';
import { meaningOf, type Place } from './advice';
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

/** Whether failures leave as items: On Error is to continue, or the answer is for an AI agent, whose run an error would end. */
export function goesOn(context: IExecuteFunctions): boolean {
	return context.continueOnFail() || isTool(context);
}

/** What items hold beside their outcomes: nothing by default. */
interface ItemOptions {
	/** A failure has an alert. */
	alertText?: boolean;
	/** The fields of the input item are added, except what it says about a report; the output's win. */
	includeInputFields?: boolean;
	/**
	 * A failed item keeps all that it said, except the field of this name, which would be that of an earlier run: an item that
	 * stood for a failure before still names that one.
	 */
	keepsFailedInputWithout?: string;
}

function without(json: IDataObject | undefined, names: string[]): IDataObject {
	return Object.fromEntries(Object.entries(json ?? {}).filter(([name]) => !names.includes(name)));
}

/** What an item says of a report, which would be taken for new: nothing if only the PDF of that very report is added. */
function olderIn({ report_id }: IDataObject, outcome: Outcome): string[] {
	if (outcome instanceof ScreeningError || report_id === undefined) return ofReport;
	const { json } = outcome;
	const isOfSame = json.report_id === report_id && !('risk' in json) && !('risk_level' in json);
	return isOfSame ? [] : ofReport;
}

/** The same, and an earlier failure of this node, for which an item with a report would be taken. */
function staleIn(given: IDataObject, outcome: Outcome): string[] {
	const { errorClass } = (given.details ?? {}) as IDataObject;
	return [...olderIn(given, outcome), ...(given.error && errorClass ? ['error', 'details'] : [])];
}

/** Outcomes as n8n's items. Throws the first failure, as n8n's error, unless the user chose to continue. */
export function toItems(
	context: IExecuteFunctions,
	place: Place,
	outcomes: Paired[],
	{
		alertText = false,
		includeInputFields = false,
		keepsFailedInputWithout: earlier,
	}: ItemOptions = {},
): INodeExecutionData[] {
	const node = context.getNode();
	const isContinued = goesOn(context);
	const inputs = includeInputFields || earlier ? context.getInputData() : [];
	return outcomes.map(({ outcome, from }) => {
		const itemIndex = Array.isArray(from) ? (from[0] ?? 0) : from;
		const given = inputs[itemIndex]?.json;
		const input =
			given && without(given, earlier === undefined ? staleIn(given, outcome) : [earlier]);
		if (!(outcome instanceof ScreeningError)) {
			const json = includeInputFields ? { ...input, ...outcome.json } : outcome.json;
			return { ...outcome, json, pairedItem: pairing(from) };
		}
		if (!isContinued) throw toNodeError(node, outcome, place, itemIndex);
		const item = toErrorItem(outcome, place, { itemIndex, alertText });
		if (isTool(context)) item.json.error = `${meaningOf(place)}: ${String(item.json.error)}`;
		if (node.onError === 'continueErrorOutput') {
			return withHiddenError(item, toNodeError(node, outcome, place, itemIndex));
		}
		if (earlier !== undefined && input?.error) {
			return { ...item, json: { ...item.json, ...input } };
		}
		return input ? { ...item, json: { ...input, ...item.json } } : item;
	});
}

function pairing(from: number | number[]) {
	return Array.isArray(from) ? from.map((item) => ({ item })) : { item: from };
}
