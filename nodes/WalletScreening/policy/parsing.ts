import type { z } from 'zod';
import type { AddressRefusal } from '../address/refusal';
import { halfCharacter } from '../shared/canonical';
import { ScreeningError } from '../shared/errors';
import { hasValue, type JsonObject } from '../shared/json';
import { formatValue } from '../shared/text';
import { ruleFieldNames } from './conditionSchema';
import { otherwiseChoices, type ParsedPolicy, policySchema, recordedPolicySchema } from './schema';
import { maxTextLength } from './schemaParts';

/** The name of a part of a policy, and what to do about one that is wrong as a whole. */
interface PartKind {
	name: string;
	advice: string;
}

const wholePolicy: PartKind = {
	name: 'Policy',
	advice:
		"Give a list of rules, or an object with 'rules' and optionally 'name', 'version', 'otherwise', 'exceptions' and 'lists'.",
};

/** The kind of each element of a list in a policy, by the name of the list. */
const elementKinds: Record<string, PartKind> = {
	rules: {
		name: 'Rule',
		advice:
			"A rule needs a 'field', an 'operator', a 'value' and an 'outcome', and may have 'mayBeWaived'.",
	},
	exceptions: {
		name: 'Exception',
		advice:
			"An exception needs an 'address', 'until', 'reason' and 'approvedBy', and may have a 'chain'.",
	},
	lists: {
		name: 'List',
		advice:
			"A list needs a 'name', an 'outcome' and 'addresses', and may have 'sanctions', 'as_of' and 'max_age_days'.",
	},
};

/** What to do about an unknown name in a condition of a list. */
const conditionAdvice =
	"A condition needs a 'field', an 'operator' and a 'value'. 'outcome' and 'mayBeWaived' are of the whole rule.";

/** What to do about a wrong value, by the name of its field. */
const fieldAdvice: Record<string, string> = {
	field: `Use one of ${ruleFieldNames.join(', ')}, or { "input": "the name of a field of the item" }.`,
	categoryKey: 'Enter the name of the category.',
	operator: 'Use gte, lte, equals or notEquals. For a text, use equals or notEquals.',
	value:
		'Give a number, with a point for the decimals, e.g. 0.5. For the level, give a text without quotation marks, e.g. green. For a field of the item, give a text or a number.',
	outcome: 'Use review or block.',
	mayBeWaived: 'Use true or false.',
	all: "Put all conditions of the rule into the list 'all'.",
	address: 'Give one address, without spaces or quotation marks.',
	addresses: 'Give each address as a text of its own, without spaces or quotation marks.',
	chain: 'Name the chain, or leave it out for every chain.',
	until: 'Give the last day as year, month and day, e.g. 2026-12-31.',
	approvedBy: 'Name the person who approved it.',
	sanctions: 'Use true for a list of sanctioned addresses, else false.',
	as_of:
		'Say when the list was made: a day, e.g. 2026-12-31, or a time with its zone, e.g. 2026-12-31T08:00:00Z.',
	max_age_days: 'Give a number of days above 0, without quotation marks.',
	otherwise: `Use one of ${otherwiseChoices.join(', ')}.`,
};

/** How many characters of a wrong value an error repeats: it may be a secret. */
const maxValueLength = 12;

/** Makes the error of a policy that cannot be used. */
export const invalidPolicy = (message: string, description: string) =>
	new ScreeningError('invalid_input', message, description);

/**
 * Parses a value of JSON as a policy.
 * @throws {ScreeningError} `invalid_input`, which names the rule, the exception or the list by its
 * number
 */
export const parsePolicy = (value: unknown): ParsedPolicy =>
	dataOf(policySchema.safeParse(value), value);

/**
 * Parses the policy of evidence, whose addresses were checked when it was made.
 * @throws {ScreeningError} as `parsePolicy`
 */
export const parseRecordedPolicy = (value: unknown): ParsedPolicy =>
	dataOf(recordedPolicySchema.safeParse(value), value);

/** @throws {ScreeningError} as `parsePolicy` */
function dataOf(
	{ data, error }: { data?: ParsedPolicy; error?: z.ZodError },
	value: unknown,
): ParsedPolicy {
	if (data) return data;
	// A misspelled name explains the one that is missing, so it comes first.
	const { issues } = error!;
	const unknownName = issues.find(({ code }) => code === 'unrecognized_keys');
	throw errorFor(unknownName ?? issues[0]!, value);
}

/**
 * Makes the error for an issue, whose path is e.g. `['rules', 0, 'value']`, or
 * `['lists', 0, 'addresses', 3]`.
 */
function errorFor(issue: z.ZodIssue, policy: unknown): ScreeningError {
	// In zod 4, a part of a path may be a symbol.
	const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
	const [list, index] = path;
	const isElement = typeof index === 'number';
	const kind = isElement ? elementKinds[String(list)]! : wholePolicy;
	const subject = isElement ? `${kind.name} ${index + 1}` : 'The policy';
	if (issue.code === 'unrecognized_keys') {
		const name = formatValue(issue.keys[0], 100);
		const where = describeCondition(path);
		const advice = where ? conditionAdvice : kind.advice;
		return invalidPolicy(`${subject} has an unknown name (${name})${where}`, advice);
	}
	// The issue is of the whole policy, or of a whole element: the path `['rules', 0]` names no field
	// of it.
	const isWhole = path.length === 0 || (isElement && path.length === 2);
	if (isWhole) {
		return invalidPolicy(`${subject} is not an object`, kind.advice);
	}

	const name = path.findLast((key) => typeof key === 'string')!;
	const last = path.at(-1)!;
	const which = typeof last === 'number' ? `entry ${last + 1} of '${name}'` : `'${name}'`;
	const value = path.reduce<unknown>((holder, key) => (holder as JsonObject)[key], policy);
	const where = describeCondition(path.slice(0, -1));
	const message = `${subject} ${describeValue(value, which, refusalIn(issue))}${where}`;
	const adviceOnValue =
		adviceOnAddress(issue, value) ?? adviceOnText(issue, value) ?? adviceOnLimit(name, value);
	return invalidPolicy(message, adviceOnValue ?? fieldAdvice[name] ?? kind.advice);
}

/** Names the condition that a path leads to, for the end of a sentence; empty for any other path. */
function describeCondition([, , list, index]: ReadonlyArray<string | number>): string {
	return list === 'all' && typeof index === 'number' ? ` in condition ${index + 1} of 'all'` : '';
}

function describeValue(value: unknown, which: string, refusal: AddressRefusal | undefined): string {
	if (!hasValue(value)) return `has nothing in ${which}`;
	const shown = refusal?.kind === 'secret' ? 'it is not shown' : formatValue(value, maxValueLength);
	return `has a wrong ${which} (${shown})`;
}

/** Why an address is refused, and what to do about it; undefined for any other issue. */
function adviceOnAddress(issue: z.ZodIssue, value: unknown): string | undefined {
	const refusal = refusalIn(issue);
	return refusal && typeof value === 'string'
		? `It ${refusal.problem}. ${refusal.advice}`
		: undefined;
}

/** What to do about a text that no policy can hold; undefined for any other value. */
function adviceOnText(issue: z.ZodIssue, value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	if (halfCharacter.test(value)) return 'It contains half of a character. Write this text again.';
	return isTooLong(issue)
		? `Shorten this text. A text of a policy has at most ${maxTextLength} characters.`
		: undefined;
}

/** Whether an issue is the length of a text. The schema marks that of a condition's value. */
const isTooLong = (issue: z.ZodIssue): boolean =>
	issue.code === 'too_big' || (issue.code === 'custom' && issue.params?.isTooLong === true);

/** What to do about an upper or lower limit on a text; undefined for any other value. */
function adviceOnLimit(name: string, value: unknown): string | undefined {
	return name === 'operator' && (value === 'gte' || value === 'lte')
		? 'gte and lte compare numbers: write the value without quotation marks. For a text, e.g. the level, use equals or notEquals.'
		: undefined;
}

/** The refusal of an address, which the schema adds to its issue. */
const refusalIn = (issue: z.ZodIssue) =>
	issue.code === 'custom' ? (issue.params?.refusal as AddressRefusal | undefined) : undefined;
