import { addressKey } from '../service/address';
import { fieldOf } from '../service/json';
import { isGreen } from './level';
import { filled, sameName } from './names';
import { type AnyReport, asReport, categoriesOf, goodSign } from './report';
import { isGiven, isNumber } from './values';

/** The field of an item that holds the earlier report, unless the user names another. */
export const earlierField = 'previous';

/** What became of a report since an earlier one. */
export interface Change {
	kind: 'first' | 'same' | 'better' | 'worse' | 'unknown';
	/** Whatever differs or is unknown: `address`, `chain`, `level`, `score`, then the categories by name; null for what is missing. */
	fields: Array<{ field: string; before: unknown; after: unknown }>;
}

/** What one value says of the change as a whole; it may say nothing. */
type Verdict = 'better' | 'worse' | 'unknown' | undefined;

interface Finding {
	field: string;
	before: unknown;
	after: unknown;
	verdict: Verdict;
}

/**
 * What changed since an earlier report (whole, simplified, or as JSON text; undefined, null or blank if there was none).
 * A score or a category is worse or better only if it differs by more than `scoreChange`, a number from 0 up. Worse comes
 * before unknown, and unknown before better; reports of two addresses or chains are not comparable, so all is unknown.
 */
export function compare(current: AnyReport, earlier: unknown, scoreChange = 0): Change {
	if (!isGiven(earlier)) return { kind: 'first', fields: [] };
	const previous = asReport(earlier);
	if (!previous) return { kind: 'unknown', fields: [] };

	const subjects = [
		subject('address', previous.address, current.address, sameAddress),
		subject('chain', previous.chain, current.chain, sameName),
	];
	const findings = [
		levelFinding(previous.risk.level, current.risk.level),
		overallFinding(previous.risk.score, current.risk.score, scoreChange),
		...categoryFindings(previous, current, scoreChange),
	];
	const verdicts = findings.map(({ verdict }) => verdict);
	const order = ['worse', 'unknown', 'better'] as const;
	const isOfOther = subjects.some(({ verdict }) => verdict === 'unknown');
	const kind = isOfOther ? 'unknown' : (order.find((word) => verdicts.includes(word)) ?? 'same');
	const fields = [...subjects, ...findings]
		.filter(({ before, after, verdict }) => verdict || !isEqual(before, after))
		.map(({ field, before, after }) => ({ field, before, after }));
	return { kind, fields };
}

function subject(
	field: string,
	before: unknown,
	after: unknown,
	isSame: (one: unknown, other: unknown) => boolean,
): Finding {
	if (!isGiven(before) && !isGiven(after)) return nothing(field);
	if (isSame(before, after)) return nothing(field);
	return { field, ...both(before, after), verdict: 'unknown' };
}

function sameAddress(one: unknown, other: unknown): boolean {
	return (
		typeof one === 'string' && typeof other === 'string' && addressKey(one) === addressKey(other)
	);
}

/** Which levels there are beside green, and which of them is worse, is not specified (section 2.2). */
function levelFinding(before: unknown, after: unknown): Finding {
	const finding = { field: 'level', ...both(before, after) };
	if (!filled(after)) return { ...finding, verdict: 'unknown' };
	if (sameName(before, after)) return nothing('level');
	if (!isGreen(after)) return { ...finding, verdict: 'worse' };
	return { ...finding, verdict: filled(before) ? 'better' : 'unknown' };
}

function categoryFindings(previous: AnyReport, current: AnyReport, scoreChange: number): Finding[] {
	const [before, after] = [categoriesOf(previous) ?? {}, categoriesOf(current) ?? {}];
	const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
	const findings = keys.map((key) =>
		categoryFinding(key, fieldOf(before, key), fieldOf(after, key), scoreChange),
	);
	const isUnreadable = (report: AnyReport) =>
		!categoriesOf(report) && isGiven(report.risk.categories);
	if (![previous, current].some(isUnreadable)) return findings;
	const values = both(previous.risk.categories, current.risk.categories);
	return [{ field: 'categories', ...values, verdict: 'unknown' }, ...findings];
}

/** What was not there before counts from 0. */
function scoreFinding(
	field: string,
	before: unknown,
	after: unknown,
	scoreChange: number,
): Finding {
	const finding = { field, ...both(before, after) };
	const start = isGiven(before) ? before : 0;
	if (!isNumber(start) || !isNumber(after)) return { ...finding, verdict: 'unknown' };
	// 0.8 - 0.5 is a little more than 0.3 for a computer.
	const rise = Number((after - start).toPrecision(12));
	if (rise > scoreChange) return { ...finding, verdict: 'worse' };
	return { ...finding, verdict: -rise > scoreChange ? 'better' : undefined };
}

/** An earlier report without a score says nothing, unless the score is now above 0. */
function overallFinding(before: unknown, after: unknown, scoreChange: number): Finding {
	const finding = scoreFinding('score', before, after, scoreChange);
	const isNew = !isGiven(before) && finding.verdict !== 'worse';
	return isNew ? { ...finding, verdict: 'unknown' } : finding;
}

/** A category may be new, and both reports may lack it. */
function categoryFinding(
	key: string,
	before: unknown,
	after: unknown,
	scoreChange: number,
): Finding {
	if (!isGiven(before) && !isGiven(after)) return nothing(key);
	const finding = scoreFinding(key, before, after, scoreChange);
	const saysNothing = key === goodSign || (!isGiven(before) && finding.verdict === 'better');
	return saysNothing ? { ...finding, verdict: undefined } : finding;
}

function nothing(field: string): Finding {
	return { field, before: null, after: null, verdict: undefined };
}

function isEqual(before: unknown, after: unknown): boolean {
	return JSON.stringify(before) === JSON.stringify(after);
}

function both(before: unknown, after: unknown) {
	const shown = (value: unknown) => (isGiven(value) ? value : null);
	return { before: shown(before), after: shown(after) };
}
