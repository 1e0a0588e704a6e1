import { isNumber } from '../shared/json';
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

/** What a reason could not judge, or what a check found; undefined for one that has no problem. */
export const problemOf = (reason: Reason): string | undefined =>
	'problem' in reason ? reason.problem : undefined;

/** The exception that waives the rule of a reason; undefined if none does. */
export const waiverOf = (reason: Reason): Waiver | undefined =>
	'waived_by' in reason ? reason.waived_by : undefined;

/** Whether an exception waives the rule of a reason. Then the reason does not count. */
export const isWaived = (reason: Reason): boolean => waiverOf(reason) !== undefined;

/** Whether a reason is a sanctions hit: a list of sanctioned addresses, or a comparison. */
export const isSanctionsHit = (reason: Reason): boolean =>
	isSanctionsList(reason) || sanctionsComparisonOf(reason) !== undefined;

/** Whether a reason is that the address is on a list of sanctioned addresses. */
export const isSanctionsList = (reason: Reason): reason is ListReason =>
	'sanctions' in reason && reason.sanctions === true;

/** The first comparison of a reason that finds sanctions; undefined if none does. */
export const sanctionsComparisonOf = (reason: Reason): Comparison | undefined =>
	comparisonsOf(reason).find(findsSanctions);

/**
 * Whether a comparison of the category `sanctions` holds for a value other than 0. A rule with `lte`
 * fires on low values, so it is never a hit.
 */
function findsSanctions({ field, operator, value, actual }: Comparison): boolean {
	if (!isSanctionsCategory(field) || operator === 'lte') return false;
	return isNumber(actual) && actual !== 0 && operatorMeanings[operator].holds(actual, value);
}

/**
 * Sorts the reasons so that the most urgent come first, and waived ones last. Of those with a
 * problem, only the first comes before what blocks: otherwise many of them would leave no room for
 * the reason of the outcome.
 *
 * @example
 *
 *     given                                      comes as
 *     a waived rule on the level                 4th
 *     the report has no 'scam': review           1st, as the first problem
 *     the list 'Own' is empty: review            3rd, as another problem
 *     mixer is 0.9: block                        2nd
 */
export function sortWorstFirst(reasons: readonly Reason[]): Reason[] {
	const hasProblem = (reason: Reason) => problemOf(reason) !== undefined;
	const firstProblem = reasons.find((reason) => hasProblem(reason) && !isSanctionsHit(reason));
	// A reason has the rank of the first line that it fits.
	const ranks: Array<(reason: Reason) => boolean> = [
		isSanctionsHit,
		(reason) => reason === firstProblem,
		(reason) => !isWaived(reason) && reason.outcome === 'block',
		hasProblem,
		(reason) => !isWaived(reason),
		isWaived,
	];
	const rankOf = (reason: Reason) => ranks.findIndex((fits) => fits(reason));
	return [...reasons].sort((one, other) => rankOf(one) - rankOf(other));
}
