import type { IDataObject } from 'n8n-workflow';
import type { JobItem } from '../description/outputItems';
import { fieldsOfDecision, reportFields } from '../description/reportFields';
import { hasValue } from '../shared/json';
import { trimInvisible } from '../shared/text';

/* How the fields of items are ordered, replaced and left out; `reportFields.ts` has the table. */

/**
 * The fields of the item of a bulk job, and of what each holds: of the job, so that it is true for
 * the job at all times, or of one answer about it.
 */
const jobFieldSubjects: Record<keyof JobItem, 'job' | 'answer'> = {
	job_id: 'job',
	completed: 'answer',
	failed: 'answer',
	address_count: 'job',
	addresses: 'job',
	unread: 'answer',
	job: 'answer',
};
export const jobItemFields = Object.keys(jobFieldSubjects) as Array<keyof JobItem>;
const fieldsOfJobAnswer = jobItemFields.filter((name) => jobFieldSubjects[name] === 'answer');

/** Whether an item is of another job than this one. A table may hold the ID as a number. */
export const isOfAnotherJob = (item: IDataObject, job_id: unknown): boolean =>
	hasValue(item.job_id) && trimInvisible(String(item.job_id)) !== job_id;

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
 * does not get. The item of a job keeps what the input holds of the same job: the addresses that were
 * submitted, by which a later Get finds out which of them has no result.
 */
export function namesUsedIn(
	json: IDataObject,
	input: IDataObject,
	givesVerdict: boolean,
): readonly string[] {
	const names = [...Object.keys(json), ...errorItemFields];
	if ('job' in json) {
		const isOfAnother = isOfAnotherJob(input, json.job_id);
		return [...names, ...(isOfAnother ? jobItemFields : fieldsOfJobAnswer)];
	}
	return givesVerdict ? [...names, ...reportFields] : names;
}
