import { z } from 'zod';
import { addressKey } from '../address/key';
import { isId } from './reader/values';
import { contentOf, type Fields, isFields, isFilled } from './json';

declare const checked: unique symbol;

/**
 * A report (section 2.1) of any age and origin. Any value but the address may be missing or of another type. Only the reader
 * of answers, and that of items, make one.
 */
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

const filled = z.string().refine(isFilled);
/** What every report has (sections 2.1 and 2.2) beside categories. All else passes as it came. */
const promised = z.object({
	report_id: z.string().refine(isId),
	address: filled,
	risk: z.object({ level: filled, score: z.number().finite() }),
});

/** Categories are fractions (section 2.3). A number below 0 usually says that nothing is known. */
const isShare = (value: unknown) => Number.isFinite(value) && (value as number) >= 0;

/** What fields lack of a report as section 2 promises it; undefined for a report. */
export function flawOfReport(fields: object, categories: string[]): string | undefined {
	const broken = promised.safeParse(fields).error?.issues[0]?.path.at(-1);
	if (broken !== undefined) return `'${String(broken)}' is missing or invalid`;
	const { risk } = fields as unknown as Report;
	const lacking = categories.find(
		(name) => !isFields(risk.categories) || !isShare(risk.categories[name]),
	);
	return lacking === undefined ? undefined : `'risk.categories.${lacking}' is no number from 0 up`;
}

/** The same for two reports that say the same of one address. */
export const contentOfReport = ({ address, chain, risk }: AnyReport) =>
	contentOf([addressKey(address), chain, risk]);
