import { type AnyReport, categoriesOf } from '../answers/report';
import { valueAt } from '../shared/fieldPath';
import { fieldOf, hasValue, isNumber, type JsonObject, nonBlankText } from '../shared/json';
import { equalsIgnoringCase, trimInvisible } from '../shared/text';
import {
	type Condition,
	type ConditionField,
	type Operator,
	reportValueNames,
} from './conditionSchema';
import type { Rule } from './policySchema';

/** A text or a number, as a condition compares it. */
type ConditionValue = string | number;

/** What the conditions of a rule look at. */
export interface RuleFacts {
	report: AnyReport;
	/** The input item, for conditions on its fields. */
	input: JsonObject;
}

/** A condition, and the value that it was compared with. */
export interface Comparison {
	/**
	 * As `shownFieldOf` gives it: a category by its own key, and never `other`. It is `chain` if the
	 * report is of another chain than the one that was asked for.
	 */
	field: ConditionField;
	operator: Operator;
	value: ConditionValue;
	/** Null if the value is missing, or not of the type that the condition needs. */
	actual: ConditionValue | null;
}

/** What became of a condition. */
interface Evaluation {
	comparison: Comparison;
	holds: boolean;
	/** Why it is unknown whether the condition holds. It is undefined if that is known. */
	problem?: string;
}

/** What an operator means. */
interface OperatorMeaning {
	holds(actual: ConditionValue, value: ConditionValue): boolean;
	/** Describes the values for which the operator holds, e.g. "0.5 or more". */
	describe(value: string): string;
}

/**
 * Two texts are the same without regard to case and to white space around them, as names of levels
 * are.
 */
const isSame = (actual: ConditionValue, value: ConditionValue) =>
	actual === value || equalsIgnoringCase(actual, value);

export const operatorMeanings: Record<Operator, OperatorMeaning> = {
	gte: {
		holds: (actual, value) => actual >= value,
		describe: (value) => `${value} or more`,
	},
	lte: {
		holds: (actual, value) => actual <= value,
		describe: (value) => `${value} or less`,
	},
	equals: {
		holds: isSame,
		describe: (value) => value,
	},
	notEquals: {
		holds: (actual, value) => !isSame(actual, value),
		describe: (value) => `any value other than ${value}`,
	},
};

/** The conditions of a rule, which all have to hold. */
export const conditionsOf = (rule: Rule): Condition[] => ('all' in rule ? rule.all : [rule]);

/** The field that a condition looks at, as reasons show it: a category by its own name. */
export const shownFieldOf = ({ field, categoryKey }: Condition): ConditionField =>
	categoryKey ?? field;

/** Whether a condition looks at the level. A category called level has the field `other`. */
export const isOnLevel = ({ field }: Condition): boolean => field === 'level';

/**
 * Whether a field is the category `sanctions` of a report (section 2.3), in upper or lower case, also
 * where it is read from a report that the input item holds.
 *
 * @example 'sanctions', { input: 'report.risk.categories.sanctions' }
 */
export const isSanctionsCategory = (field: ConditionField | undefined): boolean =>
	typeof field === 'object'
		? /(?:^|\.)categories\.sanctions$/i.test(field.input)
		: equalsIgnoringCase(field, 'sanctions');

/**
 * Whether the name of a category says that it is about sanctions. Only its letters count.
 *
 * @example sanctions, ofac_sanctions, Sanctioned Entity
 */
export const isSanctionsName = (key: string): boolean =>
	/sanction/i.test(key.replace(/\P{L}/gu, ''));

/**
 * Whether a condition on this field is about sanctions, so that no exception may waive its rule: the
 * field is a category with such a name, also where it is read from a report that the input item holds.
 *
 * @example 'ofac_sanctions', { input: 'report.risk.categories.ofac_sanctions' }
 */
export function isAboutSanctions(field: ConditionField): boolean {
	if (typeof field === 'string') return isSanctionsName(field);
	const [, category = ''] = /(?:^|\.)categories\.(.+)$/is.exec(field.input) ?? [];
	return isSanctionsName(category);
}

/**
 * Evaluates a condition. A value that is missing or of another type is a problem, and never a
 * match.
 */
export function evaluate(condition: Condition, facts: RuleFacts): Evaluation {
	const { operator, value } = condition;
	const field = shownFieldOf(condition);
	const given = readValue(condition, facts);
	const actual = comparableWith(value, given);
	const comparison: Comparison = { field, operator, value, actual };
	if (actual !== null)
		return { comparison, holds: operatorMeanings[operator].holds(actual, value) };
	return { comparison, holds: false, problem: describeMismatch(condition, given) };
}

/** Describes why a given value cannot be compared with that of a condition. */
function describeMismatch(condition: Condition, given: unknown): string {
	const field = shownFieldOf(condition);
	const name = typeof field === 'string' ? nameInReport(condition, field) : `'${field.input}'`;
	const holder = typeof field === 'string' ? 'report' : 'input item';
	const type = typeof condition.value === 'string' ? 'text' : 'number';
	return hasValue(given)
		? `${name} of the ${holder} is not a ${type}`
		: `the ${holder} has no ${name}`;
}

/** Names a field of the report. A category may be called like another value, e.g. level. */
function nameInReport({ categoryKey }: Condition, field: string): string {
	const isAmbiguous = categoryKey !== undefined && reportValueNames.includes(categoryKey);
	return isAmbiguous ? `category '${field}'` : `'${field}'`;
}

/** The given value if a comparison with `value` means something, else null. */
function comparableWith(value: ConditionValue, given: unknown): ConditionValue | null {
	if (typeof value === 'string') return nonBlankText(given) ?? null;
	return isNumber(given) ? given : null;
}

/** Reads the value that a condition looks at. */
function readValue({ field, categoryKey }: Condition, { report, input }: RuleFacts): unknown {
	if (typeof field === 'object') return readInput(input, field.input);
	if (field === 'level' || field === 'score') return report.risk[field];
	if (field === 'tx_count') return report.tx_count;
	return fieldOf(categoriesOf(report), categoryKey ?? field);
}

/**
 * Reads a field of the input item. A text lacks what copy and paste leave around it, as the texts of
 * a policy do: else `KP` with an invisible character would not be `KP`.
 */
function readInput(input: JsonObject, path: string): unknown {
	const value = valueAt(input, path);
	return typeof value === 'string' ? trimInvisible(value) : value;
}
