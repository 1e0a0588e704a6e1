import { z } from 'zod';
import { type AddressRefusal, findRefusal } from '../address/refusal';
import { trimInvisible } from '../shared/text';
import { type Condition, conditionFields, toCondition } from './conditionSchema';
import { type IssueNote, policyText, requiredText, strictObject } from './schemaParts';

/*
 * The JSON of a policy, in the part of zod that 3.25 and 4 share: first the types, then the schemas
 * that give them. `parsePolicy.ts` uses the two schemas at the end.
 */

/** What becomes of a report that nothing stops. */
export const otherwiseChoices = ['allowGreen', 'review', 'allow'] as const;

export type Otherwise = (typeof otherwiseChoices)[number];
/** The outcomes that a rule or a list can ask for: none allows anything. */
type RuleOutcome = 'review' | 'block';

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

/** What is known of a list of addresses that a team keeps, without its addresses. */
interface ListDetails {
	name: string;
	outcome: RuleOutcome;
	/** Whether it is a list of sanctioned addresses. */
	sanctions?: boolean | undefined;
	/** When the list was made: a day, or a time with its zone. */
	as_of?: string | undefined;
	max_age_days?: number | undefined;
}

/** A list that a user gives. */
export interface GivenList extends ListDetails {
	/** The addresses stay as they were given: their digest is of that. */
	addresses?: string[] | undefined;
}

/** A list as evidence keeps it. */
export interface ListRecord extends ListDetails {
	/** How many addresses it has. */
	length: number;
	/** The digest of the addresses, in hex. */
	digest: string;
}

/** A policy in the form of its schema, whose parts may still not go together. */
export interface ParsedPolicy<List> {
	name?: string | undefined;
	version?: string | number | undefined;
	otherwise?: Otherwise | undefined;
	rules?: Rule[] | undefined;
	exceptions?: Exception[] | undefined;
	lists?: List[] | undefined;
}

const dayText = requiredText.pipe(z.string().date());
/** zod also accepts a zone that does not exist, e.g. +24:00, of which JavaScript makes no time. */
const time = requiredText
	.pipe(z.string().datetime({ offset: true }))
	.refine((given) => Number.isFinite(Date.parse(given)));

/**
 * Reads a time of ISO 8601 with its zone, e.g. 2026-11-26T09:12:00Z; undefined for anything else.
 */
export function readTime(value: unknown): Date | undefined {
	const { data } = time.safeParse(value);
	return data === undefined ? undefined : new Date(data);
}

const ruleOutcome = z.enum(['review', 'block']) satisfies z.ZodType<RuleOutcome>;

/** Only true, false and their texts are accepted. A missing value and an empty text are false. */
const yesOrNo = z.preprocess((given = false) => {
	if (given === 'true') return true;
	return given === 'false' || given === '' ? false : given;
}, z.boolean());

const ruleSchema = strictObject({
	all: z.array(strictObject(conditionFields).transform(toCondition)).min(1).optional(),
	...conditionFields,
	outcome: ruleOutcome,
	mayBeWaived: yesOrNo,
}).transform(({ all, outcome, mayBeWaived, ...single }, context) => {
	// zod leaves out optional fields that are absent, so `single` is empty if the rule has only `all`.
	const hasOwnCondition = Object.keys(single).length > 0;
	if (all && hasOwnCondition) context.addIssue({ code: 'custom', path: ['all'] });
	return { ...(all ? { all } : toCondition(single, context)), outcome, mayBeWaived };
});

/**
 * Adds an issue for an address that Screen would refuse: a mistyped one would never match. Returns
 * whether it did.
 */
function addRefusal(
	entry: unknown,
	context: z.RefinementCtx,
	path: Array<string | number>,
): boolean {
	const refusal = findRefusal(typeof entry === 'string' ? trimInvisible(entry) : '');
	if (!refusal) return false;
	const params = typeof entry === 'string' ? noteOnRefusal(refusal) : {};
	context.addIssue({ code: 'custom', path, params });
	return true;
}

const noteOnRefusal = ({ kind, problem, advice }: AddressRefusal): IssueNote => ({
	advice: `It ${problem}. ${advice}`,
	isSecret: kind === 'secret',
});

const exceptionSchema = strictObject({
	address: requiredText,
	chain: requiredText.optional(),
	until: dayText,
	reason: requiredText,
	approvedBy: requiredText,
});

const listFields = {
	name: requiredText,
	outcome: ruleOutcome,
	sanctions: z.boolean().optional(),
	as_of: dayText.or(time).optional(),
	max_age_days: z.number().positive().finite().optional(),
};

/** Whether the age of a list is known, if it has to be. */
const hasKnownAge = ({ as_of, max_age_days }: Partial<ListDetails>): boolean =>
	as_of !== undefined || max_age_days === undefined;

const givenListSchema = strictObject({
	...listFields,
	addresses: z
		.custom<string[]>(Array.isArray)
		.superRefine((entries, context) => {
			// Only the first refusal is added.
			entries.some((entry, at) => addRefusal(entry, context, [at]));
		})
		.optional(),
}).refine(hasKnownAge, { path: ['as_of'] });

const recordedListSchema = strictObject({
	...listFields,
	length: z.number(),
	digest: requiredText,
}).refine(hasKnownAge, { path: ['as_of'] });

const policyFields = {
	name: policyText.optional(),
	version: z.number().finite().or(policyText).optional(),
	otherwise: z.enum(otherwiseChoices).optional(),
	rules: z.array(ruleSchema).optional(),
	exceptions: z.array(exceptionSchema).optional(),
};

/*
 * The compiler holds the results of both schemas against `ParsedPolicy` where `parsePolicy.ts` returns
 * them.
 */

/** The policy of evidence. The addresses of its exceptions were checked when it was given. */
export const recordedPolicySchema = strictObject({
	...policyFields,
	lists: z.array(recordedListSchema).optional(),
});

/** A policy that a user gives: its addresses are those that Screen takes. */
export const policySchema = strictObject({
	...policyFields,
	lists: z.array(givenListSchema).optional(),
}).superRefine(({ exceptions = [] }, context) => {
	exceptions.forEach(({ address }, at) =>
		addRefusal(address, context, ['exceptions', at, 'address']),
	);
});
