import { halfCharacter } from './canonical';
import { invalidInput, type ScreeningError } from './errors';
import { hasValue, isNonBlankText } from './json';
import { parseDecimal, trimInvisible } from './text';

/*
 * What the user gave, in a parameter or in the credential. Each `require…` returns a value that can
 * be used, or refuses it; `label` is the name of its field in the editor. Those for a text:
 *
 *                           for                           undefined   null      ''        12
 *     requireText           what must be there            refused     refused   refused   refused
 *     requireFieldPath      the name of a field           refused     ''        ''        refused
 *     requireTextOrEmpty    a title, a file name          refused     ''        ''        '12'
 *     requireEvidenceText   what evidence holds           ''          ''        ''        '12'
 *
 * The texts have no white space around them. `address/input.ts` cleans those that the service gets.
 */

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

/** The least and the greatest value of a number, which both count; without the second, any. */
type Limits = readonly [min: number, max?: number];

/**
 * A finite number in these limits, also as text in decimals.
 * @throws {ScreeningError} `invalid_input`
 */
export function requireNumber(
	value: unknown,
	label: string,
	limits: Limits,
	advice: string,
): number {
	const number = findNumber(value, limits);
	if (number !== undefined) return number;
	throw numberError('a number', label, limits, advice);
}

/**
 * As `requireNumber`, without a fraction.
 * @throws {ScreeningError} `invalid_input`
 */
export function requireWholeNumber(
	value: unknown,
	label: string,
	limits: Limits,
	advice: string,
): number {
	const number = findNumber(value, limits);
	if (number !== undefined && Number.isInteger(number)) return number;
	throw numberError('a whole number', label, limits, advice);
}

/** The number that a value is, also as text in decimals; undefined for one beyond the limits. */
function findNumber(value: unknown, [min, max = Number.MAX_VALUE]: Limits): number | undefined {
	const number = typeof value === 'string' ? parseDecimal(value) : value;
	return typeof number === 'number' && number >= min && number <= max ? number : undefined;
}

function numberError(
	kind: string,
	label: string,
	[min, max]: Limits,
	advice: string,
): ScreeningError {
	const end = max === undefined ? 'up' : `to ${max}`;
	return invalidInput(label, `'${label}' is not ${kind} from ${min} ${end}`, advice);
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
	if (isNonBlankText(value)) return value.trim();
	throw invalidInput(label, `'${label}' ${hasValue(value) ? 'is not a text' : 'is empty'}`, advice);
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
 * The name of a field of the input item, with dots for nested fields, and without white space around
 * it. It may be empty, and null is as good as empty.
 * @throws {ScreeningError} `invalid_input` for a value that is no name
 */
export function requireFieldPath(
	value: unknown,
	label: string,
	examples = 'report or customer.report',
): string {
	if (value === null) return '';
	// In a text, n8n writes an object as "[object Object]" or JSON: then the user gave the value.
	if (typeof value === 'string' && !/^\s*[[{]/.test(value)) return value.trim();
	throw invalidInput(
		label,
		`'${label}' takes the name of a field, not its value`,
		`Enter the name as text, without an expression, e.g. ${examples}.`,
	);
}

/** Characters of a name that the user gives a matter, a policy or a version. */
const maxNameLength = 200;

/**
 * A text that evidence holds, so that it is short and has no half of a character: a name, or an ID or
 * a version, which may be a number. It may be empty.
 * @throws {ScreeningError} `invalid_input`
 */
export function requireEvidenceText(value: unknown, label: string): string {
	const text = Number.isSafeInteger(value) ? String(value) : (value ?? '');
	if (typeof text === 'string' && text.length <= maxNameLength && !halfCharacter.test(text)) {
		return trimInvisible(text);
	}
	throw invalidInput(
		label,
		`'${label}' is neither a text of at most ${maxNameLength} characters nor a whole number`,
		'Give a text, e.g. an ID.',
	);
}
