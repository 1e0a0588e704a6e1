import type { IDataObject } from 'n8n-workflow';
import { alertOf } from '../risk/alert';
import { decide, type Rule } from '../risk/decision';
import { isGreen } from '../risk/level';
import { simplify } from '../risk/simplify';
import type { Report } from '../service/shapes';

export interface Wanted {
	simplify?: boolean;
	alertText?: boolean;
}

/** A report as the JSON that the user asked for. Without rules there is no decision. `chain` is the one asked for. */
export function reportJson(
	report: Report,
	wanted: Wanted,
	rules: Rule[] | undefined,
	chain?: string,
): IDataObject {
	const fields = wanted.simplify ? simplify(report) : report;
	const decision = rules && decide(report, rules, chain);
	return {
		...fields,
		...(isOfAnotherChain(report, chain) && { asked_chain: chain }),
		...(decision && { decision }),
		...(wanted.alertText && { alert: alertOf(report, decision) }),
	} as IDataObject;
}

/** Whether a report gives no cause for concern: its level is green, and no rule stops it. */
export function isAllClear(report: Report, rules: Rule[] | undefined): boolean {
	return isGreen(report.risk.level) && (!rules || decide(report, rules).outcome === 'allow');
}

function isOfAnotherChain({ chain: actual }: Report, asked: string | undefined): boolean {
	const said = typeof actual === 'string' ? actual.trim().toLowerCase() : '';
	return asked !== undefined && said !== asked.toLowerCase();
}
