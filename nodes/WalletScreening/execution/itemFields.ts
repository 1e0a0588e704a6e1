import type { IDataObject } from 'n8n-workflow';

const namesOf = (names: string) => names.split(' ');

/** The fields of a report item in their order: the verdict of the node, flat, and what the service sent. */
const reportItemFields = namesOf(
	'outcome sanctions summary level score address chain asked_chain reference report reasons change alert evidence verification',
);
const jobItemFields = namesOf('job_id completed failed address_count addresses unread job');
const failureFields = ['error', 'details'];
/** The fields that a failed item lacks, because it holds no report to which they could belong. */
export const verdictFields = namesOf(
	'outcome sanctions summary level score asked_chain reasons change alert verification',
);

/** The fields of a report item first, and in their order. */
export function inFieldOrder(json: IDataObject): IDataObject {
	const ordered: IDataObject = {};
	for (const name of reportItemFields) if (name in json) ordered[name] = json[name];
	return { ...ordered, ...json };
}

/** The fields that stay in an item whose report is decided on again. */
const keptFields = ['report', 'change'];

/** An item with a new decision on its report: the fields of the new one replace all of an earlier one, in their order. */
export function withNewDecision(json: IDataObject, decision: IDataObject): IDataObject {
	const decided: IDataObject = {};
	for (const name of reportItemFields) {
		const source = keptFields.includes(name) ? json : decision;
		if (name in source) decided[name] = source[name];
	}
	for (const name in json) if (!reportItemFields.includes(name)) decided[name] = json[name];
	return decided;
}

/** The names that the node uses in an item like this one: a field of the input would be taken for one of them. */
export function namesUsedIn(json: IDataObject): string[] {
	const ofKind = 'level' in json ? reportItemFields : 'job' in json ? jobItemFields : [];
	return [...Object.keys(json), ...ofKind, ...failureFields];
}
