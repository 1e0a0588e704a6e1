import type { IDataObject } from 'n8n-workflow';
import { alertOf } from '../risk/alert';
import { decide, type Rule } from '../risk/decision';
import { isGreen } from '../risk/level';
import { simplify } from '../risk/simplify';
import type { Report } from '../service/shapes';
import type { Outcome } from './items';
import { unexpected } from './run';

export interface Wanted {
	simplify?: boolean;
	alertText?: boolean;
	onlyNotGreen?: boolean;
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

/**
 * The item of one of many reports; undefined if it is left out (`onlyNotGreen`). `isShared`: another item has this report. A fault in making it is the outcome of
 * this report alone.
 */
export function reportOutcome(
	report: Report,
	wanted: Wanted,
	rules: Rule[] | undefined,
	isShared = false,
): Outcome | undefined {
	try {
		if (wanted.onlyNotGreen && isAllClear(report, rules)) return undefined;
		// Items must not share objects: a later node may change one of them.
		return { json: reportJson(isShared ? structuredClone(report) : report, wanted, rules) };
	} catch (error) {
		const { address, report_id } = report;
		return unexpected(error).with({ address, report_id });
	}
}

/** Whether a report gives no cause for concern: its level is green, and no rule stops it. */
function isAllClear(report: Report, rules: Rule[] | undefined): boolean {
	return isGreen(report.risk.level) && (!rules || decide(report, rules).outcome === 'allow');
}

function isOfAnotherChain({ chain: actual }: Report, asked: string | undefined): boolean {
	const said = typeof actual === 'string' ? actual.trim().toLowerCase() : '';
	return asked !== undefined && said !== asked.toLowerCase();
}
