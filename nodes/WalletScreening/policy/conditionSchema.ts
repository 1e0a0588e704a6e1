import { z } from 'zod';
import { reportCategories } from '../answers/report';
import { isJsonObject } from '../shared/json';
import { parseDecimal } from '../shared/text';
import { maxTextLength, policyText, requiredText, strictObject } from './schemaParts';

/* The JSON of a condition. A rule has the fields of its single condition, or a list of conditions. */

const operators = ['gte', 'lte', 'equals', 'notEquals'] as const;
/** The values of a report that a rule can look at, beside the categories. */
export const reportValueNames = ['level', 'score', 'tx_count'];
/** What a rule can look at, beside the input item. */
export const ruleFieldNames = [...reportValueNames, ...[...reportCategories].sort(), 'other'];

export type Operator = (typeof operators)[number];
export type ConditionField = string | { input: string };

/** A comparison of a text with a text, only for equality, or of a number with a number. */
export interface Condition {
	/**
	 * A name of `ruleFieldNames`, or the name of a field of the input item (dots for nested fields).
	 */
	field: ConditionField;
	/** The name of the category, if the field is `other`. */
	categoryKey?: string | undefined;
	operator: Operator;
	value: string | number;
}

/** A number may be a text in decimals. */
const number = z.number().or(requiredText.transform(parseDecimal)).pipe(z.number().finite());
/** No level has quotation marks around it, or is an expression that n8n has not evaluated. */
const levelName = requiredText.refine(
	(given) => !/^["'“”„‘’`].*["'“”‘’`]$/.test(given) && !given.includes('{{'),
);

const inputField = strictObject({ input: requiredText });

/** The field that a value names, trimmed; undefined if it names none. */
function readField(given: unknown): ConditionField | undefined {
	const text = policyText.safeParse(given).data;
	return ruleFieldNames.find((name) => name === text) ?? inputField.safeParse(given).data;
}

/** The schemas of the fields of a condition. `toCondition` finds out whether they go together. */
export const conditionFields = {
	field: z
		.custom((given) => readField(given) !== undefined)
		.transform(readField)
		.optional(),
	categoryKey: policyText.optional(),
	operator: z.enum(operators).optional(),
	value: z.unknown().optional(),
};

/** The fields of a condition, each of which may be missing. */
interface ConditionParts {
	field?: unknown;
	categoryKey?: string | undefined;
	operator?: Operator | undefined;
	value?: unknown;
}

/**
 * The condition of these parts. One that is missing, or does not go with the others, is an issue.
 *
 * @example
 *
 *     parts                                                gives
 *     { field: 'score', operator: 'gte', value: '0.5' }    the condition, with the value 0.5
 *     { field: 'level', operator: 'gte', value: 'red' }    an issue with the path ['operator']
 *
 * zod puts before the path where the condition is: the second one makes ['rules', 0, 'operator'] as
 * the single condition of the first rule, and ['rules', 0, 'all', 1, 'operator'] in its list.
 */
export function toCondition(parts: ConditionParts, context: z.RefinementCtx): Condition {
	const { field, categoryKey, operator } = parts;
	const value = valueIn(parts);
	const badPart = findBadPart(parts, value);
	if (badPart) {
		const params = { isTooLong: badPart === 'value' && hasTooLongText(parts) };
		context.addIssue({ code: 'custom', path: [badPart], params });
	}
	// Without an issue, this is a whole condition. With one, zod drops it and returns the issue.
	return { field, ...(field === 'other' && { categoryKey }), operator, value } as Condition;
}

/** Finds the first part that is missing, or that does not go with the others. */
function findBadPart(
	parts: ConditionParts,
	value: string | number | undefined,
): keyof ConditionParts | undefined {
	const { field, categoryKey, operator } = parts;
	if (field === undefined) return 'field';
	if (field === 'other' && !categoryKey) return 'categoryKey';
	const isForNumbers = operator === 'gte' || operator === 'lte';
	if (operator === undefined || (isForNumbers && comparesText(parts))) return 'operator';
	return value === undefined ? 'value' : undefined;
}

/** The value of a condition; undefined for one that its field cannot be compared with. */
function valueIn(parts: ConditionParts): string | number | undefined {
	const textSchema = parts.field === 'level' ? levelName : requiredText;
	return (comparesText(parts) ? textSchema : number).safeParse(parts.value).data;
}

/** Whether the value is compared as a text, and longer than a text of a policy may be. */
const hasTooLongText = (parts: ConditionParts): boolean =>
	comparesText(parts) && String(parts.value).length > maxTextLength;

/**
 * Whether a condition compares a text with a text. A field of the input item is compared as text if
 * the policy gives a text.
 */
const comparesText = ({ field, value }: ConditionParts): boolean =>
	field === 'level' || (isJsonObject(field) && typeof value === 'string');
