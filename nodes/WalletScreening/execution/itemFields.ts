import type { IDataObject } from 'n8n-workflow';
import type { JobItem } from '../description/outputItems';
import { fieldsOfDecision, reportFields } from '../description/reportFields';

/* How the fields of items are ordered, replaced and left out; `reportFields.ts` has the table. */

/** The fields of the item of a bulk job. */
export const jobItemFields: readonly string[] = [
	'job_id',
	'completed',
	'failed',
	'address_count',
	'addresses',
	'unread',
	'job',
] satisfies ReadonlyArray<keyof JobItem>;

/** The fields of an error item. */
export const errorItemFields: readonly string[] = ['error', 'details'];

/** Puts the fields of a report item first, and in their order. */
export function sortFields(json: IDataObject): IDataObject {
	const ordered: IDataObject = {};
	for (const name of reportFields) if (name in json) ordered[name] = json[name];
	return { ...ordered, ...json };
}

/**
 * Makes the item of a new decision on its report: the fields of the decision replace all of an
 * earlier one, in their order.
 */
export function replaceDecision(json: IDataObject, decision: IDataObject): IDataObject {
	const decided: IDataObject = {};
	for (const name of reportFields) {
		const source = fieldsOfDecision.includes(name) ? decision : json;
		if (name in source) decided[name] = source[name];
	}
	return { ...decided, ...withoutFields(json, reportFields) };
}

/** Copies the fields, without those of these names. */
export function withoutFields(json: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
}

/**
 * The names that the node uses in an item like this one: a field of the input would be taken for
 * one of them. An item that gives a verdict may lack any of its fields, e.g. those that an agent
 * does not get.
 */
export function namesUsedIn(json: IDataObject, givesVerdict: boolean): string[] {
	const names = [...Object.keys(json), ...errorItemFields];
	if ('job' in json) return [...names, ...jobItemFields];
	return givesVerdict ? [...names, ...reportFields] : names;
}
