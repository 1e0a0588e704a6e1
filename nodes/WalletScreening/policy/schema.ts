import { z } from 'zod';
import { refusalOf } from '../address/refusal';
import { isFields } from '../shared/json';
import { parseDecimal, withoutEdges } from '../shared/text';
import { halfCharacter } from '../shared/canonical';

/* A policy as JSON says it, in the part of zod that 3.25 and 4 share. `reading.ts` words what is wrong with one. */

const operators = ['gte', 'lte', 'equals', 'notEquals'] as const;
export const reportValueNames = ['level', 'score', 'tx_count'];
/** The categories of section 2.3. */
export const categories = ['clean_exchange', 'darknet', 'mixer', 'sanctions', 'scam', 'stolen'];
/** What a rule can look at, beside the input item. */
export const ruleFieldNames = [...reportValueNames, ...categories, 'other'];
/** What becomes of a report that nothing stops. */
export const otherwises = ['allowGreen', 'review', 'allow'] as const;

export type Operator = (typeof operators)[number];
export type ConditionField = string | { input: string };

/** A comparison of a text with a text, only for equality, or of a number with a number. */
export interface Condition {
	/** A name of `fields`, or the name of a field of the input item (dots for nested fields). */
	field: ConditionField;
	/** The name of the category, if the field is `other`. */
	categoryKey?: string | undefined;
	operator: Operator;
	value: string | number;
}

/** Evidence holds every text of a policy, in canonical JSON. */
const longestPolicyText = 2_000;
/** Without what copy and paste leave around it. */
const policyText = z
	.string()
	.max(longestPolicyText)
	.refine((given) => !halfCharacter.test(given))
	.transform(withoutEdges);
const requiredText = policyText.refine((given) => given !== '');
/** A number, also as text in decimals. */
const number = z.number().or(requiredText.transform(parseDecimal)).pipe(z.number().finite());
/** The name of a level. No level has quotation marks around it, or is an expression that n8n has not evaluated. */
const levelName = requiredText.refine(
	(given) => !/^["'“”„‘’`].*["'“”‘’`]$/.test(given) && !given.includes('{{'),
);
const dayText = requiredText.pipe(z.string().date());
const time = requiredText.pipe(z.string().datetime({ offset: true }));
const strictness = z.enum(['review', 'block']);

/** No schema takes it. So ends an expression with a mistyped name, and what it should have given may matter. */
const emptyExpression = Symbol('an expression that gives nothing');

/** An object with these names and no others: a misspelt one may be a condition. Null counts as missing. */
const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
	z.preprocess((given) => {
		if (!isFields(given)) return given;
		const all = Object.entries(given).filter(([, value]) => value !== null);
		return Object.fromEntries(all.map(([name, value = emptyExpression]) => [name, value]));
	}, z.object(shape).strict());

const inputField = object({ input: requiredText });
const ofCondition = {
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

function conditionOf(
	{ field, categoryKey, operator, value }: { [Name in keyof Condition]?: unknown },
	context: z.RefinementCtx,
) {
	const isLevel = field === 'level';
	const isText = isLevel || (isFields(field) && typeof value === 'string');
	const schema = isLevel ? levelName : isText ? requiredText : number;
	const { data: asked } = schema.safeParse(value);
	const wrong = Object.entries({
		field: field === undefined,
		categoryKey: field === 'other' && !categoryKey,
		operator: operator === undefined || (isText && (operator === 'gte' || operator === 'lte')),
		value: asked === undefined,
	}).find(([, isWrong]) => isWrong);
	if (wrong) context.addIssue({ code: 'custom', path: [wrong[0]] });
	const named = field === 'other' ? { field, categoryKey } : { field };
	return { ...named, operator, value: asked } as Condition;
}

const ruleSchema = object({
	all: z.array(object(ofCondition).transform(conditionOf)).min(1).optional(),
	...ofCondition,
	outcome: strictness,
	/** Whether an exception can waive it. What one person could take for a yes and another for a no is refused. */
	mayBeWaived: z.preprocess((given = false) => {
		if (given === 'true') return true;
		return given === 'false' || given === '' ? false : given;
	}, z.boolean()),
}).transform(({ all, outcome, mayBeWaived, ...one }, context) => {
	const isTwice = all !== undefined && Object.keys(one).length > 0;
	if (isTwice) context.addIssue({ code: 'custom', path: ['all'] });
	return { ...(all ? { all } : conditionOf(one, context)), outcome, mayBeWaived };
});

/** Whether Screen would refuse an entry, which is an issue then: a mistyped address would never match. */
function addRefusal(entry: unknown, context: z.RefinementCtx, path: number[] = []): boolean {
	const refusal = refusalOf(typeof entry === 'string' ? withoutEdges(entry) : '');
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
	outcome: strictness,
	/** Whether it is a list of sanctioned addresses. */
	sanctions: z.boolean().optional(),
	as_of: dayText.or(time).optional(),
	max_age_days: z.number().positive().finite().optional(),
	/** As they were given: their digest is of that. */
	addresses: z
		.custom<string[]>(Array.isArray)
		.superRefine((entries, context) => {
			entries.some((entry, at) => addRefusal(entry, context, [at]));
		})
		.optional(),
	/** Evidence keeps these instead of the addresses. */
	length: z.number().optional(),
	digest: requiredText.optional(),
}).refine(({ as_of, max_age_days }) => as_of !== undefined || max_age_days === undefined, {
	path: ['as_of'],
});

export const policySchema = object({
	name: policyText.optional(),
	version: z.number().finite().or(policyText).optional(),
	otherwise: z.enum(otherwises).optional(),
	rules: z.array(ruleSchema).optional(),
	exceptions: z.array(exceptionSchema).optional(),
	lists: z.array(listSchema).optional(),
});

/** An outcome that holds if all conditions do. */
export type Rule = z.output<typeof ruleSchema>;
/** Waives, for one address and up to the end of a day (UTC), the rules that may be waived. */
export type Exception = z.output<typeof exceptionSchema>;
export type GivenList = z.output<typeof listSchema>;
