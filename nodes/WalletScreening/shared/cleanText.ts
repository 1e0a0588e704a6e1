import { invalidInput } from './errors';
import { invisible, trimInvisible } from './text';

/* How a text is cleaned and judged that the service gets: an address, a chain, an ID. `label` is the name of its field in the editor. */

/** Refuses a text. Neither sentence repeats any of it. */
export interface TextRule {
	readonly applies: (text: string) => boolean;
	/** Completes "The address …". */
	readonly problem: string;
	readonly advice: string;
}

const maxLength = 256;
const blank = new RegExp(`[\\s${invisible}]`, 'u');

/** The rules that refuse a text of any kind. */
export const textRules: readonly TextRule[] = [
	{
		applies: ({ length }) => length > maxLength,
		problem: `is longer than ${maxLength} characters`,
		advice: 'Give one value only.',
	},
	{
		applies: (text) => blank.test(text),
		problem: 'contains a space, line break or invisible character',
		advice: 'Give one value only, without spaces, line breaks or invisible characters inside.',
	},
];

/**
 * Trims what copy and paste left around a text. A missing value is an empty text.
 * @throws {ScreeningError} `invalid_input` for any other value
 */
export function trimText(value: unknown, label: string, advice: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'string') throw invalidInput(label, `'${label}' is not a text`, advice);
	return trimInvisible(value);
}

/**
 * Returns the text if no rule refuses it.
 * @throws {ScreeningError} `invalid_input` for the first rule that does
 */
export function requireAllowed(text: string, label: string, rules: readonly TextRule[]): string {
	const rule = rules.find(({ applies }) => applies(text));
	if (!rule) return text;
	throw invalidInput(label, wordProblem(label, rule.problem, cutRefused(text)), rule.advice);
}

/** How many characters of a refused text an error repeats: it may be anything. */
const maxShown = 12;

/** Cuts a refused text to what an error may repeat of it. */
export function cutRefused(text: string): string {
	return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** Words the problem of a field, with the part of its text that may be repeated. */
export function wordProblem(label: string, problem: string, part: string): string {
	return `'${label}' ${problem}${part && `: ${part}`}`;
}
