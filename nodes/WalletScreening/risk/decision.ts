import { addressKey } from '../service/address';
import { isOtherChain } from '../service/chain';
import { fieldOf } from '../service/json';
import { capitalized, filled, inWords, sameName } from './names';
import type { Exception, Operator, Policy, Rule } from './policy';
import { type AnyReport, categoriesOf } from './report';
import { clip, isNumber, show, withoutMarkup } from './values';

/** Why a report was not simply allowed: a rule that matched, or one that could not be checked. */
export interface Reason {
	field: string;
	operator: Operator;
	value: string | number;
	/** What the report says; null if it does not say it, or not in the type that the rule needs. */
	actual: string | number | null;
	outcome: 'review' | 'block';
	/** Why the rule could not be checked, or why there is a reason without a rule. */
	problem?: string;
	/** The exception for which the rule does not count. */
	waived_by?: { until: string; reason: string; approved_by: string };
}

export interface Decision {
	outcome: 'allow' | 'review' | 'block';
	reasons: Reason[];
	/** The outcome and why, for people: one line of at most 400 characters, without angle brackets. */
	summary: string;
}

/** Under which circumstances a decision is made. */
export interface Circumstances {
	/** When: exceptions are over at the end of their day. */
	at: Date;
	/** The chain that was asked for; empty if none was. */
	chain?: string;
}

/**
 * Decides on a report by a policy; the strictest outcome of the matching rules wins. It fails closed: a value that a rule
 * needs and the report lacks, or has in another type, is a reason to review, and so is a report that is not of the chain
 * that was asked for. An exception waives only rules that fire and may be waived; it never waives such a failure.
 */
export function decide(
	report: AnyReport,
	policy: Policy,
	{ at, chain = '' }: Circumstances,
): Decision {
	const reasons = ofAnotherChain(report, chain);
	for (const rule of policy.rules) {
		const reason = reasonOf(report, rule);
		if (!reason) continue;
		const mayBeWaived = rule.mayBeWaived && reason.problem === undefined;
		const exception = mayBeWaived ? exceptionFor(report, policy, at) : undefined;
		reasons.push(exception ? { ...reason, waived_by: waiver(exception) } : reason);
	}
	const counted = reasons.filter(({ waived_by }) => !waived_by);
	const worst = (['block', 'review'] as const).find((outcome) =>
		counted.some((reason) => reason.outcome === outcome),
	);
	const outcome = worst ?? 'allow';
	return { outcome, reasons, summary: summaryOf(outcome, reasons) };
}

/** The first exception that holds for the report at that time. */
function exceptionFor(report: AnyReport, policy: Policy, at: Date): Exception | undefined {
	const { address, chain } = report;
	if (typeof address !== 'string') return undefined;
	return policy.exceptions.get(addressKey(address))?.find((exception) => {
		const isOfChain = exception.chain === '' || sameName(exception.chain, chain);
		return isOfChain && at.getTime() < exception.end;
	});
}

function waiver({ until, reason, approvedBy }: Exception) {
	return { until, reason, approved_by: approvedBy };
}

/** The same address may be clean on one chain and not on another. */
function ofAnotherChain({ chain: actual }: AnyReport, asked: string): Reason[] {
	if (!isOtherChain(asked, actual)) return [];
	const said = typeof actual === 'string' ? actual : null;
	const problem = `The report is ${said === null ? 'of no named chain' : `of the chain ${said}`}, and ${asked} was asked for`;
	const reason = { field: 'chain', operator: 'equals', value: asked, actual: said } as const;
	return [{ ...reason, outcome: 'review', problem }];
}

function reasonOf(report: AnyReport, rule: Rule): Reason | undefined {
	const { field, operator, value, outcome } = rule;
	const reason = (actual: string | number): Reason => ({ field, operator, value, actual, outcome });
	const unchecked = (isGiven: boolean, type: string): Reason => {
		const problem = isGiven
			? `'${field}' of the report is not a ${type}`
			: `The report has no '${field}'`;
		return { field, operator, value, actual: null, outcome: 'review', problem };
	};
	if (rule.of === 'level') {
		const { level: given } = report.risk;
		const level = filled(given);
		if (level === undefined)
			return unchecked(given !== undefined && typeof given !== 'string', 'text');
		return sameName(level, rule.value) === (rule.operator === 'equals') ? reason(level) : undefined;
	}
	const actual = rule.of === 'score' ? report.risk.score : categoryOf(report, field);
	if (!isNumber(actual)) return unchecked(actual !== undefined, 'number');
	return compare[rule.operator](actual, rule.value) ? reason(actual) : undefined;
}

const compare: Record<Operator, (actual: number, value: number) => boolean> = {
	gte: (actual, value) => actual >= value,
	lte: (actual, value) => actual <= value,
	equals: (actual, value) => actual === value,
	notEquals: (actual, value) => actual !== value,
};

/** Section 2.3; undefined if the report does not have the category. */
function categoryOf(report: AnyReport, key: string): unknown {
	return fieldOf(categoriesOf(report) ?? {}, key);
}

const longestSummary = 400;
const mostSaid = 3;

function summaryOf(outcome: Decision['outcome'], reasons: readonly Reason[]): string {
	const word = capitalized(outcome);
	if (reasons.length === 0) return `${word}: no rule applies`;
	const said = worstFirst(reasons).slice(0, mostSaid).map(sentence);
	const more = reasons.length - said.length;
	const line = [...said, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
	return withoutMarkup(clip(`${word}: ${line}`, longestSummary));
}

/** Reasons to block come first, then those to review, then those that are waived. */
export function worstFirst(reasons: readonly Reason[]): Reason[] {
	return [...reasons].sort((one, other) => gravity(other) - gravity(one));
}

function gravity({ outcome, waived_by }: Reason): number {
	if (waived_by) return 0;
	return outcome === 'block' ? 2 : 1;
}

const conditions: Record<Operator, (value: string) => string> = {
	gte: (value) => `${value} or more`,
	lte: (value) => `${value} or less`,
	equals: (value) => value,
	notEquals: (value) => `anything but ${value}`,
};

/** A reason on one line, e.g. `mixer is 0.3 (0.2 or more means review)`; not yet escaped for any place. */
export function sentence(reason: Reason): string {
	const { field, operator, value, actual, outcome, problem, waived_by } = reason;
	if (problem) return `${show(problem, 160)}, which means ${outcome}`;
	const condition = conditions[operator](show(value, 64));
	const rule = `${show(inWords(field), 64)} is ${show(actual, 64)} (${condition} means ${outcome})`;
	if (!waived_by) return rule;
	const { until, reason: why, approved_by } = waived_by;
	return `waived until ${show(until, 16)} by ${show(approved_by, 64)} (${show(why, 96)}): ${rule}`;
}
