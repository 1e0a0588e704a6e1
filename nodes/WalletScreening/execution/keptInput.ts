import type { IDataObject } from 'n8n-workflow';
import { containsPrivateKey } from '../address/refusal';
import { absentInErrorItem, namesUsedIn, withoutFields } from './outputItems';

/**
 * Which fields of an input item stay in its output. If an item `{ id, outcome, alert, report }`
 * fails, it leaves as
 *
 *     none     { error, details }               nothing of the input
 *     extra    { error, details, id }           what the node has no field for
 *     whole    { error, details, id, report }   all, because the operation works on the item
 *
 * No verdict stays beside an error, so `outcome` and `alert` go. If the operation works on an item
 * that already stood for a failure, `error`, `details` and `alert` of that failure stay.
 */
export type KeptInput = 'none' | 'extra' | 'whole';

/**
 * What stays of an input item beside its result. An operation that works on the item has put it
 * into the result itself.
 */
export function keepBesideResult(
	input: IDataObject,
	result: IDataObject,
	keeps: KeptInput,
): IDataObject {
	return keeps === 'extra' ? withoutFields(input, namesUsedIn(result)) : {};
}

/** An input item whose failure leaves as an error item. */
interface InputBesideError {
	/** The fields that stay beside the error item. */
	kept: IDataObject;
	/** The names of the fields that must not. */
	stale: string[];
}

/** Divides an input item into what stays beside its error item, and what must not. */
export function divideInput(
	input: IDataObject,
	errorItem: IDataObject,
	keeps: KeptInput,
): InputBesideError {
	const stale = staleFields(input, keeps);
	if (keeps === 'none') return { kept: {}, stale };
	const fresh = withoutFields(input, stale);
	// Of a field that both have, that of this failure counts, unless the input item was one, too.
	const kept = stoodForFailure(input, keeps) ? fresh : withoutFields(fresh, Object.keys(errorItem));
	return { kept, stale };
}

/** The names of the fields of an input item that must not stay beside its failure. */
function staleFields(input: IDataObject, keeps: KeptInput): string[] {
	const keepsAlert = stoodForFailure(input, keeps);
	return [
		// They would be a verdict on what failed. The alert of an earlier failure is still true.
		...absentInErrorItem.filter((name) => name !== 'alert' || !keepsAlert),
		// They are of an earlier screening. An operation that works on the item works on them.
		...(keeps === 'whole' ? [] : ['report', 'evidence']),
		...Object.keys(input).filter((name) => containsPrivateKey(input[name])),
	];
}

/** Whether an operation works on an item that already stood for a failure. */
function stoodForFailure(input: IDataObject, keeps: KeptInput): boolean {
	return keeps === 'whole' && Boolean(input.error);
}
