import { addressKey } from '../address/key';
import { chainKey, isOtherChain } from '../address/chain';
import type { AnyReport } from '../answers/report';
import { type Fields, fieldOf, filledText, isGiven, isNumber } from '../shared/json';
import { capitalized, clip, counted, inWords, show } from '../shared/text';
import { plain } from '../shared/plain';
import {
	conditionsOf,
	endOfException,
	isOnSanctions,
	type List,
	nameOf,
	oneDay,
	type Policy,
} from './policy';
import type { Condition, Exception, ConditionField, Operator, Rule } from './schema';
import { categoriesOf, valueAt } from './report';
import { sameName } from './level';

type Value = string | number;

/** A condition with what was found. */
interface Compared {
	field: ConditionField;
	operator: Operator;
	value: Value;
	/** Null if it is missing, or not of the type that the condition needs. */
	actual: Value | null;
}

/** Why a report was not simply allowed: a condition or `all` of several, a list, or what the policy says of what nothing stops. */
export interface Reason extends Partial<Compared> {
	all?: Compared[];
	list?: string;
	/** The list is one of sanctioned addresses, and the address is on it. */
	sanctions?: true;
	otherwise?: true;
	outcome: 'review' | 'block';
	/** What could not be checked, or why there is a reason without a rule. */
	problem?: string;
	/** The exception for which the rule does not count. */
	waived_by?: { until: string; reason: string; approved_by: string };
}

export interface Decision {
	outcome: 'allow' | 'review' | 'block';
	/** A sanctions hit is among the reasons. */
	sanctions?: true;
	reasons: Reason[];
	/** The outcome and why, for people: one line of plain text, of at most 400 characters. */
	summary: string;
}

/** What conditions look at. */
interface RuleFacts {
	report: AnyReport;
	input: Fields;
}

/**
 * Decides on a report by a policy; the strictest outcome of the reasons that count wins, and no rule allows anything. It
 * fails closed: a value that cannot be checked is a reason to review, and so is a report that is not of the chain that was asked
 * for. What nothing stops is allowed only if it is green, unless the policy says otherwise. A sanctions hit is marked, whatever
 * its outcome is, and no exception waives it.
 */
export function decide(
	report: AnyReport,
	policy: Policy,
	{
		at,
		chain = '',
		input = {},
	}: { at: Date; chain?: string | undefined; input?: Fields | undefined },
): Decision {
	const facts = { report, input };
	const exception = exceptionFor(report, policy, at);
	const ofRules = policy.rules.map((rule) => ({ rule, reason: ofRule(rule, facts, exception) }));
	const reasons = [
		...ofAnotherChain(report, chain),
		...ofRules.flatMap(({ reason }) => reason ?? []),
		...policy.lists.flatMap((list) => ofList(list, report, at)),
	];
	// Who approved the exception has said that the level is accepted.
	const isLevelWaived = ofRules.some(
		({ rule, reason }) =>
			reason?.waived_by && conditionsOf(rule).some(({ field }) => field === 'level'),
	);
	if (!worstOf(reasons)) reasons.push(...ofOtherwise(policy, facts, isLevelWaived));
	const outcome = worstOf(reasons) ?? 'allow';
	const isHit = reasons.some(isSanctionsHit);
	return {
		outcome,
		...(isHit && { sanctions: true }),
		reasons,
		summary: summaryOf(outcome, reasons),
	};
}

const worst = ['block', 'review'] as const;

function worstOf(reasons: readonly Reason[]): Reason['outcome'] | undefined {
	const outcomes = reasons.filter(({ waived_by }) => !waived_by).map(({ outcome }) => outcome);
	return worst.find((outcome) => outcomes.includes(outcome));
}

/** The first exception that holds for the report at that time. */
function exceptionFor({ address, chain }: AnyReport, policy: Policy, at: Date) {
	if (typeof address !== 'string') return undefined;
	return policy.exceptions.get(addressKey(address))?.find((exception) => {
		const isOfChain =
			exception.chain === undefined || chainKey(exception.chain) === chainKey(chain);
		return isOfChain && at.getTime() < endOfException(exception);
	});
}

/** The same address may be clean on one chain and not on another. */
function ofAnotherChain({ chain: actual }: AnyReport, asked: string): Reason[] {
	if (!isOtherChain(asked, actual)) return [];
	const said = typeof actual === 'string' ? actual : null;
	const problem = `the report is ${said === null ? 'of no named chain' : `of the chain ${said}`}, and ${asked} was asked for`;
	const compared = { field: 'chain', operator: 'equals', value: asked, actual: said } as const;
	return [{ ...compared, outcome: 'review', problem }];
}

/** A rule asks for its outcome if all its conditions hold, and for a review if one of them cannot be checked. */
function ofRule(
	rule: Rule,
	facts: RuleFacts,
	exception: Exception | undefined,
): Reason | undefined {
	const judged = conditionsOf(rule).map((condition) => evaluate(condition, facts));
	const problem = judged.find((one) => one.problem !== undefined)?.problem;
	if (problem === undefined && !judged.every(({ holds }) => holds)) return undefined;
	const [first, ...others] = judged.map(({ compared }) => compared);
	const what = others.length > 0 ? { all: [first!, ...others] } : first;
	if (problem !== undefined) return { ...what, outcome: 'review', problem };
	if (!rule.mayBeWaived || !exception) return { ...what, outcome: rule.outcome };
	const { until, reason, approvedBy: approved_by } = exception;
	return { ...what, outcome: rule.outcome, waived_by: { until, reason, approved_by } };
}

function ofList({ record, has }: List, { address }: AnyReport, at: Date): Reason[] {
	const { name: list, outcome, sanctions, length, as_of, max_age_days: days } = record;
	const age = as_of === undefined ? 0 : at.getTime() - Date.parse(as_of);
	const review = (problem: string): Reason[] => [{ list, outcome: 'review', problem }];
	if (typeof address === 'string' && has(addressKey(address))) {
		return [{ list, ...(sanctions && { sanctions }), outcome }];
	}
	if (typeof address !== 'string') return review("the report has no 'address'");
	if (length === 0) return review(`the list '${list}' is empty`);
	// A day may have begun elsewhere.
	if (!(age >= -oneDay)) return review(`the list '${list}' is of a time to come`);
	return days !== undefined && age > days * oneDay
		? review(`the list '${list}' is older than ${counted(days, 'day')}`)
		: [];
}

/** What the level has to be for a report that nothing stops. */
const notGreen: Condition = { field: 'level', operator: 'notEquals', value: 'green' };

function ofOtherwise({ otherwise }: Policy, facts: RuleFacts, isLevelWaived: boolean): Reason[] {
	if (otherwise === 'review') return [{ outcome: 'review', otherwise: true }];
	if (otherwise === 'allow' || isLevelWaived) return [];
	const { holds, problem, compared } = evaluate(notGreen, facts);
	if (!holds && problem === undefined) return [];
	return [{ ...compared, outcome: 'review', otherwise: true, ...(problem && { problem }) }];
}

/** `problem`: why nobody can say whether it holds. */
function evaluate(condition: Condition, facts: RuleFacts) {
	const { operator, value } = condition;
	const field = nameOf(condition);
	const given = conditionValue(condition, facts);
	const isText = typeof value === 'string';
	const actual = (isText ? filledText(given) : isNumber(given) ? given : undefined) ?? null;
	const compared: Compared = { field, operator, value, actual };
	if (actual !== null) return { compared, holds: operatorRules[operator][0](actual, value) };
	const [name, holder] =
		typeof field === 'string' ? [field, 'report'] : [field.input, 'input item'];
	const problem = isGiven(given)
		? `'${name}' of the ${holder} is not a ${isText ? 'text' : 'number'}`
		: `the ${holder} has no '${name}'`;
	return { compared, holds: false, problem };
}

function conditionValue({ field, categoryKey }: Condition, { report, input }: RuleFacts): unknown {
	if (typeof field === 'object') return valueAt(input, field.input);
	if (field === 'level' || field === 'score') return report.risk[field];
	return field === 'tx_count'
		? report.tx_count
		: fieldOf(categoriesOf(report), categoryKey ?? field);
}

const isSame = (actual: Value, value: Value) => actual === value || sameName(actual, value);

/** When a condition holds, and what it asks for in words. */
const operatorRules: Record<
	Operator,
	[holds: (actual: Value, value: Value) => boolean, asked: (value: string) => string]
> = {
	gte: [(actual, value) => actual >= value, (value) => `${value} or more`],
	lte: [(actual, value) => actual <= value, (value) => `${value} or less`],
	equals: [isSame, (value) => value],
	notEquals: [(actual, value) => !isSame(actual, value), (value) => `anything but ${value}`],
};

const longestSummary = 400;
const mostSaid = 3;

function summaryOf(outcome: Decision['outcome'], reasons: readonly Reason[]): string {
	const word = capitalized(outcome);
	if (reasons.length === 0) return `${word}: no rule applies`;
	const said = worstFirst(reasons).slice(0, mostSaid).map(sentence);
	const more = reasons.length - said.length;
	const line = [...said, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
	return clip(plain(`${word}: ${line}`), longestSummary);
}

/** A sanctions hit comes first, then what could not be judged, reasons to block, those to review, and those that are waived. */
export function worstFirst(reasons: readonly Reason[]): Reason[] {
	return [...reasons].sort((one, other) => rankOf(one) - rankOf(other));
}

function rankOf(reason: Reason): number {
	if (isSanctionsHit(reason)) return -2;
	if (reason.problem) return -1;
	return reason.waived_by ? 2 : worst.indexOf(reason.outcome);
}

/** The comparisons of a reason: one, several of a rule with `all`, none of a list. */
const comparisonsOf = ({ all, ...one }: Reason): Array<Partial<Compared>> => all ?? [one];

/** A comparison of the category `sanctions` that holds for more than nothing. */
function isSanctioned({ field, operator, value, actual }: Partial<Compared>): boolean {
	if (!isOnSanctions(field) || !isNumber(actual) || actual === 0) return false;
	return operator !== undefined && value !== undefined && operatorRules[operator][0](actual, value);
}

/** Whether a reason is a sanctions hit: the address is on a sanctions list, or a comparison of the category `sanctions` holds. */
export function isSanctionsHit(reason: Reason): boolean {
	return reason.sanctions === true || comparisonsOf(reason).some(isSanctioned);
}

/** The first sanctions hit in a few words, e.g. `sanctions 0.893`; undefined if there is none. Not yet escaped for any place. */
export function sanctionsHitIn(reasons: readonly Reason[]): string | undefined {
	const hit = reasons.find(isSanctionsHit);
	if (!hit) return undefined;
	if (hit.sanctions) return `on the sanctions list '${show(hit.list, 40)}'`;
	return `sanctions ${show(comparisonsOf(hit).find(isSanctioned)?.actual, 24)}`;
}

/** A reason on one line, e.g. `mixer is 0.3 (0.2 or more means review)`; not yet escaped for any place. */
export function sentence({
	all,
	list,
	sanctions,
	problem,
	outcome,
	waived_by,
	...one
}: Reason): string {
	const so = `which means ${outcome}`;
	if (problem) return `${show(problem, 160)}: ${outcome}`;
	if (list !== undefined) {
		return `the address is on the ${sanctions ? 'sanctions ' : ''}list '${show(list, 64)}', ${so}`;
	}
	if (one.otherwise) {
		return one.field === undefined
			? `no rule stops it, ${so}`
			: `level is ${show(one.actual, 64)} (only green is allowed)`;
	}
	const compared = all ?? [one as Compared];
	const facts = compared.map(({ field, actual }) => {
		const name = typeof field === 'string' ? (inWords(field) ?? field) : field.input;
		return `${show(name, 64)} is ${show(actual, 64)}`;
	});
	const asked = compared.map(({ operator, value }) => operatorRules[operator][1](show(value, 64)));
	const rule = `${facts.join(' and ')} (${asked.join(' and ')} means ${outcome})`;
	if (!waived_by) return rule;
	const { until, reason, approved_by } = waived_by;
	return `waived until ${show(until, 16)} by ${show(approved_by, 64)} (${show(reason, 96)}): ${rule}`;
}
