import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { pdfOf } from '../n8n/pdf';
import type { Result } from '../n8n/outcomes';
import type { Screening } from '../n8n/screening';
import { alertOf } from '../risk/alert';
import { decide } from '../risk/decision';
import type { Policy } from '../risk/policy';
import { simplify } from '../risk/simplify';
import { about } from '../service/errors';
import type { Job } from '../service/jobs';
import type { Report } from '../service/schemas';

/** A report as the item that the user asked for. Without rules there is no decision. `chain` is the one asked for. */
export function reportJson(
	report: Report,
	wanted: { simplify?: boolean; alertText?: boolean },
	policy: Policy | undefined,
	chain = '',
): IDataObject {
	const fields = wanted.simplify ? simplify(report) : report;
	const decision = policy && decide(report, policy, { at: new Date(), chain });
	return {
		...fields,
		...(decision && { decision }),
		...(wanted.alertText && { alert: alertOf(report, decision) }),
	} as IDataObject;
}

/** A report as an item, with its PDF where the user asked for it. */
export async function reportResult(
	context: IExecuteFunctions,
	itemIndex: number,
	screening: Screening,
	report: Report,
	chain?: string,
): Promise<Result> {
	const json = reportJson(report, screening.options, screening.rules.get(itemIndex), chain);
	if (context.getNodeParameter('includePdf', itemIndex) !== true) return { json };
	const property = context.getNodeParameter('binaryPropertyName', itemIndex) as string;
	const { address, report_id } = report;
	const file = { property, fileName: `${report_id}.pdf` };
	return await about({ address, report_id }, async () => ({
		json,
		binary: await pdfOf(context, screening.client, report_id, file),
	}));
}

/**
 * A bulk job as an item: the service's body, and what can be said of it in any case. Where the service has something else
 * under one of these names, that is under `service`.
 */
export function jobJson(
	{ body, job_id, state }: Job,
	addressCount: number | undefined,
): IDataObject {
	const theirs = body as IDataObject;
	const ours: IDataObject = {
		job_id,
		completed: state === 'complete',
		failed: state === 'failed',
		...(addressCount !== undefined && { address_count: theirs.address_count ?? addressCount }),
	};
	const hidden = Object.keys(ours).filter((name) => name in theirs && theirs[name] !== ours[name]);
	const service = Object.fromEntries(hidden.map((name) => [name, theirs[name]]));
	return { ...theirs, ...ours, ...(hidden.length > 0 && { service }) };
}
