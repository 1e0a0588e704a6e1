import { z } from 'zod';
import { reportCategories } from '../answers/report';
import { isJsonObject } from '../shared/json';
import { parseDecimal } from '../shared/text';
import { type IssueNote, noteOf, policyText, requiredText, strictObject } from './schemaParts';

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
	const { data: value, error } = valueSchemaFor(parts).safeParse(parts.value);
	const badPart = findBadPart(parts, error?.issues[0]);
	if (badPart) {
		context.addIssue({ code: 'custom', path: [badPart.name], params: badPart.note });
	}
	// Without an issue, no part is missing, which the compiler cannot see. With one, zod drops this
	// and returns the issue.
	return { field, ...(field === 'other' && { categoryKey }), operator, value } as Condition;
}

const limitOnText: IssueNote = {
	advice:
		'gte and lte compare numbers: write the value without quotation marks. For a text, e.g. the level, use equals or notEquals.',
};

/** A part of a condition that is missing, or that does not go with the others. */
interface BadPart {
	name: keyof ConditionParts;
	/** Empty if there is no more to tell than that it is bad. */
	note: IssueNote;
}

/** Finds the first bad part. `valueIssue` is what is wrong with the value. */
function findBadPart(
	parts: ConditionParts,
	valueIssue: z.ZodIssue | undefined,
): BadPart | undefined {
	const { field, categoryKey, operator } = parts;
	if (field === undefined) return { name: 'field', note: {} };
	if (field === 'other' && !categoryKey) return { name: 'categoryKey', note: {} };
	if (operator === undefined) return { name: 'operator', note: {} };
	const isLimit = operator === 'gte' || operator === 'lte';
	if (isLimit && comparesText(parts)) return { name: 'operator', note: limitOnText };
	return valueIssue && { name: 'value', note: noteOf(valueIssue) };
}

/** The schema of the values with which the field of a condition can be compared. */
function valueSchemaFor(parts: ConditionParts): z.ZodType<string | number, z.ZodTypeDef, unknown> {
	if (!comparesText(parts)) return number;
	return parts.field === 'level' ? levelName : requiredText;
}

/**
 * Whether a condition compares a text with a text. A field of the input item is compared as text if
 * the policy gives a text.
 */
const comparesText = ({ field, value }: ConditionParts): boolean =>
	field === 'level' || (isJsonObject(field) && typeof value === 'string');
