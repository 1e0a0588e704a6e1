import { chainKey, isOtherChain } from '../address/chain';
import { addressKey, chainOfSpelling, tagOfSpelling } from '../address/key';
import { type AnyReport, categoriesOf } from '../answers/report';
import { hasValue, type JsonObject } from '../shared/json';
import { neutralizeMarkup } from '../shared/neutralize';
import { capitalize, clip, formatCount } from '../shared/text';
import { day, hour, minute } from '../shared/time';
import {
	conditionsOf,
	evaluate,
	isOnLevel,
	isSanctionsName,
	type RuleFacts,
	shownFieldOf,
} from './condition';
import { endOfException, type IsOnList, type ListRecord, type Policy } from './policy';
import { describeReason, isSanctionsHit, type Reason, sortWorstFirst } from './reason';
import type { Condition } from './conditionSchema';
import type { Exception, Rule } from './schema';

/** What a policy says about a report. */
export interface Decision {
	outcome: 'allow' | 'review' | 'block';
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
	chain?: string | undefined;
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
	{ at, chain = '', input = {}, earlierReportAt }: Circumstances,
): Decision {
	const facts = { report, input };
	const exception = findException(report, policy, at);
	const ruleResults = policy.rules.map((rule) => ({
		rule,
		reason: applyRule(rule, facts, exception),
	}));
	const reasons = [
		...checkChain(report, chain),
		...ruleResults.flatMap(({ reason }) => reason ?? []),
		...checkUnruledSanctions(policy, facts),
		...policy.lists.flatMap((list) => checkList(list, policy.isOnList, report, at)),
	];
	// The person who approved the exception has accepted the level.
	const isLevelWaived = ruleResults.some(
		({ rule, reason }) => reason?.waived_by && conditionsOf(rule).some(isOnLevel),
	);
	const isStopped = findStrictest(reasons) !== undefined;
	if (!isStopped) reasons.push(...applyOtherwise(policy, facts, isLevelWaived));
	const outcome = findStrictest(reasons) ?? 'allow';
	const isHit = reasons.some(isSanctionsHit);
	return {
		outcome,
		...(isHit && { sanctions: true }),
		reasons,
		summary: summarize(outcome, reasons, earlierReportAt && describeAge(earlierReportAt, at)),
	};
}

const strictestFirst = ['block', 'review'] as const;

/**
 * Finds the strictest outcome of the reasons that no exception waives; undefined if there is no
 * such reason.
 */
function findStrictest(reasons: readonly Reason[]): Reason['outcome'] | undefined {
	const outcomes = reasons.filter(({ waived_by }) => !waived_by).map(({ outcome }) => outcome);
	return strictestFirst.find((outcome) => outcomes.includes(outcome));
}

/** Finds the first exception that holds for the report at that time. */
function findException(report: AnyReport, policy: Policy, at: Date): Exception | undefined {
	return policy.exceptions
		.get(addressKey(report.address))
		?.find(
			(exception) =>
				isOfChain(exception, report) &&
				isOfTag(exception, report) &&
				at.getTime() < endOfException(exception),
		);
}

/**
 * Whether an exception is for the chain of the report. One without a chain is for each chain,
 * unless the spelling of its address names one: an exception for bitcoincash:q… waives nothing in a
 * report on the account of Bitcoin.
 */
function isOfChain(exception: Exception, { address, chain }: AnyReport): boolean {
	if (exception.chain !== undefined) return chainKey(exception.chain) === chainKey(chain);
	const spelledChain = chainOfSpelling(exception.address);
	return spelledChain === undefined || spelledChain === chainOfSpelling(address);
}

/** Whether an exception is for the tag of the report. One without a tag is for the whole account. */
function isOfTag(exception: Exception, { address }: AnyReport): boolean {
	const tag = tagOfSpelling(exception.address);
	return tag === undefined || tag === tagOfSpelling(address);
}

/**
 * A report of another chain is a reason to review: the same address may be clean on one chain and
 * not on another.
 */
function checkChain(report: AnyReport, requestedChain: string): Reason[] {
	if (!isOtherChain(requestedChain, report.chain)) return [];
	const actual = typeof report.chain === 'string' ? report.chain : null;
	const words = actual === null ? 'names no chain' : `is of the chain ${actual}`;
	return [
		{
			field: 'chain',
			operator: 'equals',
			value: requestedChain,
			actual,
			outcome: 'review',
			problem: `the report ${words}, and ${requestedChain} was asked for`,
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
): Reason | undefined {
	const evaluations = conditionsOf(rule).map((condition) => evaluate(condition, facts));
	const problem = evaluations.find((one) => one.problem !== undefined)?.problem;
	if (problem === undefined && !evaluations.every(({ holds }) => holds)) return undefined;
	const [first, ...others] = evaluations.map(({ comparison }) => comparison);
	const comparisonFields = others.length > 0 ? { all: [first!, ...others] } : first;
	if (problem !== undefined) return { ...comparisonFields, outcome: 'review', problem };
	if (!rule.mayBeWaived || !exception) return { ...comparisonFields, outcome: rule.outcome };
	const { until, reason, approvedBy: approved_by } = exception;
	return { ...comparisonFields, outcome: rule.outcome, waived_by: { until, reason, approved_by } };
}

/**
 * A category about sanctions is a reason to review if it is not 0 and no rule is on it. Each needs a
 * rule of its own: one on `sanctions` does not read `ofac_sanctions`.
 */
function checkUnruledSanctions({ rules }: Policy, facts: RuleFacts): Reason[] {
	const ruled = rules.flatMap(conditionsOf).map(shownFieldOf);
	const unruled = Object.entries(categoriesOf(facts.report)).filter(
		([key, value]) => isSanctionsName(key) && hasValue(value) && !ruled.includes(key),
	);
	return unruled.flatMap(([key]): Reason[] => {
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
): Reason[] {
	const review = (problem: string): Reason[] => [{ list, outcome: 'review', problem }];
	if (isOnList(list, addressKey(address)))
		return [{ list, ...(sanctions && { sanctions }), outcome }];
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
function applyOtherwise({ otherwise }: Policy, facts: RuleFacts, isLevelWaived: boolean): Reason[] {
	if (otherwise === 'review') return [{ outcome: 'review', otherwise: true }];
	if (otherwise === 'allow' || isLevelWaived) return [];
	const { holds, problem, comparison } = evaluate(notGreen, facts);
	if (!holds && problem === undefined) return [];
	return [{ ...comparison, outcome: 'review', otherwise: true, ...(problem && { problem }) }];
}

const maxSummaryLength = 400;
const maxReasonsShown = 3;

/** Describes a decision for people. In a long one, the reasons are cut, never the age. */
function summarize(outcome: Decision['outcome'], reasons: readonly Reason[], age = ''): string {
	const start = capitalize(outcome);
	if (reasons.length === 0) return `${start}: no rule applies${age}`;
	const sentences = sortWorstFirst(reasons).slice(0, maxReasonsShown).map(describeReason);
	const more = reasons.length - sentences.length;
	if (more > 0) sentences.push(`and ${more} more`);
	const text = neutralizeMarkup(`${start}: ${sentences.join('; ')}`);
	return clip(text, maxSummaryLength - age.length) + age;
}

/** Describes the age of a report that is used again, as the end of a summary. */
function describeAge(madeAt: Date, at: Date): string {
	const words = formatAge(at.getTime() - madeAt.getTime());
	// ISO 8601 has a T between the date and the time.
	const madeAtText = madeAt.toISOString().slice(0, 16).replace('T', ' ');
	return `. Report used again: ${madeAtText} (UTC), ${words} old`;
}

/**
 * Writes an age, given in milliseconds, in whole units: days from two days on, hours from one hour
 * on, else minutes.
 */
function formatAge(age: number): string {
	if (age < hour) return formatCount(Math.floor(age / minute), 'minute');
	if (age < 2 * day) return formatCount(Math.floor(age / hour), 'hour');
	return formatCount(Math.floor(age / day), 'day');
}
