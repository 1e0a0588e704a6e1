import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { isOtherChain } from '../address/chain';
import { otherChainOfSpelling } from '../address/chainNames';
import { type AnyReport, extractReport, type Report, type ReportExtract } from '../answers/report';
import type { Client } from '../client/client';
import type { ItemSettings, ReportSettings } from '../description/reportSettings';
import { createAlert } from '../messages/alert';
import type { Alert } from '../messages/render';
import { isAllClear } from '../policy/allClear';
import { decide, type Decision } from '../policy/decision';
import { createEvidence, type Evidence, type Origin } from '../policy/evidence';
import {
	catchScreeningError,
	rethrowUnlessScreeningError,
	type Settled,
	wrapAsScreeningError,
} from '../shared/errors';
import { packageVersion } from '../shared/packageVersion';
import { sha256Hex } from '../shared/sha256';
import { type Context, workflowIdOf } from '../transport/context';
import { type PdfTarget, storePdf } from '../transport/pdf';
import { fieldsOnlyInWhole, fieldsAlwaysForAgent, fieldsOnlyInSimplified } from './itemFields';
import type { ReportItem, ServiceReport } from './outputItems';
import type { OutputItem, Run } from './run';

/*
 * From a report to its item. The second function calls the first, and the last two call the second:
 *
 *     createReportJson            for Decide, which puts the fields into the item that it has
 *     createServiceReportJson     for the trigger: its error names the report
 *     createReportItemWithPdf     for Screen and Report: Get: with the PDF
 *     ResultItems.createItems     for the results of a bulk job: or with the error in its place
 */

/** A report of any age and origin, with the request for it and the time at which it came. */
export interface ReceivedReport extends Origin {
	report: AnyReport;
	/** The address in the spelling of the input; undefined: that of the report. */
	address?: string | undefined;
	/** The chain that was meant, if it was named beside the address. */
	chain?: string | undefined;
	/** Whether the report was made for an earlier screening: then the summary shows its age. */
	isUsedAgain?: boolean;
}

/** What the user wants of the item of a report, by the options. Each part is off by default. */
export interface ReportForm {
	/** At most ten fields instead of the report. */
	simplify?: boolean;
	alertText?: boolean;
	/** The fields that an agent gets; undefined: those that `simplify` leaves. */
	outputFields?: readonly string[] | undefined;
}

/** What the node finds about a report when it makes its item. */
interface Findings {
	at: Date;
	/** The chain that was asked for, if the report is of another one. */
	askedChain: string | undefined;
	/** Undefined if the user wants no decision. */
	decision: Decision | undefined;
}

/** The JSON of the item of a report. */
interface ReportJson {
	json: IDataObject;
	/** Whether the report is an all-clear. The JSON may lack the fields that show it. */
	isAllClear: boolean;
}

/**
 * Makes the JSON of the item of a report: the verdict of the node at the top level, and beside it
 * the unchanged report. The form then selects the fields that leave the node: those of the whole
 * item, of the simplified one, or those that an agent gets.
 * @throws {ScreeningError} `invalid_response` for a report of which there can be no evidence
 */
export function createReportJson(
	context: Context,
	received: ReceivedReport,
	settings: ItemSettings,
	form: ReportForm,
): ReportJson {
	const { report, address = report.address } = received;
	const { reference, addEvidence } = settings;
	const findings = judge(received, settings);
	const { decision, askedChain } = findings;
	const serviceReport = report as object as ServiceReport;
	const evidenceKeepsReport = !isOutput('report', form);
	const selectsFields = form.simplify === true || form.outputFields !== undefined;
	const item: ReportItem & Partial<ReportExtract> = {
		...(decision && { outcome: decision.outcome }),
		...(decision?.sanctions && { sanctions: true }),
		...(decision && { summary: decision.summary }),
		level: serviceReport.risk.level,
		score: serviceReport.risk.score,
		address,
		chain: serviceReport.chain,
		...(askedChain !== undefined && { asked_chain: askedChain }),
		...(reference !== undefined && { reference }),
		...(selectsFields && extractReport(report)),
		report: serviceReport,
		...(decision && { reasons: decision.reasons }),
		...(form.alertText && { alert: alertOn(context, report, settings, findings) }),
		...(addEvidence && {
			evidence: evidenceOf(context, received, settings, findings, evidenceKeepsReport),
		}),
	};
	const whole = { json: item as object as IDataObject, isAllClear: isAllClear(item) };
	// Most runs output every field, and copying them would take longer than the decision.
	if (!selectsFields) return whole;
	const fields = Object.entries(item).filter(([name]) => isOutput(name, form));
	return { ...whole, json: Object.fromEntries(fields) as IDataObject };
}

/** Finds what the node itself says about a report. */
function judge(received: ReceivedReport, { policy, input }: ItemSettings): Findings {
	const { report, screenedAt, isUsedAgain } = received;
	const at = new Date();
	const earlierReportAt = isUsedAgain ? screenedAt : undefined;
	const askedChain = findAskedChain(received);
	const circumstances = { at, chain: askedChain, input, earlierReportAt };
	return { at, askedChain, decision: policy && decide(report, policy, circumstances) };
}

/**
 * Finds the chain that was asked for, if the report is of another one. Without the name of a chain
 * beside the address, the one in its spelling counts.
 */
function findAskedChain({ report, address, chain = '' }: ReceivedReport): string | undefined {
	if (chain !== '') return isOtherChain(chain, report.chain) ? chain : undefined;
	return address === undefined ? undefined : otherChainOfSpelling(address, report.chain);
}

/** Makes the message about a report. */
function alertOn(
	context: Context,
	report: AnyReport,
	{ policy, reference }: ReportSettings,
	findings: Findings,
): Alert {
	const timeZone = context.getTimezone();
	return createAlert(report, { ...findings, reference, timeZone, policy: policy?.record });
}

/**
 * Records what the decision on a report was based on. Evidence keeps the report if the item does
 * not hold it.
 */
function evidenceOf(
	context: Context,
	received: ReceivedReport,
	{ policy, reference, input }: ItemSettings,
	{ at, askedChain, decision }: Findings,
	keepsReport: boolean,
): Evidence {
	return createEvidence({
		...received,
		keepsReport,
		reference,
		askedChain,
		decisionRecord: policy && decision && { decision, policy, at, input },
		package: packageVersion,
		workflowId: workflowIdOf(context),
		// An ID that n8n does not give is empty.
		executionId: String(context.getExecutionId() ?? ''),
	});
}

/** Whether a field of the item of a report leaves the node. */
function isOutput(name: string, { simplify = false, outputFields }: ReportForm): boolean {
	if (outputFields) return [...fieldsAlwaysForAgent, ...outputFields].includes(name);
	const omitted = simplify ? fieldsOnlyInWhole : fieldsOnlyInSimplified;
	return !omitted.includes(name);
}

/**
 * Makes the JSON of the item of a report that the service sent.
 * @throws {ScreeningError} with the address and the ID of the report, also for a fault of this
 * package
 */
export function createServiceReportJson(
	context: Context,
	received: ReceivedReport & { report: Report },
	settings: ItemSettings,
	form: ReportForm,
): ReportJson {
	try {
		return createReportJson(context, received, settings, form);
	} catch (error) {
		const { report, address = report.address } = received;
		const { report_id } = report;
		throw wrapAsScreeningError(error).withDetails({ address, report_id });
	}
}

/**
 * Makes the item of a report that was just screened or fetched, with its PDF if there is a target
 * for it.
 * @throws {ScreeningError} with the item in its details if only the PDF failed, so that the address
 * is not screened again
 */
export async function createReportItemWithPdf(
	run: Run,
	client: Client,
	received: ReceivedReport & { report: Report },
	settings: ItemSettings,
	target: PdfTarget | undefined,
): Promise<OutputItem> {
	const { context, options: form } = run;
	const { report_id } = received.report;
	const stored = target && (await run.settle(() => storePdfOf(run, client, report_id, target)));
	const { pdfSha256, binary } = stored?.value ?? {};
	const { json } = createServiceReportJson(
		context,
		{ ...received, serviceNames: client.serviceNames, pdfSha256 },
		settings,
		form,
	);
	if (stored?.error) {
		const { report, address = report.address } = received;
		throw stored.error.withDetails({ address, report_id, reportItem: json });
	}
	return { json, ...(binary && { binary }) };
}

/** A PDF in the binary data of an item, and the digest of its bytes, in hex. */
interface StoredPdf {
	binary: IBinaryKeyData;
	pdfSha256: string;
}

/** Fetches the PDF of a report, and stores it. */
async function storePdfOf(
	{ context }: Run,
	client: Client,
	report_id: string,
	target: PdfTarget,
): Promise<StoredPdf> {
	const pdf = await getPdfOfReport(client, report_id);
	return {
		binary: await storePdf(context, pdf, report_id, target),
		pdfSha256: sha256Hex(pdf),
	};
}

/**
 * Gets the PDF of a report that is here.
 * @throws {ScreeningError} whose text explains how to get the PDF later, without a new screening
 */
async function getPdfOfReport(client: Client, report_id: string): Promise<Buffer> {
	try {
		return await client.getPdf(report_id);
	} catch (error) {
		const failure = rethrowUnlessScreeningError(error);
		throw failure.withText({
			message: `The report arrived, but its PDF did not: ${failure.message}`,
			description: `Get the PDF later with 'Report: Download PDF' and the report ID ${report_id}. This makes no new screening request.`,
		});
	}
}

/** The request that a result of a bulk job answers, its settings, and when the result came. */
interface ResultRequest extends Omit<ReceivedReport, 'report'> {
	client: Client;
	settings: ItemSettings;
}

/**
 * Makes the items of the results of one bulk job or list. No two of them share a report, because a
 * later node may change it in one.
 */
export class ResultItems {
	private readonly used = new Set<Report>();

	constructor(private readonly run: Run) {}

	/**
	 * Makes the item of a result, or the error in its place. An all-clear gives none if the user
	 * chose Only Not Green.
	 */
	createItems(result: Settled<Report>, request: ResultRequest): Array<Settled<OutputItem>> {
		const { client, settings, ...received } = request;
		if (result.error) {
			const { address } = received;
			return [{ error: result.error.withDetails({ address }) }];
		}
		const { context, account, options: form } = this.run;
		const { serviceNames } = client;
		const report = this.copyIfUsed(result.value);
		const { value, error } = catchScreeningError(() =>
			createServiceReportJson(context, { ...received, report, serviceNames }, settings, form),
		);
		if (error) return [{ error }];
		if (value.isAllClear && form.onlyNotGreen) {
			account.noteAllClearLeftOut();
			return [];
		}
		return [{ value: { json: value.json } }];
	}

	private copyIfUsed(report: Report): Report {
		if (this.used.has(report)) return structuredClone(report);
		this.used.add(report);
		return report;
	}
}
