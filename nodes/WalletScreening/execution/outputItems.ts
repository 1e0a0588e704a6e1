import type { IDataObject } from 'n8n-workflow';
import type { AddressCheck } from '../address/checkAddress';
import type { AddressRequest } from '../address/input';
import type { Job } from '../answers/jobAnswer';
import type { ReportExtract } from '../answers/report';
import type { Alert } from '../messages/alert';
import type { Change } from '../policy/change';
import type { Decision } from '../policy/decision';
import type { Evidence } from '../policy/evidence';
import type { Reason } from '../policy/reason';

/*
 * The JSON of the items that the action node outputs. `npm run schemas` makes the files in
 * `__schema__` of it, from which n8n's editor and assistant know the fields of an item before
 * anything was screened.
 */

/** The JSON of the items of each operation, as `resource.operation`. */
export interface OutputItems {
	'address.check': CheckedAddressItem;
	'address.screen': ReportItem;
	'alert.createDigest': DigestItem;
	'bulkJob.get': JobOrReportItem;
	'bulkJob.screenAndWait': ReportItem;
	'bulkJob.submit': JobItem;
	'decision.decide': DecisionItem;
	'decision.verify': VerificationItem;
	'report.compare': ComparisonItem;
	'report.downloadPdf': PdfItem;
	'report.get': ReportItem;
}

/**
 * A report as section 2.1 promises it. One that an item holds may lack any of it, and have more.
 */
export interface ServiceReport {
	report_id: string;
	address: string;
	chain: string;
	risk: {
		level: string;
		score: number;
		categories: {
			sanctions: number;
			darknet: number;
			mixer: number;
			scam: number;
			stolen: number;
			clean_exchange: number;
			[category: string]: unknown;
		};
		[field: string]: unknown;
	};
	/** The amount and the symbol of the asset. */
	balance: string;
	tx_count: number;
	report_url: string;
	[field: string]: unknown;
}

/** The verdict of the node on a report, flat, and the report as the service sent it. */
export interface ReportItem {
	/** Only with Add Decision, like `summary` and `reasons`. */
	outcome?: Decision['outcome'];
	/** True if a sanctions hit is among the reasons; otherwise the field is absent. */
	sanctions?: true;
	/** The outcome and why, in one line. */
	summary?: string;
	/** Level and score are as the report has them. In an item of Decide, they may be missing. */
	level: string;
	score: number;
	/** The address in the spelling of the input. */
	address: string;
	chain: string;
	/** The chain that was asked for, if the report is of another one. */
	asked_chain?: string;
	/** What the user calls the matter, e.g. the ID of a payment. */
	reference?: string;
	/** The report as the service sent it. It is not there with Simplify. */
	report: ServiceReport;
	reasons?: Reason[];
	/** Only with Alert Text. */
	alert?: Alert;
	/** Only with Add Evidence. */
	evidence?: Evidence;
}

/** A bulk job. */
export interface JobItem {
	job_id: string;
	completed: boolean;
	failed: boolean;
	address_count?: number;
	/** The addresses that were submitted, each with the chain that was meant, if there was one. */
	addresses?: Array<string | object>;
	/** What the node did not understand of the answer, e.g. a word of the state. */
	unread?: string[];
	/** The job as the service sent it. */
	job: object;
}

/** One job, or with Output set to Reports one report. */
export type JobOrReportItem = Partial<JobItem> & Partial<ReportItem>;

export interface PdfItem {
	report_id: string;
}

/* These keep the input item, and set their own fields in it. Usually it is the item of a report. */

export interface DecisionItem extends ReportItem {
	outcome: Decision['outcome'];
	sanctions?: true;
	summary: string;
	reasons: Reason[];
	[inputField: string]: unknown;
}

export interface ComparisonItem extends Partial<ReportItem> {
	change: Change;
	[inputField: string]: unknown;
}

export interface VerificationItem extends Partial<ReportItem> {
	verification: { valid: boolean; findings: string[] };
	[inputField: string]: unknown;
}

export interface CheckedAddressItem {
	check: AddressCheck & {
		/** The known address that begins and ends like this one. */
		lookalike_of: string | null;
	};
	[inputField: string]: unknown;
}

/** One message of all input items. */
export interface DigestItem {
	alert: Alert;
	counts: {
		block: number;
		failed: number;
		review: number;
		undecided: number;
		allow: number;
		worse: number;
		better: number;
	};
	total: number;
}

/*
 * Which fields of a report item leave the node, by the form of the item, as far as the item has
 * them; and which fields of an input item may stand beside a failure.
 *
 *                                            whole    simplified    for an agent    beside a failure
 *     outcome, sanctions, asked_chain        yes      yes           always          no
 *     summary, level, score, alert           yes      yes           if selected     no
 *     address, chain, reference, evidence    yes      yes           if selected     yes
 *     report                                 yes      no            if selected     yes
 *     reasons                                yes      no            if selected     no
 *     report_id                              no       yes           always          yes
 *     highest_…, report_url                  no       yes           if selected     yes
 *     change, verification                   -        -             -               no
 *
 * `isOutput` of `reportItem.ts` selects by the form, and `keptInput.ts` what stands beside a failure.
 * A whole item has `report_id` and its like only in its report, so they are in `onlyIfSimplified`,
 * and all others in `reportFieldTraits`. Compare and Verify add the last two to their input item, of
 * any form.
 */

type ReportFieldName = keyof ReportItem | 'change' | 'verification';

/**
 * What becomes of a field of a report item in the other forms of the item. A trait that is not
 * there does not hold.
 */
interface ReportFieldTraits {
	/** A simplified item lacks it. */
	absentIfSimplified?: true;
	/** An agent gets it in any case, because it speaks against an address. */
	alwaysForAgent?: true;
	/** An error item lacks it, because it holds no report to which the field could belong. */
	absentInErrorItem?: true;
	/** A new decision on the report keeps this field. It replaces or removes every other one. */
	staysIfDecidedAgain?: true;
}

/** The fields of a report item in their order: the verdict first, then what the service sent. */
const reportFieldTraits: Record<ReportFieldName, ReportFieldTraits> = {
	outcome: { alwaysForAgent: true, absentInErrorItem: true },
	sanctions: { alwaysForAgent: true, absentInErrorItem: true },
	summary: { absentInErrorItem: true },
	level: { absentInErrorItem: true },
	score: { absentInErrorItem: true },
	address: {},
	chain: {},
	asked_chain: { alwaysForAgent: true, absentInErrorItem: true },
	reference: {},
	report: { absentIfSimplified: true, staysIfDecidedAgain: true },
	reasons: { absentIfSimplified: true, absentInErrorItem: true },
	change: { absentInErrorItem: true, staysIfDecidedAgain: true },
	alert: { absentInErrorItem: true },
	evidence: {},
	verification: { absentInErrorItem: true },
};

const reportFields = Object.keys(reportFieldTraits) as ReportFieldName[];

const reportFieldsWith = (trait: keyof ReportFieldTraits): ReportFieldName[] =>
	reportFields.filter((name) => reportFieldTraits[name][trait]);

export const absentIfSimplified: readonly string[] = reportFieldsWith('absentIfSimplified');
export const absentInErrorItem: readonly string[] = reportFieldsWith('absentInErrorItem');

/** The fields of a simplified item that a whole one has only in its report. */
export const onlyIfSimplified: readonly string[] = [
	'highest_category',
	'highest_score',
	'report_id',
	'report_url',
] satisfies ReadonlyArray<keyof ReportExtract>;

/** What an agent gets in any case: the ID of the report, and what speaks against an address. */
export const alwaysForAgent: readonly string[] = [
	'report_id',
	...reportFieldsWith('alwaysForAgent'),
];

/** The fields of the item of a bulk job. */
const jobItemFields = [
	'job_id',
	'completed',
	'failed',
	'address_count',
	'addresses',
	'unread',
	'job',
] as const satisfies ReadonlyArray<keyof JobItem>;

/** The fields of an error item. */
const errorItemFields = ['error', 'details'];

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

/** The JSON of an error item, which stands for what failed, as far as it is read again. */
interface ErrorItem {
	error: string;
	details: { errorClass: string; description?: string };
}

/** Whether the JSON of an item is that of an error item. */
export const isErrorItem = (json: { error?: unknown; details?: unknown }): json is ErrorItem =>
	json.error !== undefined &&
	(json.details as Partial<ErrorItem['details']>)?.errorClass !== undefined;

/**
 * The names that the node uses in an item like this one: a field of the input would be taken for
 * one of them.
 */
export function namesUsedIn(json: IDataObject): string[] {
	const names = [...Object.keys(json), ...errorItemFields];
	if ('level' in json) return [...names, ...reportFields];
	return 'job' in json ? [...names, ...jobItemFields] : names;
}

/** Makes the JSON of a bulk job: its state, its requests if they are known, and the body. */
export function createJobJson(
	{ body, job_id, state, unread }: Job,
	addressCount: number | undefined,
	requests?: Array<string | AddressRequest>,
): IDataObject {
	const item: JobItem = {
		job_id,
		completed: state === 'complete',
		failed: state === 'failed',
		...(addressCount !== undefined && { address_count: addressCount }),
		...(requests && { addresses: requests }),
		...(unread.length > 0 && { unread }),
		job: body,
	};
	return item as object as IDataObject;
}
