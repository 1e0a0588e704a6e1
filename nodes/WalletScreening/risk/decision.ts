import { isOtherChain } from '../service/chain';
import type { Report } from '../service/shapes';
import { sameLevel } from './level';

export type Operator = 'gte' | 'lte' | 'equals' | 'notEquals';

/** What a rule says about a report: an outcome that holds where the comparison is true. */
export type Rule = {
	/** `level`, `score`, or the key of a category. */
	field: string;
	outcome: 'review' | 'block';
} & (
	| { of: 'level'; operator: 'equals' | 'notEquals'; value: string }
	| { of: 'score' | 'category'; operator: Operator; value: number }
);

/** Why a report was not simply allowed: a rule that fired, or one that could not be checked. */
export interface Reason {
	field: string;
	operator: Operator;
	value: string | number;
	/** What the report says; null where it does not say it, or not in the type that the rule needs. */
	actual: string | number | null;
	outcome: 'review' | 'block';
	/** Why the rule could not be checked, or why there is a reason without a rule. */
	problem?: string;
}

export interface Decision {
	outcome: 'allow' | 'review' | 'block';
	reasons: Reason[];
}

/**
 * Holds a report against the rules; the worst outcome of those that fire wins. It fails closed: a value that a rule needs
 * and the report lacks, or has in another type, is a reason to review, and so is a report that is not of the `chain` that
 * was asked for, where one was.
 */
export function decide(report: Report, rules: readonly Rule[], chain = ''): Decision {
	const reasons = [
		...ofAnotherChain(report, chain),
		...rules.flatMap((rule) => reasonOf(report, rule) ?? []),
	];
	const outcomes = reasons.map(({ outcome }) => outcome);
	const worst = (['block', 'review'] as const).find((outcome) => outcomes.includes(outcome));
	return { outcome: worst ?? 'allow', reasons };
}

/** The same address may be clean on one chain and not on another. */
function ofAnotherChain({ chain: actual }: Report, asked: string): Reason[] {
	if (!isOtherChain(asked, actual)) return [];
	const said = typeof actual === 'string' ? actual : null;
	const problem = `The report is ${said === null ? 'of no named chain' : `of the chain ${said}`}, and ${asked} was asked for`;
	const reason = { field: 'chain', operator: 'equals', value: asked, actual: said } as const;
	return [{ ...reason, outcome: 'review', problem }];
}

function reasonOf({ risk }: Report, rule: Rule): Reason | undefined {
	const { field, operator, value, outcome } = rule;
	const fired = (actual: string | number) => ({ field, operator, value, actual, outcome });
	const unchecked = (problem: string): Reason => ({
		field,
		operator,
		value,
		actual: null,
		outcome: 'review',
		problem,
	});
	if (rule.of === 'level') {
		if (risk.level.trim() === '') return unchecked("The report has no 'level'");
		const same = sameLevel(risk.level, rule.value);
		return same === (rule.operator === 'equals') ? fired(risk.level) : undefined;
	}
	const actual = rule.of === 'score' ? risk.score : categoryOf(risk, field);
	if (typeof actual === 'number' && Number.isFinite(actual)) {
		return compare[rule.operator](actual, rule.value) ? fired(actual) : undefined;
	}
	return unchecked(
		actual === undefined
			? `The report has no '${field}'`
			: `'${field}' of the report is not a number`,
	);
}

const compare: Record<Operator, (actual: number, value: number) => boolean> = {
	gte: (actual, value) => actual >= value,
	lte: (actual, value) => actual <= value,
	equals: (actual, value) => actual === value,
	notEquals: (actual, value) => actual !== value,
};

/** Section 2.3; undefined where the report does not have the category. */
function categoryOf({ categories }: Report['risk'], key: string): unknown {
	const holds = typeof categories === 'object' && categories !== null;
	return holds && Object.hasOwn(categories, key)
		? (categories as Record<string, unknown>)[key]
		: undefined;
}
