import type { IDataObject } from 'n8n-workflow';
import { alertOf } from '../messages/alert';
import { decide } from '../policy/decision';
import { evidenceOf, type Origin } from '../policy/evidence';
import { extractOf } from '../policy/report';
import { isOtherChain } from '../address/chain';
import type { Client } from '../client/client';
import { ScreeningError } from '../shared/errors';
import type { AnyReport, Report } from '../answers/report';
import type { Context } from '../transport/context';
import type { DecisionSettings } from '../description/decision';
import type { ItemOrError, Paired } from './items';
import type { Options } from '../description/options';
import type { Evidence, ReportExtract, ReportItem, ServiceReport } from './outputItems';
import { packageVersion } from '../shared/packageVersion';
import { type Run, unexpected } from './run';
import { isGreen } from '../policy/level';

/** A report of any age and origin, who asked for it, and when it came. */
export interface Received extends Origin {
	report: AnyReport;
	/** As it was asked for. */
	address?: string | undefined;
	/** The chain that was asked for. */
	chain?: string | undefined;
}

type Form = Partial<Pick<Options, 'simplify' | 'alertText' | 'outputFields'>>;

/** The item of a report: what the node says of it, flat, and beside it what the service sent, untouched. */
export function reportJson(
	context: Context,
	{ report, address = report.address, chain, ...received }: Received,
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
		...extractOf(report),
		report: sent,
		...(decision && { reasons: decision.reasons }),
		...(form.alertText && {
			alert: alertOf(report, {
				decision,
				reference,
				at,
				timeZone: context.getTimezone(),
				policy: policy?.record,
				askedChain,
			}),
		}),
		...(addEvidence && {
			evidence: evidenceOf({
				report,
				keepsReport: !isOutput('report', form),
				reference,
				askedChain,
				decided: policy && decision && { decision, policy, at, input },
				...received,
				package: packageVersion,
				// An ID that n8n does not give is empty.
				workflowId: String(context.getWorkflow().id ?? ''),
				executionId: String(context.getExecutionId() ?? ''),
			}) as Evidence,
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

/** The item of a report. A fault in making it is the outcome of only this report. */
export function reportItem(
	context: Context,
	received: Received & { report: Report },
	deciding: DecisionSettings,
	form: Form,
): ItemOrError {
	try {
		return { json: reportJson(context, received, deciding, form) };
	} catch (error) {
		const { address: own, report_id } = received.report;
		const { address = own } = received;
		return unexpected(error).withDetails({ address, report_id });
	}
}

/** Who asked for a report, what is decided on it, and when it came. */
interface Inquiry extends Omit<Received, 'report'> {
	client: Client;
	deciding: DecisionSettings;
}

/** Makes the item of each report of a run, or its error. Items share no object, because a later node may change one of them. */
export function createReportItems({ context, options }: Run) {
	const used = new Set<Report>();
	return (found: Report | ScreeningError, { client, deciding, ...received }: Inquiry) => {
		if (found instanceof ScreeningError) {
			const { address } = received;
			return address === undefined ? found : found.withDetails({ address });
		}
		const report = used.has(found) ? structuredClone(found) : found;
		used.add(report);
		const { serviceNames } = client;
		return reportItem(context, { ...received, report, serviceNames }, deciding, options);
	};
}

/** Without the all-clears, if the user wants only the others. The hint says how many were left out. */
export function withoutAllClear<Outcome extends Paired>(
	{ options, created }: Run,
	outcomes: Outcome[],
): Outcome[] {
	if (!options.onlyNotGreen) return outcomes;
	const kept = outcomes.filter(({ result }) => !isAllClear(result));
	created.leftOut += outcomes.length - kept.length;
	return kept;
}

/** Whether a report gives no cause for concern: it is green, of the chain that was asked for, and the policy allows it. */
export function isAllClear(result: ItemOrError): boolean {
	if (result instanceof ScreeningError) return false;
	const { level, asked_chain, outcome = 'allow' } = result.json;
	return isGreen(level) && asked_chain === undefined && outcome === 'allow';
}
