import { invalidInput } from '../shared/errors';
import { cut, invisible, trimInvisible } from '../shared/text';

/*
 * What holds for every text that the service gets, be it an address, a chain or an ID: how it is
 * trimmed, by which rules it is refused, and how much of it an error repeats.
 */

/** Why a text is refused, and what to do. Neither sentence repeats any of the text. */
export interface Refusal {
	/** Completes "The address …". */
	readonly problem: string;
	readonly advice: string;
}

/** A rule that refuses the texts to which it applies. */
export interface TextRule extends Refusal {
	readonly applies: (text: string) => boolean;
}

const maxTextLength = 256;
const blank = new RegExp(`[\\s${invisible}]`, 'u');

/** The rules that refuse a text of any kind. */
export const textRules: readonly TextRule[] = [
	{
		applies: ({ length }) => length > maxTextLength,
		problem: `is longer than ${maxTextLength} characters`,
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
	throw invalidInput(label, describeProblem(label, rule.problem, cutRefused(text)), rule.advice);
}

/** How many characters of a refused text an error repeats: it may be anything. */
const maxShownOfRefused = 12;

/** Cuts a refused text to what an error may repeat of it. */
export function cutRefused(text: string): string {
	return cut(text, maxShownOfRefused);
}

/**
 * Describes the problem of a field, with the part of its text that may be repeated; that may be empty.
 */
export function describeProblem(label: string, problem: string, part: string): string {
	return `'${label}' ${problem}${part && `: ${part}`}`;
}
