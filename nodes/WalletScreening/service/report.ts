import { z } from 'zod';
import { addressKey } from '../address/key';
import { lettersOf } from './dialect/values';
import { contentOf, contradictionIn, type Fields, isFields, isFilled, quoted } from './json';

declare const checked: unique symbol;

/**
 * A report (section 2.1) of any age and origin that does not contradict itself. Any value but the address may be missing or
 * of another type. Only `readReport` and the reader of answers make one.
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

/** A report as section 2 promises it, with a number for each category of the dialect. */
export interface Report extends AnyReport {
	report_id: string;
	risk: { level: string; score: number; categories: Fields };
}

const filled = z.string().refine(isFilled);
/** What every report has (sections 2.1 and 2.2). All else passes as it came. */
const promised = z.object({
	report_id: filled,
	risk: z.object({ level: filled, score: z.number().finite() }),
});
/** The name of the first field that section 2 promises and that is missing or invalid. */
export const brokenPromiseIn = (fields: Fields) =>
	promised.safeParse(fields).error?.issues[0]?.path.at(-1);

/** Categories are fractions (section 2.3). A number below 0 usually says that nothing is known. */
export const isShare = (value: unknown) => Number.isFinite(value) && (value as number) >= 0;

/** A report, or why a value is none. */
export interface Reading<R = AnyReport> {
	report?: R;
	flaw?: string;
}

/** The fields of the simplified form, by their letters. */
const simplified: Record<string, string> = {
	...{ risklevel: 'level', riskscore: 'score', riskcategories: 'categories' },
};

/** Those that a value has; null says nothing. */
const simpleIn = (fields: Fields) =>
	Object.keys(fields).filter(
		(name) => Object.hasOwn(simplified, lettersOf(name)) && (fields[name] ?? null) !== null,
	);

/** The risk that fields hold, whole or, only if that is missing, simplified. */
function riskIn(fields: Fields): unknown {
	const simple = simpleIn(fields).map((name) => [simplified[lettersOf(name)], fields[name]]);
	if (fields.risk !== undefined || simple.length === 0) return fields.risk;
	return Object.fromEntries(simple);
}

/** The report that fields are, whole or simplified. Its `risk` is whole then, and all else as it came. */
export function readReport(fields: Fields): Reading {
	const flaw = whyNone(fields);
	if (flaw !== undefined) return { flaw };
	return { report: { ...fields, risk: riskIn(fields) } as unknown as AnyReport };
}

/** Why fields are no report; undefined if they are one. */
export function whyNone(fields: Fields): string | undefined {
	if (!isFilled(fields.address)) return "'address' is missing";
	const risk = riskIn(fields);
	if (!isFields(risk))
		return risk === undefined
			? "neither 'risk' nor 'risk_level' is there"
			: "'risk' is not an object";
	const other = simpleIn(fields).find(
		(name) => !agree(fields[name], risk[simplified[lettersOf(name)]!]),
	);
	if (other !== undefined) return `'${other}' and another field say two things of the risk`;
	return twice(risk) ?? (isFields(risk.categories) ? twice(risk.categories) : undefined);
}

/** That a name stands in an object in two spellings, with two values. */
export function twice(fields: Fields): string | undefined {
	const name = contradictionIn(fields);
	return name && `${quoted(name)} stands there in two spellings, which say two things`;
}

function agree(simple: unknown, whole: unknown): boolean {
	if (isFields(simple) && isFields(whole)) {
		return Object.keys({ ...simple, ...whole }).every(
			(name) => contentOf(simple[name]) === contentOf(whole[name]),
		);
	}
	const textOf = (value: unknown) => String(contentOf(value)).toLowerCase();
	return textOf(simple) === textOf(whole);
}

/** The same for two reports that say the same of one address. */
export const contentOfReport = ({ address, chain, risk }: AnyReport) =>
	contentOf([addressKey(address), chain, risk]);
