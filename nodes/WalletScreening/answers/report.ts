import { addressKey } from '../address/key';
import type { ServiceNames } from './contract';
import { isId } from './values';
import { contentOf, type Fields, isFields, isFilled } from '../service/json';

declare const checked: unique symbol;

/** A report (section 2.1) of any origin: all but the address may be missing or of another type. Only the two readers make one. */
export interface AnyReport {
	readonly [checked]: true;
	report_id?: unknown;
	address: string;
	chain?: unknown;
	risk: { level?: unknown; score?: unknown; categories?: unknown };
	balance?: unknown;
	tx_count?: unknown;
	report_url?: unknown;
}

/** A report as section 2 promises it, with a number for each category. */
export interface Report extends AnyReport {
	report_id: string;
	risk: { level: string; score: number; categories: Fields };
}

/** What is lacking of a report as section 2 promises it, and the categories that it has; undefined if nothing is. */
export function lackOf({ report_id, address, risk }: AnyReport, categories: string[]) {
	const promised = {
		report_id: isFilled(report_id) && isId(report_id),
		address: isFilled(address),
		level: isFilled(risk.level),
		score: Number.isFinite(risk.score),
	};
	const [broken] = Object.entries(promised).find(([, is]) => !is) ?? [];
	if (broken !== undefined) return { flaw: `'${broken}' is missing or invalid` };
	const scores = isFields(risk.categories) ? risk.categories : {};
	const own = Object.keys(scores).filter((name) => Number.isFinite(scores[name]));
	// Categories are fractions (section 2.3). A number below 0 usually says that nothing is known.
	const lacking = categories.find((name) => !own.includes(name) || (scores[name] as number) < 0);
	if (lacking === undefined) return undefined;
	const add: ServiceNames | undefined = own.length > 0 ? { categories: own } : undefined;
	return { flaw: `'risk.categories.${lacking}' is no number from 0 up`, add };
}

/** The same for two reports that say the same of one address. */
export const contentOfReport = ({ address, chain, risk }: AnyReport) =>
	contentOf([addressKey(address), chain, risk]);
