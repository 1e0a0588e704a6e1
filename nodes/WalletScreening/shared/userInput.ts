import { invalidInput } from './errors';
import { parseDecimal } from './text';

/* What the user gave, in a parameter or in the credential. `label` is the name of its field in the editor. */

/**
 * A switch: true or false, also as text.
 * @throws {ScreeningError} `invalid_input` for any other value
 */
export function requireBoolean(value: unknown, label: string): boolean {
	const word = String(value).trim().toLowerCase();
	if (word === 'true' || word === 'false') return word === 'true';
	throw invalidInput(
		label,
		`'${label}' is neither on nor off`,
		`Let the expression of '${label}' give true or false.`,
	);
}

/**
 * A finite number in these limits, also as text in decimals.
 * @throws {ScreeningError} `invalid_input`
 */
export function requireNumber(
	value: unknown,
	label: string,
	[least, most = Number.MAX_VALUE]: [least: number, most?: number],
	advice: string,
): number {
	const number = typeof value === 'string' ? parseDecimal(value) : value;
	if (typeof number === 'number' && number >= least && number <= most) return number;
	const end = most === Number.MAX_VALUE ? 'up' : `to ${most}`;
	throw invalidInput(label, `'${label}' is not a number from ${least} ${end}`, advice);
}

/**
 * One of the values that a parameter offers.
 * @throws {ScreeningError} `invalid_input`
 */
export function requireChoice<Choice extends string>(
	value: unknown,
	label: string,
	choices: readonly Choice[],
): Choice {
	const chosen = choices.find((choice) => choice === value);
	if (chosen !== undefined) return chosen;
	const advice = `Let the expression give one of these: ${choices.join(', ')}.`;
	throw invalidInput(label, `'${label}' has an unknown value`, advice);
}

/**
 * A text that must not be empty, without white space around it.
 * @throws {ScreeningError} `invalid_input`
 */
export function requireText(value: unknown, label: string, advice: string): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text !== '') return text;
	throw invalidInput(label, `'${label}' is empty`, advice);
}

/**
 * A text, or a number as text. It may be empty, and null is as good as empty.
 * @throws {ScreeningError} `invalid_input`
 */
export function requireTextOrEmpty(value: unknown, label: string): string {
	if (value === null || typeof value === 'string' || typeof value === 'number') {
		return String(value ?? '').trim();
	}
	throw invalidInput(label, `'${label}' is not a text`, 'Let the expression give a text.');
}

/**
 * The name of a field of the input item, with dots for nested fields; it may be empty, and null is as good as empty.
 * @throws {ScreeningError} `invalid_input` for a value that is no name
 */
export function requireFieldPath(
	value: unknown,
	label: string,
	examples = 'report or customer.report',
): string {
	if (value === null) return '';
	// An object in a text is "[object Object]", or JSON.
	if (typeof value === 'string' && !/^\s*[[{]/.test(value)) return value;
	throw invalidInput(
		label,
		`'${label}' takes the name of a field, not its value`,
		`Enter the name as text, without an expression, e.g. ${examples}.`,
	);
}
