import type { IDataObject } from 'n8n-workflow';
import { alertOf } from '../risk/alert';
import { type Decision, decide } from '../risk/decision';
import { evidenceOf } from '../risk/evidence';
import { isGreen } from '../risk/level';
import type { Policy } from '../risk/policy';
import { simplify } from '../risk/simplify';
import { isOtherChain } from '../service/chain';
import type { Report } from '../service/report';
import type { Context } from './context';
import type { Deciding } from './decision';
import type { Outcome } from './items';
import { packageVersion } from './packageVersion';
import { unexpected } from './run';

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

interface Form {
	simplify?: boolean;
	alertText?: boolean;
	onlyNotGreen?: boolean;
}

/** In which workflow and execution of this n8n evidence is made. */
export interface Origin {
	package: string;
	workflowId: string;
	executionId: string;
}

/** Where this execution makes evidence. An ID that n8n does not give is empty. */
export function originOf(context: Context): Origin {
	return {
		package: packageVersion,
		workflowId: String(context.getWorkflow().id ?? ''),
		executionId: String(context.getExecutionId() ?? ''),
	};
}

/** A report as the JSON that the user asked for. */
export function reportJson(
	{ report, chain = '', ...received }: Received,
	{ policy, addEvidence }: Deciding,
	form: Form,
	origin: Origin,
): IDataObject {
	const at = new Date();
	const decision = policy && decide(report, policy, { at, chain });
	const evidence = () =>
		evidenceOf({
			fields: report,
			isSimplified: form.simplify ?? false,
			...received,
			decided: policy && decision && { decision, policy, at },
			...origin,
		});
	return {
		...(form.simplify ? simplify(report) : report),
		...(isOtherChain(chain, report.chain) && { asked_chain: chain }),
		...(decision && { decision }),
		...(form.alertText && { alert: alertOf(report, decision) }),
		...(addEvidence && { evidence: evidence() }),
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
	const { report } = received;
	try {
		if (form.onlyNotGreen && isAllClear(report, deciding.policy)) return undefined;
		return { json: reportJson(received, deciding, form, origin) };
	} catch (error) {
		const { address, report_id } = report;
		return unexpected(error).with({ address, report_id });
	}
}

/** Whether a report gives no cause for concern: its level is green, and no rule stops it. */
function isAllClear(report: Report, policy: Policy | undefined): boolean {
	return isGreen(report.risk.level) && (!policy || decisionOf(report, policy).outcome === 'allow');
}

/** The decision of now. */
export function decisionOf(report: Report, policy: Policy, chain = ''): Decision {
	return decide(report, policy, { at: new Date(), chain });
}
