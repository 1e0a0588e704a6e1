import { invalidInput } from '../service/errors';
import type { Operator, Rule } from './decision';

/** The categories of section 2.3. */
export const categories = ['clean_exchange', 'darknet', 'mixer', 'sanctions', 'scam', 'stolen'];

/** A rule as the user entered it. */
type Given = Record<'field' | 'categoryKey' | 'operator' | 'value' | 'outcome', unknown>;

const label = 'Decision Rules';
const operators: unknown[] = ['gte', 'lte', 'equals', 'notEquals'];
const outcomes: unknown[] = ['review', 'block'];
/** As the field takes it: a decimal number, and no other notation that JavaScript would read as one. */
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The rules of the parameter `decisionRules`. Throws `invalid_input`, with the rule's number, for one that cannot be right. */
export function parseRules(given: unknown): Rule[] {
	const rules: unknown = (given as { rules?: unknown } | null | undefined)?.rules;
	if (!Array.isArray(rules) || rules.length === 0) {
		throw invalidInput(
			label,
			`'${label}' holds no rule`,
			"Without a rule every address would be allowed. Add a rule, or switch off 'Add Decision'.",
		);
	}
	return rules.map((rule, index) => parseRule((rule ?? {}) as Given, index + 1));
}

function parseRule({ field, categoryKey, operator, value, outcome }: Given, number: number): Rule {
	const refuse = (what: string, advice: string) =>
		invalidInput(label, `Rule ${number} of '${label}' ${what}`, advice);
	if (!operators.includes(operator)) {
		throw refuse('compares in a way that is not known', 'Choose one of the operators.');
	}
	if (!outcomes.includes(outcome)) {
		throw refuse('has an outcome that is not known', "Choose 'Review' or 'Block'.");
	}
	const what = { operator: operator as Operator, outcome: outcome as Rule['outcome'] };

	if (field === 'level') {
		if (what.operator !== 'equals' && what.operator !== 'notEquals') {
			throw refuse(
				"compares 'level' like a number, but a level is a text",
				"Compare the level with 'Is' or 'Is Not', or choose 'Score' for a comparison of numbers.",
			);
		}
		const level = typeof value === 'string' ? value.trim() : '';
		if (level === '') throw refuse('names no level', 'Enter a level, e.g. green.');
		return { of: 'level', field, ...what, operator: what.operator, value: level };
	}

	const key = field === 'other' ? categoryKey : field;
	if (typeof key !== 'string' || key.trim() === '') {
		throw refuse('names no category', "Enter the name of the category in 'Category Name'.");
	}
	if (field !== 'other' && field !== 'score' && !categories.includes(key)) {
		throw refuse(
			`has a field that is not known (${key.slice(0, 100)})`,
			"Choose one of the fields, or 'Other Category' and enter its name.",
		);
	}
	const threshold = numberIn(value);
	if (threshold === undefined) {
		throw refuse(
			`compares '${key.slice(0, 100)}' with something that is not a number`,
			'Enter a number, with a point for the decimals, e.g. 0.5.',
		);
	}
	const of = field === 'score' ? 'score' : 'category';
	return { of, field: key.trim(), ...what, value: threshold };
}

function numberIn(value: unknown): number | undefined {
	const isText = typeof value === 'string' && decimal.test(value.trim());
	const number = typeof value === 'number' || isText ? Number(value) : NaN;
	return Number.isFinite(number) ? number : undefined;
}
