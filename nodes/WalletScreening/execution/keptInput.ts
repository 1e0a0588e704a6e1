import type { IDataObject } from 'n8n-workflow';
import { containsPrivateKey } from '../address/privateKey';
import { cutRefused } from '../address/textRules';
import { fieldsAbsentBesideFailure } from '../description/reportFields';
import { isErrorItem } from '../shared/failureItem';
import { objectIn } from '../shared/json';
import { trimInvisible } from '../shared/text';
import type { OnError } from '../transport/onError';
import type { ErrorSite } from './errorSites';
import { isOfAnotherJob, jobItemFields, namesUsedIn, withoutFields } from './itemFields';

/*
 * The JSON of the item that leaves for an input item: what the node made, and what is kept of the
 * input. The examples have the input { id: 7, outcome: 'allow', report: R }, which holds an earlier
 * decision.
 */

/**
 * Which fields of the input are kept: none, those that the node has no field for, or all, because
 * the operation works on the item.
 */
export type KeptInput = 'none' | 'extra' | 'whole';

/**
 * Makes the JSON that leaves with a result. With `whole`, that is the result: an operation that works
 * on its item has already put its own fields into the input.
 *
 * @example
 *
 *     keeps    with the result { outcome: 'block', report: S }
 *     none     { outcome: 'block', report: S }
 *     extra    { outcome: 'block', report: S, id: 7 }
 *
 * If the operation gives no verdict, e.g. only { report_id }, then `extra` keeps the verdict of the
 * input, too: no reader would take it for one of this operation.
 */
export function addInputToResult(
	result: IDataObject,
	input: IDataObject,
	{ keeps, givesVerdict }: { keeps: KeptInput; givesVerdict: boolean },
): IDataObject {
	if (keeps !== 'extra') return result;
	return { ...result, ...withoutFields(input, namesUsedIn(result, input, givesVerdict)) };
}

/**
 * Makes the JSON that leaves with a failure. Of a field that both have, that of the failure counts,
 * unless the operation works on an item that already stood for one: the earlier failure is the cause.
 *
 * @example
 *
 *     keeps    with the failure { error, details }
 *     none     { error, details }
 *     extra    { error, details, id: 7 }
 *     whole    { error, details, id: 7, report: R }
 *
 * If the input already stands for a failure, as { error: E, details: D, alert: A, id: 7 }:
 *
 *     keeps    with the failure { error, details }
 *     none     { error, details }
 *     extra    { error, details, id: 7 }
 *     whole    { error: E, details: D, alert: A, id: 7 }
 *
 * At the error output, n8n itself adds each field of the input whose name is absent from the JSON,
 * also with `none`. A name set to undefined counts as present, so there the fields that must not
 * accompany a failure are set to undefined.
 */
export function addInputToFailure(
	failure: IDataObject,
	input: IDataObject,
	{ keeps, site, onError }: { keeps: KeptInput; site: ErrorSite | undefined; onError: OnError },
): IDataObject {
	const dropped = listDropped(failure, input, keeps, site);
	const kept = keeps === 'none' ? {} : withoutFields(input, dropped);
	// Those of the failure come first in the item. Named again at the end, they also win.
	const json = worksOnFailure(input, keeps)
		? { ...failure, ...kept }
		: { ...failure, ...kept, ...failure };
	if (onError !== 'errorOutput') return json;
	const droppedByN8n = Object.fromEntries(dropped.map((name) => [name, undefined])) as IDataObject;
	return { ...droppedByN8n, ...json };
}

/**
 * Lists the names of the fields of the input that are not kept beside a failure. `site` is where it
 * happened.
 */
function listDropped(
	failure: IDataObject,
	input: IDataObject,
	keeps: KeptInput,
	site: ErrorSite | undefined,
): string[] {
	const worksOnItem = keeps === 'whole';
	const verdicts = fieldsAbsentBesideFailure({
		always: true,
		ifOperationWorksOnItem: worksOnItem,
		ifInputIsFailure: worksOnFailure(input, keeps),
	});
	const fieldsOfAnother = worksOnItem
		? []
		: [
				...(isAboutAnotherAddress(failure, input) ? ['address'] : []),
				...(isAboutAnotherJob(failure, input, site) ? jobItemFields : []),
			];
	// A name may be one, too: a CSV file without a header has its first row as names.
	const privateKeys = Object.keys(input).filter((name) =>
		containsPrivateKey({ [name]: input[name] }),
	);
	return [...verdicts, ...fieldsOfAnother, ...privateKeys];
}

/**
 * Whether the input is of a job that a failure is not about. A failure that names no job is about
 * something new, unless the node asked the service for nothing: it refused the input, or had no key
 * to get the job with. Then the user needs the ID to try again.
 */
function isAboutAnotherJob(
	{ details }: IDataObject,
	input: IDataObject,
	site: ErrorSite | undefined,
): boolean {
	const { job_id, errorClass } = objectIn(details) ?? {};
	const asksForNothing = errorClass === 'invalid_input' || site === 'bulkJob.get';
	return (job_id !== undefined || !asksForNothing) && isOfAnotherJob(input, job_id);
}

/**
 * Whether a failure is about an address that was refused, of which it repeats the beginning or
 * nothing, and the input's field `address` holds another one. Beside the error, that one would be
 * taken for the refused one.
 */
function isAboutAnotherAddress({ address, details }: IDataObject, input: IDataObject): boolean {
	if (address !== undefined) return false;
	const { address: excerpt, withheld } = objectIn(details) ?? {};
	if (withheld !== undefined) return true;
	if (excerpt === undefined) return false;
	return typeof input.address !== 'string' || cutRefused(trimInvisible(input.address)) !== excerpt;
}

/** Whether an operation works on an item that already stood for a failure. */
function worksOnFailure(input: IDataObject, keeps: KeptInput): boolean {
	return keeps === 'whole' && isErrorItem(input);
}
