import { z } from 'zod';
import { addressKey } from '../address/key';
import { isId, lettersOf } from './dialect/values';
import { contentOf, type Fields, isFields, isFilled, quoted } from './json';

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
	report_id: z.string().refine(isId),
	risk: z.object({ level: filled, score: z.number().finite() }),
});

/** Categories are fractions (section 2.3). A number below 0 usually says that nothing is known. */
export const isShare = (value: unknown) => Number.isFinite(value) && (value as number) >= 0;

/** A report, or why a value is none. */
export interface Reading<R = AnyReport> {
	report?: R;
	flaw?: string;
}

/** The parts of a risk, by the letters of their names in the simplified form, and beside a whole one. */
const simplified = new Map([
	['risklevel', 'level'],
	['riskscore', 'score'],
	['riskcategories', 'categories'],
]);
const bare = new Map([
	['level', 'level'],
	['categories', 'categories'],
]);

/** The parts of the risk that fields hold, each with the name that the risk gives it; null says nothing. */
const partsIn = (fields: Fields, names = simplified) =>
	Object.keys(fields)
		.filter((name) => names.has(lettersOf(name)) && (fields[name] ?? null) !== null)
		.map((name) => ({ name, key: names.get(lettersOf(name))!, value: fields[name] }));

/** The report that fields are. A whole one is untouched; in a simplified one, `risk` is added. */
export function readReport(fields: Fields): Reading {
	const simple = partsIn(fields);
	const isWhole = fields.risk !== undefined || simple.length === 0;
	const risk = isWhole
		? fields.risk
		: Object.fromEntries(simple.map(({ key, value }) => [key, value]));
	if (!isFilled(fields.address)) return { flaw: "'address' is missing" };
	if (risk === undefined) return { flaw: "neither 'risk' nor 'risk_level' is there" };
	if (!isFields(risk)) return { flaw: "'risk' is not an object" };
	const flaw =
		otherThan(risk, simple) ??
		twice(risk, inLetters) ??
		(isFields(risk.categories) ? twice(risk.categories, inLetters) : undefined);
	if (flaw !== undefined) return { flaw };
	return { report: (isWhole ? fields : { ...fields, risk }) as unknown as AnyReport };
}

/** What a report of the service says in two ways, in its risk or beside it, or lacks of what section 2 promises. */
export function flawOfReport(fields: Fields): string | undefined {
	const { report, flaw } = readReport(fields);
	if (!report) return flaw;
	const broken = promised.safeParse(fields).error?.issues[0]?.path.at(-1);
	const lack = broken === undefined ? undefined : `'${String(broken)}' is missing or invalid`;
	return twice(fields) ?? lack;
}

const ofRisk = new Set(['level', 'score', 'categories']);
/** Whether the risk of a report holds only what section 2.2 names. Most do, and reading one takes ten times as long. */
export const isPlain = ({ risk }: AnyReport) =>
	Object.keys(risk).every((name) => ofRisk.has(name)) &&
	isFields(risk.categories) &&
	Object.values(risk.categories).every(isShare);

/** That an object, of a report or beside one, says another thing of its risk than `risk` in the report. */
export function riskTwice({ risk }: Report, fields: Fields): string | undefined {
	const inner = isFields(fields.risk)
		? [...partsIn(fields.risk), ...partsIn(fields.risk, bare)]
		: [];
	return otherThan(risk, [...partsIn(fields), ...partsIn(fields, bare), ...inner]);
}

/** Whether fields say something of a risk without an object of it. */
export const saysRisk = (fields: Fields) =>
	partsIn(fields).length + partsIn(fields, bare).length > 0;

function otherThan(risk: Fields, parts: ReturnType<typeof partsIn>): string | undefined {
	const other = parts.find(({ key, value }) => !agree(value, risk[key]));
	return other && `'${other.name}' and another field say two things of the risk`;
}

const inSmall = (name: string) => name.toLowerCase();
const inLetters = (name: string) => lettersOf(name) || name;

/** That a name stands in an object in two spellings, with two values: readers differ on which counts. Null says nothing. */
function twice(fields: Fields, keyOf = inSmall): string | undefined {
	const names = Object.keys(fields);
	// Two spellings are rare.
	if (new Set(names.map(keyOf)).size === names.length) return undefined;
	const values = new Map<string, unknown>();
	const second = names.find((name) => {
		const value = fields[name] ?? undefined;
		const other = values.get(keyOf(name)) ?? value;
		values.set(keyOf(name), other);
		return value !== undefined && contentOf(value) !== contentOf(other);
	});
	return second && `${quoted(second)} stands there in two spellings, which say two things`;
}

function agree(simple: unknown, whole: unknown): boolean {
	if (simple === whole) return true;
	if (isFields(simple) && isFields(whole)) {
		return Object.keys({ ...simple, ...whole }).every(
			(name) => contentOf(simple[name]) === contentOf(whole[name]),
		);
	}
	// A list of names is no contradiction.
	if (Array.isArray(simple) && isFields(whole)) return true;
	if (typeof whole === 'number' && isFilled(simple)) return Number(simple) === whole;
	const textOf = (value: unknown) => String(contentOf(value)).toLowerCase();
	return textOf(simple) === textOf(whole);
}

/** The same for two reports that say the same of one address. */
export const contentOfReport = ({ address, chain, risk }: AnyReport) =>
	contentOf([addressKey(address), chain, risk]);
