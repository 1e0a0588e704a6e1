import type { IDataObject } from 'n8n-workflow';
import { isOtherChainName, otherChainOfSpelling } from '../address/chain';
import { type AnyReport, extractReport, type Report, type ReportExtract } from '../answers/report';
import type { ReportItem, ServiceReport } from '../description/outputItems';
import {
	fieldsAlwaysForAgent,
	fieldsOnlyInSimplified,
	fieldsOnlyInWhole,
} from '../description/reportFields';
import type { ReportForm } from '../description/reportForm';
import type { ItemSettings, ReportSettings } from '../description/reportSettings';
import { createAlert } from '../messages/alert';
import type { Alert } from '../messages/render';
import { isAllClear } from '../policy/allClear';
import { decide, type Decision } from '../policy/decision';
import { createEvidence, type Evidence, type Origin } from '../policy/evidence';
import { type ScreeningError, wrapAsScreeningError } from '../shared/errors';
import { packageVersion } from '../shared/packageVersion';
import { type Context, workflowIdOf } from '../transport/context';

/*
 * From a report to the JSON of its item. For a report that the service just sent, an error has to
 * name the report, because it may be billed:
 *
 *     createReportJson           for Decide, whose item holds the report, and for `resultItems.ts`, which
 *                                names it itself, because its copy of a report may fail, too
 *     createServiceReportJson    for all others: names the report in an error
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

/** What the node finds about a report when it makes its item. */
interface Findings {
	at: Date;
	/** The chain that was asked for, if the report is of another one. */
	askedChain: string | undefined;
	/** Undefined if the user wants no decision. */
	decision: Decision | undefined;
}

/** The JSON of the item of a report. */
export interface ReportJson {
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

/** Finds what the node itself adds to a report: the asked chain and the decision. */
function judge(received: ReceivedReport, { policy, input }: ItemSettings): Findings {
	const { report, screenedAt, isUsedAgain } = received;
	const at = new Date();
	const earlierReportAt = isUsedAgain ? screenedAt : undefined;
	const askedChain = findAskedChain(received);
	const circumstances = { at, askedChain, input, earlierReportAt };
	return { at, askedChain, decision: policy && decide(report, policy, circumstances) };
}

/**
 * Finds the chain that was asked for, if the report is of another one. Without the name of a chain
 * beside the address, the one in its spelling counts.
 */
function findAskedChain({ report, address, chain = '' }: ReceivedReport): string | undefined {
	if (chain !== '') return isOtherChainName(chain, report.chain) ? chain : undefined;
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
		throw nameReport(error, received.report, received.address);
	}
}

/** Turns what was thrown while a report was processed into an error that names the report. */
export function nameReport(
	thrown: unknown,
	{ report_id, address: reportAddress }: Report,
	address = reportAddress,
): ScreeningError {
	return wrapAsScreeningError(thrown).withDetails({ address, report_id });
}
