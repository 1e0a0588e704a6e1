import type { IDataObject } from 'n8n-workflow';
import type { ReportExtract } from '../answers/report';
import type { JobItem, ReportItem } from './outputItems';

/*
 * The fields of a report item, and what becomes of each: which of them leave the node in each form
 * of the item (whole, simplified, or for an agent), and which stay from an input item beside a
 * failure or a new decision. `reportFieldTraits` is the one table of it.
 */

/** A field of a report item. Compare and Verify add `change` and `verification` to theirs. */
type ReportFieldName = keyof ReportItem | keyof ReportExtract | 'change' | 'verification';

/**
 * When a field of the input item stays beside a failure:
 *
 * - `always`
 * - `ifOperationWorksOnItem`: otherwise the field may be of an earlier screening
 * - `ifInputIsFailure`: the operation works on the item, which already stood for a failure
 */
export type StayCondition = 'always' | 'ifOperationWorksOnItem' | 'ifInputIsFailure';

/** What becomes of a field. A missing trait means no. */
interface ReportFieldTraits {
	/** Only one form of the item has the field; without this, both have it. */
	onlyIn?: 'whole' | 'simplified';
	/** An agent gets it in any case: the ID of the report, and what speaks against an address. */
	alwaysForAgent?: true;
	/** Without this, the field never stays beside a failure: it would be a verdict on what failed. */
	staysBesideFailure?: StayCondition;
	/** A new decision on the report keeps this field. It replaces or removes every other one. */
	staysIfDecidedAgain?: true;
}

/**
 * The fields of a report item in their order: the verdict first, then what the service sent.
 *
 * @example `reasons: { onlyIn: 'whole' }`: a whole item has the reasons, a simplified one lacks
 * them, an agent gets them if they are selected, and they never stay beside a failure.
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
	highest_category: { onlyIn: 'simplified', staysIfDecidedAgain: true },
	highest_score: { onlyIn: 'simplified', staysIfDecidedAgain: true },
	report_id: {
		onlyIn: 'simplified',
		alwaysForAgent: true,
		staysBesideFailure: 'always',
		staysIfDecidedAgain: true,
	},
	report_url: { onlyIn: 'simplified', staysBesideFailure: 'always', staysIfDecidedAgain: true },
	report: {
		onlyIn: 'whole',
		staysBesideFailure: 'ifOperationWorksOnItem',
		staysIfDecidedAgain: true,
	},
	reasons: { onlyIn: 'whole' },
	change: { staysIfDecidedAgain: true },
	alert: { staysBesideFailure: 'ifInputIsFailure' },
	evidence: { staysBesideFailure: 'ifOperationWorksOnItem' },
	verification: {},
};

const reportFields = Object.keys(reportFieldTraits) as ReportFieldName[];

/** Lists the fields of a report item for whose traits the condition holds, in their order. */
const reportFieldsIf = (condition: (traits: ReportFieldTraits) => boolean): ReportFieldName[] =>
	reportFields.filter((name) => condition(reportFieldTraits[name]));

/** The fields that a simplified item lacks. */
export const fieldsOnlyInWhole: readonly string[] = reportFieldsIf(
	({ onlyIn }) => onlyIn === 'whole',
);

/** The fields of a simplified item that a whole one has only in its report. */
export const fieldsOnlyInSimplified: readonly string[] = reportFieldsIf(
	({ onlyIn }) => onlyIn === 'simplified',
);

/** The fields that an agent gets, whichever are selected. */
export const fieldsAlwaysForAgent: readonly string[] = reportFieldsIf(
	({ alwaysForAgent }) => alwaysForAgent === true,
);

/** The fields that a new decision replaces or removes. */
export const fieldsOfDecision: readonly string[] = reportFieldsIf(
	({ staysIfDecidedAgain }) => !staysIfDecidedAgain,
);

/** Lists the fields of an input item that do not stay beside a failure. */
export function fieldsAbsentBesideFailure(
	conditions: Readonly<Record<StayCondition, boolean>>,
): readonly string[] {
	return reportFieldsIf(
		({ staysBesideFailure }) => !staysBesideFailure || !conditions[staysBesideFailure],
	);
}

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
