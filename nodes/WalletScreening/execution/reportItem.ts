import type { IDataObject } from 'n8n-workflow';
import { isOtherChain } from '../address/key';
import {
	type AnyReport,
	extractReport,
	isGreen,
	type Report,
	type ReportExtract,
} from '../answers/report';
import type { Client } from '../client/client';
import type { DecisionSettings } from '../description/decision';
import { createAlert } from '../messages/alert';
import { decide } from '../policy/decision';
import { createEvidence, type Origin } from '../policy/evidence';
import { sha256 } from '../shared/canonical';
import {
	rethrowUnlessScreeningError,
	settle,
	type Settled,
	wrapAsScreeningError,
} from '../shared/errors';
import { packageVersion } from '../shared/packageVersion';
import { type Context, workflowIdOf } from '../transport/n8n';
import { type PdfTarget, storePdf } from '../transport/pdf';
import {
	extractFields,
	longFields,
	obligatoryFields,
	type ReportItem,
	type ServiceReport,
} from './outputItems';
import type { Outcome, OutputItem, Run } from './run';

/** A report of any age and origin, with the request for it and the time at which it came. */
export interface ReceivedReport extends Origin {
	report: AnyReport;
	/** The address in the spelling of the input; undefined: that of the report. */
	address?: string | undefined;
	/** The chain that was meant. */
	chain?: string | undefined;
}

/** What the user wants of the item of a report. Each part is off by default. */
export interface ReportForm {
	/** At most ten fields instead of the report. */
	simplify?: boolean;
	alertText?: boolean;
	/** The fields that an agent gets; undefined: those that `simplify` leaves. */
	outputFields?: readonly string[] | undefined;
}

/** The item of a report: the verdict of the node, flat, and beside it what the service sent, untouched. */
export function createReportJson(
	context: Context,
	{ report, address = report.address, chain, ...received }: ReceivedReport,
	{ policy, addEvidence, reference, input, earlierReportAt }: DecisionSettings,
	form: ReportForm,
): IDataObject {
	const at = new Date();
	const askedChain = isOtherChain(chain, report.chain) ? chain : undefined;
	const decision = policy && decide(report, policy, { at, chain, input, earlierReportAt });
	const serviceReport = report as object as ServiceReport;
	const item: ReportItem & ReportExtract = {
		...(decision && { outcome: decision.outcome }),
		...(decision?.sanctions && { sanctions: true }),
		...(decision && { summary: decision.summary }),
		level: serviceReport.risk.level,
		score: serviceReport.risk.score,
		address,
		chain: serviceReport.chain,
		...(askedChain !== undefined && { asked_chain: askedChain }),
		...(reference !== undefined && { reference }),
		...extractReport(report),
		report: serviceReport,
		...(decision && { reasons: decision.reasons }),
		...(form.alertText && {
			alert: createAlert(report, {
				decision,
				reference,
				at,
				timeZone: context.getTimezone(),
				policy: policy?.record,
				askedChain,
			}),
		}),
		...(addEvidence && {
			evidence: createEvidence({
				report,
				keepsReport: !isOutput('report', form),
				reference,
				askedChain,
				decisionRecord: policy && decision && { decision, policy, at, input },
				...received,
				package: packageVersion,
				workflowId: workflowIdOf(context),
				// An ID that n8n does not give is empty.
				executionId: String(context.getExecutionId() ?? ''),
			}),
		}),
	};
	const fields = Object.entries(item).filter(([name]) => isOutput(name, form));
	return Object.fromEntries(fields) as IDataObject;
}

/** Whether a field of the item of a report leaves the node. */
function isOutput(name: string, { simplify = false, outputFields }: ReportForm): boolean {
	if (outputFields) return [...obligatoryFields, ...outputFields].includes(name);
	const left: readonly string[] = simplify ? longFields : extractFields;
	return !left.includes(name);
}

/**
 * The item of a report.
 * @throws {ScreeningError} with the address and the ID of the report, also for a fault of this package
 */
export function createReportItem(
	context: Context,
	received: ReceivedReport & { report: Report },
	settings: DecisionSettings,
	form: ReportForm,
): OutputItem {
	try {
		return { json: createReportJson(context, received, settings, form) };
	} catch (error) {
		const { report, address = report.address } = received;
		const { report_id } = report;
		throw wrapAsScreeningError(error).withDetails({ address, report_id });
	}
}

/**
 * The item of a report that was just made or fetched, with its PDF if there is a target for it.
 * @throws {ScreeningError} with the item in its details if only the PDF failed, so that the address is not screened again
 */
export async function createReportItemWithPdf(
	run: Run,
	client: Client,
	received: ReceivedReport & { report: Report },
	settings: DecisionSettings,
	target: PdfTarget | undefined,
): Promise<OutputItem> {
	const { context, options } = run;
	const { serviceNames } = client;
	const { report_id } = received.report;
	const fetched =
		target &&
		(await run.settle(async () => {
			const pdf = await getPdfLater(client, report_id);
			return { pdf, binary: await storePdf(context, pdf, report_id, target) };
		}));
	const { pdf, binary } = fetched?.value ?? {};
	const whole: typeof received = {
		...received,
		serviceNames,
		pdfSha256: pdf && sha256(pdf),
	};
	const { json } = createReportItem(context, whole, settings, options);
	if (fetched?.error) {
		const details = { address: String(json.address), report_id, reportItem: json };
		throw fetched.error.withDetails(details);
	}
	return { json, ...(binary && { binary }) };
}

/** The PDF of a report that is here. The error's text explains how to get the PDF later, without a new screening. */
async function getPdfLater(client: Client, report_id: string): Promise<Buffer> {
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

/** The request for a result of a bulk job, the policy for it, and the time at which it came. */
interface ResultRequest extends Omit<ReceivedReport, 'report'> {
	client: Client;
	decision: DecisionSettings;
}

/** Makes the item of each result of a run. Items share no object, because a later node may change one of them. */
export class ResultItems {
	private readonly used = new Set<Report>();

	constructor(private readonly run: Run) {}

	itemOf(result: Settled<Report>, request: ResultRequest): Settled<OutputItem> {
		const { client, decision, ...received } = request;
		if (result.error) {
			const { address } = received;
			return address === undefined ? result : { error: result.error.withDetails({ address }) };
		}
		const { context, options } = this.run;
		const { serviceNames } = client;
		const report = this.unshared(result.value);
		return settle(() =>
			createReportItem(context, { ...received, report, serviceNames }, decision, options),
		);
	}

	private unshared(report: Report): Report {
		if (this.used.has(report)) return structuredClone(report);
		this.used.add(report);
		return report;
	}
}

/** Leaves out the all-clears, if the user wants only the others, and counts them for the hint. */
export function withoutAllClear<One extends Outcome>(run: Run, outcomes: One[]): One[] {
	if (!run.options.onlyNotGreen) return outcomes;
	const kept = outcomes.filter((outcome) => !isAllClear(outcome));
	run.leftOut += outcomes.length - kept.length;
	return kept;
}

/** Whether a report gives no cause for concern: it is green, of the chain that was asked for, and the policy allows it. */
export function isAllClear({ value, error }: Settled<OutputItem>): boolean {
	if (error) return false;
	const { level, asked_chain, outcome = 'allow' } = value.json;
	return isGreen(level) && asked_chain === undefined && outcome === 'allow';
}
