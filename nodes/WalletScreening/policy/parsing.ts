import type { z } from 'zod';
import { ScreeningError } from '../shared/errors';
import { hasValue, type JsonObject } from '../shared/json';
import { formatValue } from '../shared/text';
import { ruleFieldNames } from './conditionSchema';
import { otherwiseChoices, type ParsedPolicy, policySchema, recordedPolicySchema } from './schema';
import { noteOf } from './schemaParts';

/*
 * How a policy is parsed, and the error of one that cannot be. The error says where the first issue
 * is, what is wrong there, and what to do.
 */

/** What to do about a policy that is wrong as a whole. */
const policyAdvice =
	"Give a list of rules, or an object with 'rules' and optionally 'name', 'version', 'otherwise', 'exceptions' and 'lists'.";

/** What an element of a list is called, and what to do about one that is wrong as a whole. */
interface ElementKind {
	name: string;
	advice: string;
}

/** The kind of the elements of each list in a policy. */
const elementKinds: Record<string, ElementKind> = {
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
	sanctions:
		'Use true or false, without quotation marks. True is for a list of sanctioned addresses.',
	as_of:
		'Say when the list was made: a day, e.g. 2026-12-31, or a time with its zone, e.g. 2026-12-31T08:00:00Z.',
	max_age_days: 'Give a number of days above 0, without quotation marks.',
	version: 'Give a number, or a text of at most 2000 characters.',
	otherwise: `Use one of ${otherwiseChoices.join(', ')}.`,
};

/** Makes the error of a policy that cannot be used. */
export const invalidPolicy = (message: string, description: string) =>
	new ScreeningError('invalid_input', message, description);

/**
 * Parses a value of JSON as a policy.
 * @throws {ScreeningError} `invalid_input`, which names the rule, the exception or the list by its
 * number
 */
export const parsePolicy = (value: unknown): ParsedPolicy =>
	requireData(policySchema.safeParse(value), value);

/**
 * Parses the policy of evidence, whose addresses were checked when it was made.
 * @throws {ScreeningError} as `parsePolicy`
 */
export const parseRecordedPolicy = (value: unknown): ParsedPolicy =>
	requireData(recordedPolicySchema.safeParse(value), value);

/** @throws {ScreeningError} as `parsePolicy` */
function requireData(
	{ data, error }: { data?: ParsedPolicy; error?: z.ZodError },
	value: unknown,
): ParsedPolicy {
	if (data) return data;
	// A misspelled name explains the one that is missing, so it comes first.
	const { issues } = error!;
	const unknownName = issues.find(({ code }) => code === 'unrecognized_keys');
	throw errorFor(unknownName ?? issues[0]!, value);
}

/** The way to an issue, e.g. `['rules', 0, 'value']`. */
type Path = Array<string | number>;

/** Makes the error for an issue of a policy. */
function errorFor(issue: z.ZodIssue, policy: unknown): ScreeningError {
	// In zod 4, a part of a path may be a symbol.
	const path: Path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
	const subject = subjectOf(path);
	if (issue.code === 'unrecognized_keys') return unknownNameError(subject, issue.keys[0]);
	if (subject.path.length === 0) {
		return invalidPolicy(`${subject.name} is not an object`, subject.advice);
	}
	const { advice, isSecret = false } = noteOf(issue);
	const value = path.reduce<unknown>((holder, key) => (holder as JsonObject)[key], policy);
	const what = describeValue(value, describeField(subject), isSecret);
	const field = subject.path.findLast((key) => typeof key === 'string')!;
	return invalidPolicy(`${subject.name} ${what}`, advice ?? fieldAdvice[field] ?? subject.advice);
}

/** What an error is about: an element of a list, or the policy itself. */
interface Subject {
	/** E.g. "Rule 1". */
	name: string;
	/** What to do if it is wrong as a whole. */
	advice: string;
	/** The way from it to the issue; empty if the issue is of the whole subject. */
	path: Path;
}

/**
 * @example
 *
 *     path of the issue                     name          path of the subject
 *     ['name']                              The policy    ['name']
 *     ['rules', 0, 'value']                 Rule 1        ['value']
 *     ['rules', 0, 'all', 1, 'operator']    Rule 1        ['all', 1, 'operator']
 *     ['lists', 2, 'addresses', 3]          List 3        ['addresses', 3]
 *     ['lists', 2]                          List 3        []
 */
function subjectOf(path: Path): Subject {
	const [list, index, ...rest] = path;
	if (typeof index !== 'number') return { name: 'The policy', advice: policyAdvice, path };
	const { name, advice } = elementKinds[String(list)]!;
	return { name: `${name} ${index + 1}`, advice, path: rest };
}

function unknownNameError({ name, advice, path }: Subject, unknownName: unknown): ScreeningError {
	const message = `${name} has an unknown name (${formatValue(unknownName, 100)})`;
	const [list, index] = path;
	return list === 'all' && typeof index === 'number'
		? invalidPolicy(`${message}${describeCondition(index)}`, conditionAdvice)
		: invalidPolicy(message, advice);
}

/** @example "'value'", "entry 4 of 'addresses'", "'operator' in condition 2 of 'all'" */
function describeField({ path: [field, index, conditionField] }: Subject): string {
	if (typeof index !== 'number') return `'${field}'`;
	return conditionField === undefined
		? `entry ${index + 1} of '${field}'`
		: `'${conditionField}'${describeCondition(index)}`;
}

const describeCondition = (index: number) => ` in condition ${index + 1} of 'all'`;

/** How many characters of a wrong value an error repeats: it may be a secret of any kind. */
const maxValueLength = 12;

function describeValue(value: unknown, field: string, isSecret: boolean): string {
	if (!hasValue(value)) return `has nothing in ${field}`;
	const shown = isSecret ? 'it is not shown' : formatValue(value, maxValueLength);
	return `has a wrong ${field} (${shown})`;
}
