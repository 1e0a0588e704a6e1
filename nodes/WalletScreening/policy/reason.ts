import { isNumber } from '../shared/json';
import { equalsIgnoringCase, formatKey, formatValue } from '../shared/text';
import { type Comparison, isSanctionsCategory, operatorMeanings } from './condition';

/**
 * A reason for a decision: a rule of one condition or of several (`all`), a list, or what the policy
 * says of a report that nothing stops.
 *
 * @example { field: 'mixer', operator: 'gte', value: 0.2, actual: 0.3, outcome: 'review' }
 * @example { list: 'OFAC', sanctions: true, outcome: 'block' }
 */
export interface Reason extends Partial<Comparison> {
	all?: Comparison[];
	/**
	 * The name of a list that the address is on or, with `problem`, of a list that cannot be relied on.
	 * Verify Evidence tells the two apart by `problem`.
	 */
	list?: string;
	/** The list is one of sanctioned addresses, and the address is on it. */
	sanctions?: true;
	/** No rule and no list stops the report, but the policy does not allow such a report. */
	otherwise?: true;
	outcome: 'review' | 'block';
	/** What could not be checked, or why there is a reason without a rule. */
	problem?: string;
	/** The exception for which the rule does not count. */
	waived_by?: { until: string; reason: string; approved_by: string };
}

/** The comparisons of a reason: one, several of a rule with `all`, none of a list. */
const comparisonsOf = (reason: Reason): Comparison[] =>
	reason.all ?? (isComparison(reason) ? [reason] : []);

const isComparison = (reason: Partial<Comparison>): reason is Comparison =>
	reason.operator !== undefined;

/**
 * Whether a comparison of the category `sanctions` holds for a value other than 0. A rule with `lte`
 * fires on low values, so it is never a hit.
 */
function findsSanctions({ field, operator, value, actual }: Comparison): boolean {
	if (!isSanctionsCategory(field) || operator === 'lte') return false;
	return isNumber(actual) && actual !== 0 && operatorMeanings[operator].holds(actual, value);
}

/**
 * Whether a reason is a sanctions hit: the address is on a sanctions list, or a comparison finds
 * sanctions.
 */
export function isSanctionsHit(reason: Reason): boolean {
	return reason.sanctions === true || comparisonsOf(reason).some(findsSanctions);
}

/**
 * Whether a field holds this flag, also as a row of a log has it: a sheet has texts, and some
 * databases have 1 and 0.
 */
export const equalsFlag = (field: unknown, flag: boolean): boolean =>
	field === flag ||
	field === Number(flag) ||
	equalsIgnoringCase(field, String(flag)) ||
	equalsIgnoringCase(field, String(Number(flag)));

/** Whether the field `sanctions` of an item marks a sanctions hit. */
export const isSanctionsMark = (mark: unknown): boolean => equalsFlag(mark, true);

/**
 * Describes the first sanctions hit, e.g. "sanctions 0.893"; undefined if there is none. The text is
 * not yet escaped for any place.
 */
export function describeSanctionsHit(reasons: readonly Reason[]): string | undefined {
	const hit = reasons.find(isSanctionsHit);
	if (!hit) return undefined;
	if (hit.sanctions) return `on the sanctions list '${formatValue(hit.list, 40)}'`;
	return `sanctions ${formatValue(comparisonsOf(hit).find(findsSanctions)?.actual, 24)}`;
}

/** The order in which reasons are shown. A reason has the rank of the first line that it fits. */
const displayOrder: Array<(reason: Reason) => boolean> = [
	isSanctionsHit,
	({ problem }) => Boolean(problem),
	({ waived_by, outcome }) => !waived_by && outcome === 'block',
	({ waived_by }) => !waived_by,
	() => true,
];

const rankOf = (reason: Reason) => displayOrder.findIndex((fits) => fits(reason));

/** Sorts the reasons so that the most urgent come first, and waived ones last. */
export function sortWorstFirst(reasons: readonly Reason[]): Reason[] {
	return [...reasons].sort((one, other) => rankOf(one) - rankOf(other));
}

/**
 * Describes a reason on one line, which is not yet escaped for any place.
 *
 * @example "mixer is 0.3 (0.2 or more means review)"
 */
export function describeReason(reason: Reason): string {
	const { list, sanctions, problem, outcome, waived_by } = reason;
	if (problem) return `${formatValue(problem, 160)}: ${outcome}`;
	if (list !== undefined) {
		const kind = sanctions ? 'sanctions list' : 'list';
		return `the address is on the ${kind} '${formatValue(list, 64)}', which means ${outcome}`;
	}
	if (reason.otherwise) return describeOtherwise(reason);
	const rule = describeRule(reason);
	if (!waived_by) return rule;
	const { until, reason: why, approved_by } = waived_by;
	return `waived until ${formatValue(until, 16)} by ${formatValue(approved_by, 64)} (${formatValue(why, 96)}): ${rule}`;
}

function describeOtherwise({ field, actual, outcome }: Reason): string {
	return field === undefined
		? `no rule stops it, which means ${outcome}`
		: `level is ${formatValue(actual, 64)} (only green is allowed)`;
}

function describeRule(reason: Reason): string {
	const facts: string[] = [];
	const limits: string[] = [];
	for (const comparison of comparisonsOf(reason)) {
		const { actual, value } = formatCompared(comparison);
		facts.push(`${nameOfField(comparison)} is ${actual}`);
		limits.push(operatorMeanings[comparison.operator].describe(value));
	}
	return `${facts.join(' and ')} (${limits.join(' and ')} means ${reason.outcome})`;
}

/**
 * Writes the two values that were compared. Two numbers that differ are never written alike.
 *
 * @example { actual: 0.4999999999, value: 0.5 } is not "0.5" and "0.5"
 */
function formatCompared({ actual, value }: Comparison): { actual: string; value: string } {
	const shown = { actual: formatValue(actual, 64), value: formatValue(value, 64) };
	const isMisleading = isNumber(actual) && actual !== value && shown.actual === shown.value;
	return isMisleading ? { actual: String(actual), value: String(value) } : shown;
}

/**
 * Names what a comparison looks at. A level is compared with a text, so a number means a category
 * called level.
 */
function nameOfField({ field, value }: Comparison): string {
	const key = typeof field === 'string' ? (formatKey(field) ?? field) : field.input;
	const name = formatValue(key, 64);
	return field === 'level' && isNumber(value) ? `the category '${name}'` : name;
}
