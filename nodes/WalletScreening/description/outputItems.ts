import type { AddressCheck } from '../address/checkAddress';
import type { Alert } from '../messages/render';
import type { Change } from '../policy/change';
import type { Decision } from '../policy/decision';
import type { Evidence } from '../policy/evidence';
import type { Reason } from '../policy/reason';

/*
 * The JSON of the items that the action node outputs. `npm run schemas` generates `__schema__` from
 * it, which shows n8n's editor and assistant the fields of an item before the first screening.
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
