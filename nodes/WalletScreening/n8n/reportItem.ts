import type { IDataObject } from 'n8n-workflow';
import { alertOf } from '../risk/alert';
import { type Decision, decide } from '../risk/decision';
import { evidenceOf } from '../risk/evidence';
import { isGreen } from '../risk/level';
import { sameName } from '../risk/names';
import type { Policy } from '../risk/policy';
import { simplify } from '../risk/simplify';
import type { Report } from '../service/shapes';
import type { Context } from './context';
import type { Deciding } from './decision';
import { packageVersion } from './packageVersion';

/** A report that came, and how. */
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
}

/** In which workflow and execution of this n8n evidence is made. */
export interface Origin {
	package: string;
	workflowId: string;
	executionId: string;
}

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
		...(chain !== '' && !sameName(report.chain, chain) && { asked_chain: chain }),
		...(decision && { decision }),
		...(form.alertText && { alert: alertOf(report, decision) }),
		...(addEvidence && { evidence: evidence() }),
	} as IDataObject;
}

/** Whether a report gives no cause for concern: its level is green, and no rule stops it. */
export function isAllClear(report: Report, policy: Policy | undefined): boolean {
	return isGreen(report.risk.level) && (!policy || decisionOf(report, policy).outcome === 'allow');
}

/** The decision of now. */
export function decisionOf(report: Report, policy: Policy, chain = ''): Decision {
	return decide(report, policy, { at: new Date(), chain });
}
