import type { IDataObject } from 'n8n-workflow';
import { alertOf } from '../risk/alert';
import { type Decision, decide } from '../risk/decision';
import { evidenceOf } from '../risk/evidence';
import { apart, simplify } from '../risk/report';
import { isGreen } from '../risk/values';
import { isOtherChain } from '../service/chain';
import type { Client } from '../service/client';
import { ScreeningError } from '../service/errors';
import type { AnyReport, Report } from '../service/report';
import type { Context } from './context';
import type { Deciding } from './decision';
import type { Outcome } from './items';
import type { Options } from './options';
import { packageVersion } from './packageVersion';
import { type Run, unexpected } from './run';

/** A report that the service sent, for which chain, and when. */
export interface Received {
	report: Report;
	/** The chain that was asked for. */
	chain?: string | undefined;
	/** When the service made it, for a new one; when it was fetched, for one that was made before. */
	screenedAt?: Date;
	retrievedAt?: Date;
	pdf?: Buffer | undefined;
}

type Form = Partial<Pick<Options, 'simplify' | 'alertText' | 'onlyNotGreen'>>;

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

/** A report to decide on, and what evidence of it holds. */
type Subject = Omit<Received, 'report'> & {
	report: AnyReport;
	fields: object;
	isSimplified?: boolean;
};

/** What the node adds to a report, as the user wants it: the decision, an alert, evidence. */
export function verdictsOn(
	{ report, fields, chain, isSimplified = false, ...received }: Subject,
	{ policy, addEvidence, reference, input }: Deciding,
	alertText: boolean,
	origin: Origin,
) {
	const at = new Date();
	const askedChain = isOtherChain(chain, report.chain) ? chain : undefined;
	const decision = policy && decide(report, policy, { at, chain, input });
	const decided = policy && decision && { decision, policy, at, input };
	return {
		...(decision && { decision }),
		...(alertText && {
			alert: alertOf(report, { decision, reference, at, policy: policy?.record, askedChain }),
		}),
		...(addEvidence && {
			evidence: evidenceOf({
				...{ fields, isSimplified, reference, askedChain },
				...{ ...received, decided, ...origin },
			}),
		}),
	};
}

/** A report as the JSON that the user asked for. */
export function reportJson(
	received: Received,
	deciding: Deciding,
	{ simplify: isSimplified = false, alertText = false }: Form,
	origin: Origin,
): IDataObject {
	const report = apart(received.report);
	const { chain } = received;
	const subject = { ...received, report, fields: report, isSimplified };
	return {
		...(isSimplified ? simplify(report) : report),
		...(isOtherChain(chain, report.chain) && { asked_chain: chain }),
		...verdictsOn(subject, deciding, alertText, origin),
	} as IDataObject;
}

/**
 * The item of one of many reports; undefined if it is left out (`onlyNotGreen`). A fault in making it is the outcome of
 * only this report.
 */
export function reportOutcome(
	received: Received,
	deciding: Deciding,
	form: Form,
	origin: Origin,
): Outcome | undefined {
	try {
		if (form.onlyNotGreen && isAllClear(received, deciding)) return undefined;
		return { json: reportJson(received, deciding, form, origin) };
	} catch (error) {
		const { address, report_id } = received.report;
		return unexpected(error).with({ address, report_id });
	}
}

/** Who asked for a report, what is decided on it, and when it came. */
interface Inquiry extends Omit<Received, 'report'> {
	client: Client;
	address?: string;
	deciding: Deciding;
}

/**
 * Makes the outcomes of a run: the item of each report, or its error; undefined for what is left out (`onlyNotGreen`). Items
 * share no object, because a later node may change one of them.
 */
export function createReportItems({ context, options }: Run) {
	const used = new Set<Report>();
	return (
		found: Report | ScreeningError,
		{ client, address, deciding, ...received }: Inquiry,
	): Outcome | undefined => {
		// Another spelling of the address may have been sent.
		if (found instanceof ScreeningError)
			return address === undefined ? found : found.with({ address });
		const report = used.has(found) ? structuredClone(found) : found;
		used.add(report);
		const origin = originOf(context, client.serviceNames);
		return reportOutcome({ ...received, report }, deciding, options, origin);
	};
}

/** Whether a report gives no cause for concern: it is green, of the chain that was asked for, and the policy allows it. */
function isAllClear(received: Received, deciding: Deciding): boolean {
	const { report, chain } = received;
	if (!isGreen(report.risk.level) || isOtherChain(chain, report.chain)) return false;
	return (decisionOf(received, deciding)?.outcome ?? 'allow') === 'allow';
}

/** The decision of now; undefined if the user wants none. */
export function decisionOf(
	{ report, chain }: Received,
	{ policy, input }: Deciding,
): Decision | undefined {
	return policy && decide(report, policy, { at: new Date(), chain, input });
}
