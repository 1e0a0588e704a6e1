import type { IDataObject } from 'n8n-workflow';
import type { ReportExtract } from '../answers/report';
import { objectIn } from '../shared/json';
import type { JobItem, ReportItem } from './outputItems';

/*
 * Which fields of a report item leave the node, by the form of the item (whole, simplified, or for
 * an agent), and which fields of an input item may stand beside a failure. `reportFieldTraits` has
 * the fields of a whole item, and `change` and `verification`, which Compare and Verify add to their
 * input item. `fieldsOnlyIfSimplified` has those that a whole item has only in its report.
 */

type ReportFieldName = keyof ReportItem | 'change' | 'verification';

/**
 * When a field of the input item stays beside a failure:
 *
 * - `always`
 * - `ifOperationWorksOnItem`: otherwise the field may be of an earlier screening
 * - `ifInputIsFailure`: the operation works on the item, which already stood for a failure
 */
export type StayCondition = 'always' | 'ifOperationWorksOnItem' | 'ifInputIsFailure';

/** What becomes of a field of a report item in the other forms. A missing trait means no. */
interface ReportFieldTraits {
	/** A simplified item lacks it. */
	absentIfSimplified?: true;
	/** An agent gets it in any case, because it speaks against an address. */
	alwaysForAgent?: true;
	/** Without this, the field never stays beside a failure: it would be a verdict on what failed. */
	staysBesideFailure?: StayCondition;
	/** A new decision on the report keeps this field. It replaces or removes every other one. */
	staysIfDecidedAgain?: true;
}

/**
 * The fields of a report item in their order: the verdict first, then what the service sent.
 *
 * @example `reasons: { absentIfSimplified: true }`: a whole item has the reasons, a simplified one
 * lacks them, an agent gets them if they are selected, and they never stay beside a failure.
 */
const reportFieldTraits: Record<ReportFieldName, ReportFieldTraits> = {
	outcome: { alwaysForAgent: true },
	sanctions: { alwaysForAgent: true },
	summary: {},
	level: {},
	score: {},
	address: { staysBesideFailure: 'always' },
	chain: { staysBesideFailure: 'always' },
	asked_chain: { alwaysForAgent: true },
	reference: { staysBesideFailure: 'always' },
	report: {
		absentIfSimplified: true,
		staysBesideFailure: 'ifOperationWorksOnItem',
		staysIfDecidedAgain: true,
	},
	reasons: { absentIfSimplified: true },
	change: { staysIfDecidedAgain: true },
	alert: { staysBesideFailure: 'ifInputIsFailure' },
	evidence: { staysBesideFailure: 'ifOperationWorksOnItem' },
	verification: {},
};

const reportFields = Object.keys(reportFieldTraits) as ReportFieldName[];

const reportFieldsWith = (trait: keyof ReportFieldTraits): ReportFieldName[] =>
	reportFields.filter((name) => reportFieldTraits[name][trait]);

export const fieldsAbsentIfSimplified: readonly string[] = reportFieldsWith('absentIfSimplified');

/** The worst category in a simplified item: a verdict, which does not stay beside a failure. */
const highestRisk = ['highest_category', 'highest_score'] as const satisfies ReadonlyArray<
	keyof ReportExtract
>;

/** The fields of a simplified item that a whole one has only in its report. */
export const fieldsOnlyIfSimplified: readonly string[] = [
	...highestRisk,
	'report_id',
	'report_url',
] satisfies ReadonlyArray<keyof ReportExtract>;

/** The fields of an input item that do not stay beside a failure. */
export function fieldsAbsentBesideFailure(
	conditions: Readonly<Record<StayCondition, boolean>>,
): string[] {
	const absent = reportFields.filter((name) => {
		const condition = reportFieldTraits[name].staysBesideFailure;
		return condition === undefined || !conditions[condition];
	});
	return [...absent, ...highestRisk];
}

/** What an agent gets in any case: the ID of the report, and what speaks against an address. */
export const fieldsAlwaysForAgent: readonly string[] = [
	'report_id',
	...reportFieldsWith('alwaysForAgent'),
];

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
		const source = reportFieldTraits[name].staysIfDecidedAgain ? json : decision;
		if (name in source) decided[name] = source[name];
	}
	return { ...decided, ...withoutFields(json, reportFields) };
}

/** The fields that a new decision replaces or removes. */
export const fieldsOfDecision: readonly string[] = reportFields.filter(
	(name) => !reportFieldTraits[name].staysIfDecidedAgain,
);

/** Copies the fields, without those of these names. */
export function withoutFields(json: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
}

/** The JSON of an error item, which stands for what failed: only the fields that the node reads. */
interface ErrorItem {
	error: string;
	details: { errorClass: string; description?: string };
}

/** Whether the JSON of an item is that of an error item. */
export const isErrorItem = (json: { error?: unknown; details?: unknown }): json is ErrorItem =>
	json.error !== undefined && objectIn(json.details)?.errorClass !== undefined;

/**
 * The names that the node uses in an item like this one: a field of the input would be taken for
 * one of them. An item that gives a verdict may lack any of its fields, e.g. those that an agent
 * does not get.
 */
export function namesUsedIn(json: IDataObject, givesVerdict: boolean): string[] {
	const names = [...Object.keys(json), ...errorItemFields];
	if ('job' in json) return [...names, ...jobItemFields];
	return givesVerdict ? [...names, ...reportFields, ...fieldsOnlyIfSimplified] : names;
}
