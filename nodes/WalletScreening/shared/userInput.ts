import { invalidInput } from './errors';
import { fieldOf, type Fields, objectIn } from './json';
import { parseDecimal, quotedName } from './text';

/* What the user gave, in a parameter or in the credential. `label` is the name of its field in the editor. */

/** A switch: true or false, also as text. Throws `invalid_input` for any other value. */
export function booleanIn(value: unknown, label: string): boolean {
	const word = String(value).trim().toLowerCase();
	if (word === 'true' || word === 'false') return word === 'true';
	throw invalidInput(
		label,
		`'${label}' is neither on nor off`,
		`Let the expression of '${label}' give true or false.`,
	);
}

/** A finite number in these limits, also as text in decimals. Throws `invalid_input`. */
export function numberIn(
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

/** One of the values that a parameter offers. Throws `invalid_input`. */
export function choiceIn<Choice extends string>(
	value: unknown,
	label: string,
	choices: readonly Choice[],
): Choice {
	const chosen = choices.find((choice) => choice === value);
	if (chosen !== undefined) return chosen;
	const advice = `Let the expression give one of these: ${choices.join(', ')}.`;
	throw invalidInput(label, `'${label}' has an unknown value`, advice);
}

/** A text that must not be empty. Throws `invalid_input`. */
export function textIn(value: unknown, label: string, advice: string): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text !== '') return text;
	throw invalidInput(label, `'${label}' is empty`, advice);
}

/** A text, or a number as text; null is as good as an empty field. Throws `invalid_input`. */
export function optionalTextIn(value: unknown, label: string): string {
	if (value === null || typeof value === 'string' || typeof value === 'number') {
		return String(value ?? '').trim();
	}
	throw invalidInput(label, `'${label}' is not a text`, 'Let the expression give a text.');
}

/**
 * The name of a field of the input item, with dots for nested fields; it may be empty, and null is as good as empty. Throws
 * `invalid_input`.
 */
export function pathIn(
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

/**
 * The value of the field with this very name, else of nested fields with dots between their names. A nested object may be the JSON
 * text of a data table.
 *
 * @example valueAt({ customer: '{"country":"KP"}' }, 'customer.country') // 'KP'
 */
export function valueAt(item: Fields, path: string): unknown {
	const whole = path.trim();
	const names = Object.hasOwn(item, whole) ? [whole] : whole.split('.');
	return names.reduce<unknown>((value, name) => {
		const fields = Array.isArray(value) ? (value as object as Fields) : objectIn(value);
		return fields && fieldOf(fields, name);
	}, item);
}

const maxNamesShown = 20;

/**
 * Names the fields that are there where a path finds none, for the description of an error. A CSV file may begin with a byte order
 * mark, which then is the invisible beginning of its first name.
 */
export function describeFields(item: Fields, path: string): string {
	let holder: { fields: Fields; name: string } = { fields: item, name: 'The item' };
	for (const name of path.trim().split('.')) {
		const fields = objectIn(fieldOf(holder.fields, name));
		if (!fields) break;
		holder = { fields, name: quotedName(name) };
	}
	const names = Object.keys(holder.fields).map(quotedName);
	if (names.length === 0) return `${holder.name} has no fields.`;
	const more = names.length - maxNamesShown;
	const shown = names.slice(0, maxNamesShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
	const isUnseen = names.some((name) => name.includes('\\u{'));
	const advice = isUnseen
		? ' \\u{…} is the code of a sign that cannot be seen: rename that field, or save a CSV file without a byte order mark.'
		: '';
	return `${holder.name} has these fields: ${shown}.${advice}`;
}
