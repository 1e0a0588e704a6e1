import { z } from 'zod';
import { findRefusal } from '../address/refusal';
import { reportCategories } from '../answers/report';
import { halfCharacter } from '../shared/canonical';
import { isFields } from '../shared/json';
import { parseDecimal, trimInvisible } from '../shared/text';

/*
 * The JSON of a policy, in the part of zod that 3.25 and 4 share. `parsing.ts` words what is wrong
 * with one.
 */

const operators = ['gte', 'lte', 'equals', 'notEquals'] as const;
/** The values of a report that a rule can look at, beside the categories. */
export const reportValueNames = ['level', 'score', 'tx_count'];
/** What a rule can look at, beside the input item. */
export const ruleFieldNames = [...reportValueNames, ...[...reportCategories].sort(), 'other'];
/** What becomes of a report that nothing stops. */
export const otherwiseChoices = ['allowGreen', 'review', 'allow'] as const;

export type Otherwise = (typeof otherwiseChoices)[number];
export type Operator = (typeof operators)[number];
/** The outcomes that a rule or a list can ask for: none allows anything. */
type RuleOutcome = 'review' | 'block';
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

/** An outcome that a report gets if all conditions hold: a single one, or those of `all`. */
export type Rule = (Condition | { all: Condition[] }) & {
	outcome: RuleOutcome;
	/** Whether an exception can waive it. */
	mayBeWaived: boolean;
};

/**
 * An exception waives, for one address and up to the end of a day (UTC), the rules that may be
 * waived.
 */
export interface Exception {
	address: string;
	/** Without one, the exception is for every chain. */
	chain?: string | undefined;
	/** The last day, e.g. `2026-12-31`. */
	until: string;
	reason: string;
	approvedBy: string;
}

/** A list as the policy has it. */
export interface ListEntry {
	name: string;
	outcome: RuleOutcome;
	/** Whether it is a list of sanctioned addresses. */
	sanctions?: boolean | undefined;
	/** When the list was made: a day, or a time with its zone. */
	as_of?: string | undefined;
	max_age_days?: number | undefined;
	/** The addresses stay as they were given: their digest is of that. */
	addresses?: string[] | undefined;
	/** The number and the digest of the addresses, which evidence keeps instead of them. */
	length?: number | undefined;
	digest?: string | undefined;
}

/** A policy in the form of its schema, whose parts may still not go together. */
export interface ParsedPolicy {
	name?: string | undefined;
	version?: string | number | undefined;
	otherwise?: Otherwise | undefined;
	rules?: Rule[] | undefined;
	exceptions?: Exception[] | undefined;
	lists?: ListEntry[] | undefined;
}

const maxTextLength = 2_000;
/**
 * A text that canonical JSON can hold, because evidence keeps it. The result lacks what copy and
 * paste leave around a text.
 */
const policyText = z
	.string()
	.max(maxTextLength)
	.refine((given) => !halfCharacter.test(given))
	.transform(trimInvisible);
const requiredText = policyText.refine((given) => given !== '');
/** A number may be a text in decimals. */
const number = z.number().or(requiredText.transform(parseDecimal)).pipe(z.number().finite());
/** No level has quotation marks around it, or is an expression that n8n has not evaluated. */
const levelName = requiredText.refine(
	(given) => !/^["'“”„‘’`].*["'“”‘’`]$/.test(given) && !given.includes('{{'),
);
const dayText = requiredText.pipe(z.string().date());
const time = requiredText.pipe(z.string().datetime({ offset: true }));

/**
 * Reads a time of ISO 8601 with its zone, e.g. 2026-11-26T09:12:00Z; undefined for anything else.
 */
export function readTime(value: unknown): Date | undefined {
	const { data } = time.safeParse(value);
	return data === undefined ? undefined : new Date(data);
}
const ruleOutcome = z.enum(['review', 'block']) satisfies z.ZodType<RuleOutcome>;

/**
 * An object with these fields and no others, because a misspelt name may be a condition. A field
 * that is null counts as missing. One that is undefined is an issue: an expression with a mistyped
 * name gives that, and the value may matter.
 *
 * @example An exception with `chain: null` is for every chain. One with `chain: undefined` is
 * refused: it may be meant for one chain.
 */
const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
	z
		.unknown()
		.superRefine((given, context) => {
			if (!isFields(given)) return;
			const isUndefined = (name: string) => Object.hasOwn(given, name) && given[name] === undefined;
			for (const name of Object.keys(shape).filter(isUndefined))
				context.addIssue({ code: 'custom', path: [name] });
		})
		.transform(withoutNulls)
		.pipe(z.object(shape).strict());

function withoutNulls(given: unknown): unknown {
	if (!isFields(given)) return given;
	return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

const inputField = object({ input: requiredText });
const conditionFields = {
	field: z
		.custom<ConditionField>(
			(given) =>
				ruleFieldNames.some((name) => name === given) || inputField.safeParse(given).success,
		)
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
 */
function toCondition(parts: ConditionParts, context: z.RefinementCtx): Condition {
	const { field, categoryKey, operator } = parts;
	const value = valueIn(parts);
	const badPart = findBadPart(parts, value);
	if (badPart) context.addIssue({ code: 'custom', path: [badPart] });
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

/** Whether a condition compares a text with a text. */
const comparesText = ({ field, value }: ConditionParts): boolean =>
	field === 'level' || (isFields(field) && typeof value === 'string');

/** Only true, false and their texts are accepted; an empty text is false. */
const yesOrNo = z.preprocess((given = false) => {
	if (given === 'true') return true;
	return given === 'false' || given === '' ? false : given;
}, z.boolean());

const ruleSchema = object({
	all: z.array(object(conditionFields).transform(toCondition)).min(1).optional(),
	...conditionFields,
	outcome: ruleOutcome,
	mayBeWaived: yesOrNo,
}).transform(({ all, outcome, mayBeWaived, ...single }, context) => {
	const hasOwnCondition = Object.keys(single).length > 0;
	if (all && hasOwnCondition) context.addIssue({ code: 'custom', path: ['all'] });
	return { ...(all ? { all } : toCondition(single, context)), outcome, mayBeWaived };
});

/**
 * Adds an issue for an address that Screen would refuse: a mistyped one would never match. Returns
 * whether it did.
 */
function addRefusal(entry: unknown, context: z.RefinementCtx, path: number[] = []): boolean {
	const refusal = findRefusal(typeof entry === 'string' ? trimInvisible(entry) : '');
	if (refusal) context.addIssue({ code: 'custom', path, params: { refusal } });
	return refusal !== undefined;
}

const exceptionSchema = object({
	address: requiredText.superRefine((address, context) => void addRefusal(address, context)),
	chain: requiredText.optional(),
	until: dayText,
	reason: requiredText,
	approvedBy: requiredText,
});

const listSchema = object({
	name: requiredText,
	outcome: ruleOutcome,
	sanctions: z.boolean().optional(),
	as_of: dayText.or(time).optional(),
	max_age_days: z.number().positive().finite().optional(),
	addresses: z
		.custom<string[]>(Array.isArray)
		.superRefine((entries, context) => {
			entries.some((entry, at) => addRefusal(entry, context, [at]));
		})
		.optional(),
	length: z.number().optional(),
	digest: requiredText.optional(),
}).refine(({ as_of, max_age_days }) => as_of !== undefined || max_age_days === undefined, {
	path: ['as_of'],
});

/** The compiler holds its result against `ParsedPolicy` where `parsePolicy` returns it. */
export const policySchema = object({
	name: policyText.optional(),
	version: z.number().finite().or(policyText).optional(),
	otherwise: z.enum(otherwiseChoices).optional(),
	rules: z.array(ruleSchema).optional(),
	exceptions: z.array(exceptionSchema).optional(),
	lists: z.array(listSchema).optional(),
});
