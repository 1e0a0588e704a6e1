import type { z } from 'zod';
import { ScreeningError } from '../../service/errors';
import type { Fields } from '../../service/json';
import { isGiven, show } from '../values';
import { ruleFieldNames, otherwises, policySchema } from './schema';

const subjects: Record<string, string> = { rules: 'Rule', exceptions: 'Exception', lists: 'List' };

/** What to do about a subject that is wrong as a whole, and about each of its names. */
const advice: Record<string, string> = {
	Rule: "A rule needs a 'field', an 'operator', a 'value' and an 'outcome', and may have 'mayBeWaived'.",
	Exception:
		"An exception needs an 'address', 'until', 'reason' and 'approvedBy', and may have a 'chain'.",
	List: "A list needs a 'name', an 'outcome' and 'addresses', and may have 'as_of' and 'max_age_days'.",
	The: "Give a list of rules, or an object with 'rules' and optionally 'name', 'version', 'otherwise', 'exceptions' and 'lists'.",
	field: `Use one of ${ruleFieldNames.join(', ')}, or { "input": "the name of a field of the item" }.`,
	categoryKey: 'Enter the name of the category.',
	operator: 'Use gte, lte, equals or notEquals. For a text, use equals or notEquals.',
	value:
		'Give a number, with a point for the decimals, e.g. 0.5. For the level, give a text, e.g. green.',
	outcome: 'Use review or block.',
	mayBeWaived: 'Use true or false.',
	all: "Put all conditions of the rule into the list 'all'.",
	address: 'Give one address, without spaces or quotation marks.',
	chain: 'Name the chain, or leave it out for every chain.',
	until: 'Give the last day as year, month and day, e.g. 2026-12-31.',
	approvedBy: 'Name the person who approved it.',
	as_of:
		'Say when the list was made: a day, e.g. 2026-12-31, or a time with its zone, e.g. 2026-12-31T08:00:00Z.',
	max_age_days: 'Give a number of days above 0.',
	otherwise: `Use one of ${otherwises.join(', ')}.`,
};

/** What an error says of a wrong value, which may be a secret. */
const longestShown = 12;

/** The error `invalid_input` on a subject, e.g. `Rule 2`. */
export const refusal = (subject: string, what: string, how = advice[subject.split(' ')[0]!]!) =>
	new ScreeningError('invalid_input', `${subject} ${what}`, how);

/** The policy that a value of JSON is. Throws `refusal`, which names the rule, the exception or the list by its number. */
export function readPolicy(given: unknown): z.output<typeof policySchema> {
	const { data, error } = policySchema.safeParse(given);
	if (!error) return data;
	const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0]!;
	const { path } = issue;
	const [kind, index] = path;
	const subject = typeof index === 'number' ? `${subjects[kind!]} ${index + 1}` : 'The policy';
	if (issue.code === 'unrecognized_keys') {
		throw refusal(subject, `has an unknown name (${show(issue.keys[0], 100)})`);
	}
	if (path.length === 0 || path.length === 2) throw refusal(subject, 'is not an object');
	const end = path.findLastIndex((key) => typeof key === 'string');
	const holder = path.slice(0, end).reduce<any>((at, key) => at[key], given) as Fields;
	throw refusal(subject, faultOf(String(path[end]), holder), advice[path[end]!]);
}

function faultOf(name: string, holder: Fields): string {
	const value = holder[name];
	if (isGiven(value)) return `has a wrong '${name}' (${show(value, longestShown)})`;
	const isLost = value === undefined && Object.hasOwn(holder, name);
	return isLost ? `gets nothing from the expression in '${name}'` : `has no '${name}'`;
}
