import type { IDataObject } from 'n8n-workflow';
import { alertOf } from '../risk/alert';
import { decide } from '../risk/decision';
import { evidenceOf } from '../risk/evidence';
import { flatRest } from '../risk/report';
import { isGreen } from '../risk/values';
import { isOtherChain } from '../service/chain';
import type { Client } from '../service/client';
import { ScreeningError } from '../service/errors';
import type { AnyReport, Report } from '../service/report';
import type { Context } from './context';
import type { DecisionSettings } from './decision';
import type { ItemOrError } from './items';
import type { Options } from './options';
import { packageVersion } from './packageVersion';
import { type Run, unexpected } from './run';

/** A report, for which address and chain somebody asked, and when it came. */
export interface Received {
	report: Report;
	/** As it was asked for. */
	address?: string | undefined;
	/** The chain that was asked for. */
	chain?: string | undefined;
	/** When the service made it, for a new one; when it was fetched, for one that was made before. */
	screenedAt?: Date;
	retrievedAt?: Date;
	pdf?: Buffer | undefined;
	/** How often the screening was sent. */
	sent?: number | undefined;
}

type Form = Partial<Pick<Options, 'simplify' | 'alertText' | 'onlyNotGreen' | 'timeZone'>>;

/**
 * In which workflow and execution of this n8n evidence is made, and with which names added to those that the nodes know of the
 * service. An ID that n8n does not give is empty.
 */
export function originOf(context: Context, serviceNames?: object) {
	return {
		serviceNames,
		package: packageVersion,
		workflowId: String(context.getWorkflow().id ?? ''),
		executionId: String(context.getExecutionId() ?? ''),
	};
}

export type Origin = ReturnType<typeof originOf>;

/** A report of any age and origin. */
type Subject = Omit<Received, 'report'> & { report: AnyReport };

/** The item of a report: what the node says of it, flat, and beside it what the service sent, untouched. */
export function reportJson(
	{ report, address = report.address, chain, ...received }: Subject,
	{ policy, addEvidence, reference, input }: DecisionSettings,
	{ simplify = false, alertText = false, timeZone }: Form,
	origin: Origin,
): IDataObject {
	const at = new Date();
	const askedChain = isOtherChain(chain, report.chain) ? chain : undefined;
	const decision = policy && decide(report, policy, { at, chain, input });
	const first = {
		...(decision && { outcome: decision.outcome, summary: decision.summary }),
		level: report.risk.level,
		score: report.risk.score,
		address,
		chain: report.chain,
		...(askedChain !== undefined && { asked_chain: askedChain }),
		...(reference !== undefined && { reference }),
	};
	return {
		...first,
		// No category takes the place of a field of the node.
		...(simplify ? { ...flatRest(report), ...first } : { report }),
		...(decision && { reasons: decision.reasons }),
		...(alertText && {
			alert: alertOf(report, {
				decision,
				reference,
				at,
				timeZone,
				policy: policy?.record,
				askedChain,
			}),
		}),
		...(addEvidence && {
			evidence: evidenceOf({
				report,
				keepsReport: simplify,
				reference,
				askedChain,
				decided: policy && decision && { decision, policy, at, input },
				...received,
				...origin,
			}),
		}),
	} as IDataObject;
}

/** The item of a report. A fault in making it is the outcome of only this report. */
export function reportItem(
	received: Received,
	deciding: DecisionSettings,
	form: Form,
	origin: Origin,
): ItemOrError {
	try {
		return { json: reportJson(received, deciding, form, origin) };
	} catch (error) {
		const { address: own, report_id } = received.report;
		const { address = own } = received;
		return unexpected(error).withDetails({ address, report_id });
	}
}

/** The same for one of many reports; undefined if it is left out (`onlyNotGreen`). */
export function reportOutcome(
	received: Received,
	deciding: DecisionSettings,
	form: Form,
	origin: Origin,
): ItemOrError | undefined {
	const item = reportItem(received, deciding, form, origin);
	const isLeftOut = form.onlyNotGreen && !(item instanceof ScreeningError) && isAllClear(item.json);
	return isLeftOut ? undefined : item;
}

/** Who asked for a report, what is decided on it, and when it came. */
interface Inquiry extends Omit<Received, 'report'> {
	client: Client;
	deciding: DecisionSettings;
}

/**
 * Makes the outcomes of a run: the item of each report, or its error; undefined for what is left out (`onlyNotGreen`). Items
 * share no object, because a later node may change one of them.
 */
export function createReportItems({ context, options }: Run) {
	const used = new Set<Report>();
	return (
		found: Report | ScreeningError,
		{ client, deciding, ...received }: Inquiry,
	): ItemOrError | undefined => {
		if (found instanceof ScreeningError) {
			const { address } = received;
			return address === undefined ? found : found.withDetails({ address });
		}
		const report = used.has(found) ? structuredClone(found) : found;
		used.add(report);
		const origin = originOf(context, client.serviceNames);
		return reportOutcome({ ...received, report }, deciding, options, origin);
	};
}

/** Whether a report gives no cause for concern: it is green, of the chain that was asked for, and the policy allows it. */
const isAllClear = ({ level, asked_chain, outcome = 'allow' }: IDataObject) =>
	isGreen(level) && asked_chain === undefined && outcome === 'allow';
