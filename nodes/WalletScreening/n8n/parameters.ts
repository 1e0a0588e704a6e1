import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { invalidInput, ScreeningError } from '../service/errors';
import { parseDecimal } from '../service/text';
import { wordsOf } from './context';

/** Reads a parameter of the node. Throws `invalid_input` if n8n cannot, e.g. because of an expression. */
export type Read = (name: string, otherwise?: unknown) => unknown;

/** Reads the parameters as they are for an input item. */
export function itemReader(context: IExecuteFunctions, itemIndex: number): Read {
	return reading((name, otherwise) => {
		const value: unknown = context.getNodeParameter(name, itemIndex, otherwise);
		if (value !== undefined || otherwise === undefined) return value;
		// n8n copies the node each time that it is asked for it.
		const given = context.getNode().parameters[name];
		if (typeof given !== 'string' || !given.startsWith('=')) return value;
		// A mistyped name must not count as a field that somebody left empty.
		throw invalidInput(
			name,
			`The expression of the parameter '${name}' gives nothing`,
			"Check the names in it. If the value may be missing, add ?? '' at its end.",
		);
	});
}

/** Reads the parameters of a trigger. */
export function webhookReader(context: Pick<IWebhookFunctions, 'getNodeParameter'>): Read {
	return reading((name, otherwise) => context.getNodeParameter(name, otherwise as object));
}

function reading(get: Read): Read {
	return (name, otherwise) => {
		try {
			return get(name, otherwise);
		} catch (error) {
			const { description } = (error ?? {}) as { description?: string };
			const unreadable = new ScreeningError(
				'invalid_input',
				`n8n could not read a parameter: ${wordsOf(error)}`,
				description ?? 'Check the expressions in the parameters of this node for this item.',
			);
			throw error instanceof ScreeningError ? error : unreadable;
		}
	};
}

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

/** The value of a resource locator, which an expression may also give by itself. */
export function locatedIn(value: unknown): unknown {
	const isLocator = typeof value === 'object' && value !== null && '__rl' in value;
	return isLocator ? (value as { value?: unknown }).value : value;
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

/** Whether one of these parameters holds an expression, so that it may differ from item to item. */
export function holdsExpression(context: IExecuteFunctions, names: string[]): boolean {
	const { parameters } = context.getNode();
	return JSON.stringify(names.map((name) => parameters[name])).includes('"=');
}

/** `readValue` of these parameters; if none of them holds an expression, it is read only once, for all items. */
export function readOnce<T>(
	context: IExecuteFunctions,
	names: string[],
	readValue: (read: Read) => T,
): (read: Read) => T {
	if (holdsExpression(context, names)) return readValue;
	let first: { value: T } | undefined;
	return (read) => (first ??= { value: readValue(read) }).value;
}
