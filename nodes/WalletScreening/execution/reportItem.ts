import type { IDataObject } from 'n8n-workflow';
import { isOtherChain } from '../address/key';
import { extractReport, type ReportExtract } from '../answers/extract';
import { type AnyReport, isGreen, type Report } from '../answers/report';
import type { Client } from '../client/client';
import type { DecisionSettings } from '../description/decision';
import type { Options } from '../description/options';
import { createAlert } from '../messages/alert';
import { decide } from '../policy/decision';
import { createEvidence, type Origin } from '../policy/evidence';
import { type Settled, wrapAsScreeningError } from '../shared/errors';
import { packageVersion } from '../shared/packageVersion';
import { type Context, workflowIdOf } from '../transport/n8n';
import type { Outcome, OutputItem } from './items';
import type { ReportItem, ServiceReport } from './outputItems';
import type { Run } from './run';

/** A report of any age and origin, with the request for it and the time at which it came. */
export interface ReceivedReport extends Origin {
	report: AnyReport;
	/** The address in the spelling of the input; undefined: that of the report. */
	address?: string | undefined;
	/** The chain that was meant. */
	chain?: string | undefined;
}

type Form = Partial<Pick<Options, 'simplify' | 'alertText' | 'outputFields'>>;

/** The item of a report: the verdict of the node, flat, and beside it what the service sent, untouched. */
export function reportJson(
	context: Context,
	{ report, address = report.address, chain, ...received }: ReceivedReport,
	{ policy, addEvidence, reference, input }: DecisionSettings,
	form: Form,
): IDataObject {
	const at = new Date();
	const askedChain = isOtherChain(chain, report.chain) ? chain : undefined;
	const decision = policy && decide(report, policy, { at, chain, input });
	const sent = report as object as ServiceReport;
	const item: ReportItem & ReportExtract = {
		...(decision && { outcome: decision.outcome }),
		...(decision?.sanctions && { sanctions: true }),
		...(decision && { summary: decision.summary }),
		level: sent.risk.level,
		score: sent.risk.score,
		address,
		chain: sent.chain,
		...(askedChain !== undefined && { asked_chain: askedChain }),
		...(reference !== undefined && { reference }),
		...extractReport(report),
		report: sent,
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

const extractFields = ['highest_category', 'highest_score', 'report_id', 'report_url'];
const longFields = ['report', 'reasons'];
/** What an agent gets in any case: the ID, and what speaks against an address. */
const obligatoryFields = ['report_id', 'outcome', 'sanctions', 'asked_chain'];

/** Whether a field of the item of a report leaves the node. */
function isOutput(name: string, { simplify = false, outputFields }: Form): boolean {
	if (outputFields) return [...obligatoryFields, ...outputFields].includes(name);
	return !(simplify ? longFields : extractFields).includes(name);
}

/** The item of a report, or its error: a fault in making it is the outcome of only this report. */
export function createReportItem(
	context: Context,
	received: ReceivedReport & { report: Report },
	decision: DecisionSettings,
	form: Form,
): Settled<OutputItem> {
	try {
		return { value: { json: reportJson(context, received, decision, form) } };
	} catch (error) {
		const { report, address = report.address } = received;
		const { report_id } = report;
		return { error: wrapAsScreeningError(error).withDetails({ address, report_id }) };
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
		return createReportItem(context, { ...received, report, serviceNames }, decision, options);
	}

	private unshared(report: Report): Report {
		if (this.used.has(report)) return structuredClone(report);
		this.used.add(report);
		return report;
	}
}

/** Leaves out the all-clears, if the user wants only the others, and counts them for the hint. */
export function withoutAllClear<One extends Outcome>(
	{ options, created }: Run,
	outcomes: One[],
): One[] {
	if (!options.onlyNotGreen) return outcomes;
	const kept = outcomes.filter((outcome) => !isAllClear(outcome));
	created.leftOut += outcomes.length - kept.length;
	return kept;
}

/** Whether a report gives no cause for concern: it is green, of the chain that was asked for, and the policy allows it. */
export function isAllClear({ value, error }: Settled<OutputItem>): boolean {
	if (error) return false;
	const { level, asked_chain, outcome = 'allow' } = value.json;
	return isGreen(level) && asked_chain === undefined && outcome === 'allow';
}
