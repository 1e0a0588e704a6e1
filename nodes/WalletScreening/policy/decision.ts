import { isOtherChainName } from '../address/chain';
import { addressKey } from '../address/key';
import { type AnyReport, categoriesOf } from '../answers/report';
import { hasValue, type JsonObject } from '../shared/json';
import { formatCount } from '../shared/text';
import { day } from '../shared/time';
import {
	conditionsOf,
	evaluate,
	isOnLevel,
	isSanctionsName,
	type RuleFacts,
	shownFieldOf,
} from './condition';
import type { Condition } from './conditionSchema';
import { findException } from './exceptions';
import type { IsOnList, Policy } from './policy';
import {
	type CheckReason,
	type CombinedRuleReason,
	isSanctionsHit,
	isWaived,
	type ListReason,
	type NotGreenReason,
	type NothingAllowedReason,
	type Reason,
	type RuleReason,
	type StoppingOutcome,
	type UnreliableListReason,
} from './reason';
import type { Exception, ListRecord, Rule } from './policySchema';
import { type Outcome, summarize } from './summary';

/** What a policy says about a report. */
export interface Decision {
	outcome: Outcome;
	/** A sanctions hit is among the reasons. */
	sanctions?: true;
	reasons: Reason[];
	/** The outcome and why, for people: one line of plain text, of at most 400 characters. */
	summary: string;
}

/** What a decision depends on beside the report and the policy. */
interface Circumstances {
	/** The time of the decision, at which exceptions and lists are in force or are not. */
	at: Date;
	/** The chain that was asked for. */
	askedChain?: string | undefined;
	/** The input item, for rules on its fields. */
	input?: JsonObject | undefined;
	/** When the report was made, if it is used again: the summary names its age. */
	earlierReportAt?: Date | undefined;
}

/**
 * Decides on a report by a policy. The strictest outcome of the reasons that count wins, and no
 * rule allows anything. The decision fails closed: a value that cannot be checked is a reason to
 * review, and so is a report that is not of the chain that was asked for, and a category about
 * sanctions that no rule is on. A report that nothing stops is allowed only if it is green, unless
 * the policy says otherwise. A sanctions hit is marked for each outcome, and no exception waives it.
 */
export function decide(
	report: AnyReport,
	policy: Policy,
	{ at, askedChain = '', input = {}, earlierReportAt }: Circumstances,
): Decision {
	const facts = { report, input };
	const exception = findException(policy.exceptions, report, at);
	const ruleResults = policy.rules.map((rule) => ({
		rule,
		reason: applyRule(rule, facts, exception),
	}));
	const reasons: Reason[] = [
		...checkChain(report, askedChain),
		...ruleResults.flatMap(({ reason }) => reason ?? []),
		...checkUnruledSanctions(policy, facts),
		...policy.lists.flatMap((list) => checkList(list, policy.isOnList, report, at)),
	];
	// The person who approved the exception has accepted the level.
	const isLevelWaived = ruleResults.some(
		({ rule, reason }) => reason && isWaived(reason) && conditionsOf(rule).some(isOnLevel),
	);
	const isStopped = findStrictest(reasons) !== undefined;
	if (!isStopped) reasons.push(...applyOtherwise(policy, facts, isLevelWaived));
	const outcome = findStrictest(reasons) ?? 'allow';
	const isHit = reasons.some(isSanctionsHit);
	return {
		outcome,
		...(isHit && { sanctions: true }),
		reasons,
		summary: summarize(
			outcome,
			reasons,
			earlierReportAt && { madeAt: earlierReportAt, decidedAt: at },
		),
	};
}

const strictestFirst = ['block', 'review'] as const;

/**
 * Finds the strictest outcome of the reasons that no exception waives; undefined if there is no
 * such reason.
 */
function findStrictest(reasons: readonly Reason[]): StoppingOutcome | undefined {
	const outcomes = reasons.filter((reason) => !isWaived(reason)).map(({ outcome }) => outcome);
	return strictestFirst.find((outcome) => outcomes.includes(outcome));
}

/**
 * A report of another chain is a reason to review: the same address may be clean on one chain and
 * not on another.
 */
function checkChain(report: AnyReport, askedChain: string): CheckReason[] {
	if (!isOtherChainName(askedChain, report.chain)) return [];
	const actual = typeof report.chain === 'string' ? report.chain : null;
	const words = actual === null ? 'names no chain' : `is of the chain ${actual}`;
	return [
		{
			field: 'chain',
			operator: 'equals',
			value: askedChain,
			actual,
			outcome: 'review',
			problem: `the report ${words}, and ${askedChain} was asked for`,
		},
	];
}

/**
 * A rule asks for its outcome if all its conditions hold, and for a review if one of them cannot be
 * checked.
 */
function applyRule(
	rule: Rule,
	facts: RuleFacts,
	exception: Exception | undefined,
): RuleReason | CombinedRuleReason | undefined {
	const evaluations = conditionsOf(rule).map((condition) => evaluate(condition, facts));
	const problem = evaluations.find((one) => one.problem !== undefined)?.problem;
	if (problem === undefined && !evaluations.every(({ holds }) => holds)) return undefined;
	const comparisons = evaluations.map(({ comparison }) => comparison);
	const compared = comparisons.length === 1 ? comparisons[0]! : { all: comparisons };
	if (problem !== undefined) return { ...compared, outcome: 'review', problem };
	if (!rule.mayBeWaived || !exception) return { ...compared, outcome: rule.outcome };
	const { until, reason, approvedBy: approved_by } = exception;
	return { ...compared, outcome: rule.outcome, waived_by: { until, reason, approved_by } };
}

/**
 * A category about sanctions is a reason to review if it is not 0 and no rule is on it. Each needs a
 * rule of its own: one on `sanctions` does not read `ofac_sanctions`.
 */
function checkUnruledSanctions({ rules }: Policy, facts: RuleFacts): CheckReason[] {
	const ruled = rules.flatMap(conditionsOf).map(shownFieldOf);
	const unruled = Object.entries(categoriesOf(facts.report)).filter(
		([key, value]) => isSanctionsName(key) && hasValue(value) && !ruled.includes(key),
	);
	return unruled.flatMap(([key]): CheckReason[] => {
		const notZero: Condition = {
			field: 'other',
			categoryKey: key,
			operator: 'notEquals',
			value: 0,
		};
		const { holds, problem, comparison } = evaluate(notZero, facts);
		if (!holds && problem === undefined) return [];
		const why = `no rule is on the category '${key}', which is not 0`;
		return [{ ...comparison, outcome: 'review', problem: problem ?? why }];
	});
}

/**
 * A list asks for its outcome if the address is on it, and for a review if it cannot be relied on.
 */
function checkList(
	{ name: list, outcome, sanctions, length, as_of, max_age_days: maxAgeDays }: ListRecord,
	isOnList: IsOnList,
	{ address }: AnyReport,
	at: Date,
): Array<ListReason | UnreliableListReason> {
	const review = (problem: string): UnreliableListReason[] => [
		{ list, outcome: 'review', problem },
	];
	if (isOnList(list, addressKey(address))) {
		return [{ list, ...(sanctions && { sanctions }), outcome }];
	}
	if (length === 0) return review(`the list '${list}' is empty`);
	const age = as_of === undefined ? 0 : at.getTime() - Date.parse(as_of);
	if (Number.isNaN(age)) return review(`the age of the list '${list}' is unknown`);
	// The day may already have begun in another time zone.
	if (age < -day) return review(`the list '${list}' has a date in the future`);
	if (maxAgeDays === undefined || age <= maxAgeDays * day) return [];
	return review(`the list '${list}' is older than ${formatCount(maxAgeDays, 'day')}`);
}

/** This condition holds for a level that gives cause for concern. */
const notGreen: Condition = { field: 'level', operator: 'notEquals', value: 'green' };

/** What the policy says of a report that nothing stops. */
function applyOtherwise(
	{ otherwise }: Policy,
	facts: RuleFacts,
	isLevelWaived: boolean,
): Array<NotGreenReason | NothingAllowedReason> {
	if (otherwise === 'review') return [{ outcome: 'review', otherwise: true }];
	if (otherwise === 'allow' || isLevelWaived) return [];
	const { holds, problem, comparison } = evaluate(notGreen, facts);
	if (!holds && problem === undefined) return [];
	return [{ ...comparison, outcome: 'review', otherwise: true, ...(problem && { problem }) }];
}
