import { isNumber } from '../shared/json';
import { formatKey, formatValue } from '../shared/text';
import { type Comparison, isSanctionsCategory, operatorMeanings } from './condition';

/** The outcome that a reason asks for. */
export type StoppingOutcome = 'review' | 'block';

/** A rule of one condition that holds or, with `problem`, that cannot be checked. */
export interface RuleReason extends Comparison {
	outcome: StoppingOutcome;
	/** Why it is unknown whether the condition holds. */
	problem?: string;
	waived_by?: Waiver;
}

/** A rule of several conditions, which all hold or, with `problem`, cannot all be checked. */
export interface CombinedRuleReason {
	all: Comparison[];
	outcome: StoppingOutcome;
	/** Why it is unknown whether one of the conditions holds. */
	problem?: string;
	waived_by?: Waiver;
}

/** The exception for which a rule does not count. */
export interface Waiver {
	until: string;
	reason: string;
	approved_by: string;
}

/** A check of the report that the node makes under every policy. */
export interface CheckReason extends Comparison {
	outcome: 'review';
	/** What the check found. */
	problem: string;
}

/** A list that the address is on. */
export interface ListReason {
	/** The name of the list. */
	list: string;
	/** The list is one of sanctioned addresses. */
	sanctions?: true;
	outcome: StoppingOutcome;
}

/** A list that cannot be relied on. Verify Evidence tells it from a `ListReason` by `problem`. */
export interface UnreliableListReason {
	/** The name of the list. */
	list: string;
	outcome: 'review';
	problem: string;
}

/** No rule and no list stops the report, but it is not green, and the policy allows only that. */
export interface NotGreenReason extends Comparison {
	outcome: 'review';
	otherwise: true;
	/** Why the level is unknown. */
	problem?: string;
}

/** No rule and no list stops the report, but the policy allows none. */
export interface NothingAllowedReason {
	outcome: 'review';
	otherwise: true;
}

/**
 * A reason for a decision.
 *
 * @example
 *
 *     RuleReason   { field: 'mixer', operator: 'gte', value: 0.2, actual: 0.3, outcome: 'review' }
 *     ListReason   { list: 'OFAC', sanctions: true, outcome: 'block' }
 */
export type Reason =
	| RuleReason
	| CombinedRuleReason
	| CheckReason
	| ListReason
	| UnreliableListReason
	| NotGreenReason
	| NothingAllowedReason;

/** The comparisons of a reason: one, several of a combined rule, none of a list. */
export function comparisonsOf(reason: Reason): Comparison[] {
	if ('all' in reason) return reason.all;
	return 'operator' in reason ? [reason] : [];
}

const problemOf = (reason: Reason): string | undefined =>
	'problem' in reason ? reason.problem : undefined;

const waiverOf = (reason: Reason): Waiver | undefined =>
	'waived_by' in reason ? reason.waived_by : undefined;

/** Whether an exception waives the rule of a reason. Then the reason does not count. */
export const isWaived = (reason: Reason): boolean => waiverOf(reason) !== undefined;

/**
 * Whether a comparison of the category `sanctions` holds for a value other than 0. A rule with `lte`
 * fires on low values, so it is never a hit.
 */
function findsSanctions({ field, operator, value, actual }: Comparison): boolean {
	if (!isSanctionsCategory(field) || operator === 'lte') return false;
	return isNumber(actual) && actual !== 0 && operatorMeanings[operator].holds(actual, value);
}

/**
 * Describes a reason that is a sanctions hit: the address is on a sanctions list, or a comparison
 * finds sanctions. It is undefined for any other reason.
 */
function describeHit(reason: Reason): string | undefined {
	if ('sanctions' in reason && reason.sanctions) {
		return `on the sanctions list '${formatValue(reason.list, 40)}'`;
	}
	const comparison = comparisonsOf(reason).find(findsSanctions);
	return comparison && `sanctions ${formatValue(comparison.actual, 24)}`;
}

/** Whether a reason is a sanctions hit. */
export const isSanctionsHit = (reason: Reason): boolean => describeHit(reason) !== undefined;

/**
 * Describes the first sanctions hit, e.g. "sanctions 0.893"; undefined if there is none. The text is
 * not yet escaped for any place.
 */
export function describeSanctionsHit(reasons: readonly Reason[]): string | undefined {
	const hit = reasons.find(isSanctionsHit);
	return hit && describeHit(hit);
}

/**
 * Sorts the reasons so that the most urgent come first, and waived ones last. Of those that could not
 * be judged, only the first comes before what blocks: otherwise many of them would leave no room for
 * the reason of the outcome.
 */
export function sortWorstFirst(reasons: readonly Reason[]): Reason[] {
	const isUnjudged = (reason: Reason) => problemOf(reason) !== undefined;
	const firstUnjudged = reasons.find((reason) => isUnjudged(reason) && !isSanctionsHit(reason));
	// A reason has the rank of the first line that it fits.
	const ranks: Array<(reason: Reason) => boolean> = [
		isSanctionsHit,
		(reason) => reason === firstUnjudged,
		(reason) => !isWaived(reason) && reason.outcome === 'block',
		isUnjudged,
		(reason) => !isWaived(reason),
		() => true,
	];
	const rankOf = (reason: Reason) => ranks.findIndex((fits) => fits(reason));
	return [...reasons].sort((one, other) => rankOf(one) - rankOf(other));
}

/**
 * Describes a reason on one line, which is not yet escaped for any place.
 *
 * @example "mixer is 0.3 (0.2 or more means review)"
 */
export function describeReason(reason: Reason): string {
	const problem = problemOf(reason);
	if (problem !== undefined) return `${formatValue(problem, 160)}: ${reason.outcome}`;
	if ('list' in reason) return describeList(reason);
	if ('otherwise' in reason) return describeOtherwise(reason);
	const rule = describeRule(reason);
	const waiver = waiverOf(reason);
	return waiver ? `${describeWaiver(waiver)}: ${rule}` : rule;
}

function describeList({ list, sanctions, outcome }: ListReason): string {
	const kind = sanctions ? 'sanctions list' : 'list';
	return `the address is on the ${kind} '${formatValue(list, 64)}', which means ${outcome}`;
}

function describeOtherwise(reason: NotGreenReason | NothingAllowedReason): string {
	return 'actual' in reason
		? `level is ${formatValue(reason.actual, 64)} (only green is allowed)`
		: `no rule stops it, which means ${reason.outcome}`;
}

/** @example "waived until 2026-12-31 by MLRO (hot wallet)" */
function describeWaiver({ until, reason, approved_by }: Waiver): string {
	const approver = formatValue(approved_by, 64);
	return `waived until ${formatValue(until, 16)} by ${approver} (${formatValue(reason, 96)})`;
}

function describeRule(reason: RuleReason | CombinedRuleReason): string {
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
