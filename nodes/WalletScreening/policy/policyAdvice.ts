import { ruleFieldNames } from './conditionSchema';
import { otherwiseChoices } from './policySchema';

/* What to do about a policy that is wrong, by the place of what is wrong. */

/** What to do about a policy that is wrong as a whole. */
export const policyAdvice =
	"Give a list of rules, or an object with 'rules' and optionally 'name', 'version', 'otherwise', 'exceptions' and 'lists'.";

/** What an element of a list is called, and what to do about one that is wrong as a whole. */
interface ElementKind {
	name: string;
	advice: string;
}

/** The kind of the elements of each list in a policy. */
export const elementKinds: Record<string, ElementKind> = {
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
export const conditionAdvice =
	"A condition needs a 'field', an 'operator' and a 'value'. 'outcome' and 'mayBeWaived' are of the whole rule.";

/** What to do about a wrong value, by the name of its field. */
export const fieldAdvice: Record<string, string> = {
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
