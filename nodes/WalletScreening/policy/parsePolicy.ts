import type { z } from 'zod';
import { ScreeningError } from '../shared/errors';
import { hasValue, type JsonObject } from '../shared/json';
import { formatValue } from '../shared/text';
import { conditionAdvice, elementKinds, fieldAdvice, policyAdvice } from './policyAdvice';
import {
	type GivenList,
	type ListRecord,
	type ParsedPolicy,
	policySchema,
	recordedPolicySchema,
} from './policySchema';
import { noteOf } from './schemaParts';

/*
 * How a policy is parsed, and the error of one that cannot be. The error names where the first issue
 * is, what is wrong there, and what to do.
 */

/**
 * Parses a value of JSON as a policy.
 * @throws {ScreeningError} `invalid_input`, which names the rule, the exception or the list by its
 * number
 */
export const parsePolicy = (value: unknown): ParsedPolicy<GivenList> =>
	requireData(policySchema.safeParse(value), value);

/**
 * Parses the policy of evidence, whose addresses were checked when it was made.
 * @throws {ScreeningError} as `parsePolicy`
 */
export const parseRecordedPolicy = (value: unknown): ParsedPolicy<ListRecord> =>
	requireData(recordedPolicySchema.safeParse(value), value);

/** @throws {ScreeningError} as `parsePolicy` */
function requireData<List>(
	{ data, error }: { data?: ParsedPolicy<List>; error?: z.ZodError },
	value: unknown,
): ParsedPolicy<List> {
	if (data) return data;
	// A misspelled name explains the one that is missing, so it comes first.
	const { issues } = error!;
	const unknownName = issues.find(({ code }) => code === 'unrecognized_keys');
	throw errorFor(unknownName ?? issues[0]!, value);
}

/** Makes the error of a policy that cannot be used. */
export const invalidPolicy = (message: string, description: string) =>
	new ScreeningError('invalid_input', message, description);

/** The way to an issue, e.g. `['rules', 0, 'value']`. */
type Path = Array<string | number>;

/** Makes the error for an issue of a policy. */
function errorFor(issue: z.ZodIssue, policy: unknown): ScreeningError {
	// In zod 4, a part of a path may be a symbol.
	const path: Path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
	const place = placeOf(path);
	if (issue.code === 'unrecognized_keys') return unknownNameError(place, issue.keys[0]);
	if (place.path.length === 0) return invalidPolicy(`${place.name} is not an object`, place.advice);
	const { advice, isSecret = false } = noteOf(issue);
	const value = path.reduce<unknown>((holder, key) => (holder as JsonObject)[key], policy);
	const what = describeValue(value, describeField(place), isSecret);
	const field = place.path.findLast((key) => typeof key === 'string')!;
	return invalidPolicy(`${place.name} ${what}`, advice ?? fieldAdvice[field] ?? place.advice);
}

/** Where an issue is, for people: the element of a list, or the policy itself, and a field of it. */
interface IssuePlace {
	/** Names the element or the policy, e.g. "Rule 1". */
	name: string;
	/** What to do if it is wrong as a whole. */
	advice: string;
	/** The way from there to the issue; empty if the whole element, or the whole policy, is wrong. */
	path: Path;
}

/**
 * @example
 *
 *     path of the issue                     name          path of the place
 *     ['name']                              The policy    ['name']
 *     ['rules', 0, 'value']                 Rule 1        ['value']
 *     ['rules', 0, 'all', 1, 'operator']    Rule 1        ['all', 1, 'operator']
 *     ['lists', 2, 'addresses', 3]          List 3        ['addresses', 3]
 *     ['lists', 2]                          List 3        []
 */
function placeOf(path: Path): IssuePlace {
	const [list, index, ...rest] = path;
	if (typeof index !== 'number') return { name: 'The policy', advice: policyAdvice, path };
	const { name, advice } = elementKinds[String(list)]!;
	return { name: `${name} ${index + 1}`, advice, path: rest };
}

function unknownNameError(
	{ name, advice, path }: IssuePlace,
	unknownName: unknown,
): ScreeningError {
	const message = `${name} has an unknown name (${formatValue(unknownName, 100)})`;
	const [list, index] = path;
	return list === 'all' && typeof index === 'number'
		? invalidPolicy(`${message}${describeCondition(index)}`, conditionAdvice)
		: invalidPolicy(message, advice);
}

/** @example "'value'", "entry 4 of 'addresses'", "'operator' in condition 2 of 'all'" */
function describeField({ path: [field, index, conditionField] }: IssuePlace): string {
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
