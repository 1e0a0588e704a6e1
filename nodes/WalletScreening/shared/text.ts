import { isObjectOrList, tryStringify } from './json';

/** A number with what it counts, e.g. "1 address" or "3 addresses". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}

/**
 * The number that a text writes in decimals, also as JavaScript writes it, e.g. "0.5" or "1e-7";
 * undefined for any other text.
 */
export function parseDecimal(text: string): number | undefined {
	const isDecimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
	const number = isDecimal ? Number(text) : NaN;
	return Number.isFinite(number) ? number : undefined;
}

/**
 * What copy and paste leave around a text: white space with tabs and line breaks, and characters
 * without width. Other control characters stay.
 */
const edge = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]$/u;

/** The text without what copy and paste leave around it. */
export function trimInvisible(text: string): string {
	// Nearly all texts begin and end with a visible ASCII character.
	if (/^[!-~](?:.*[!-~])?$/s.test(text)) return text;
	const characters = Array.from(text);
	const isInside = (character: string) => !edge.test(character);
	const start = characters.findIndex(isInside);
	const end = characters.findLastIndex(isInside);
	return start < 0 ? '' : characters.slice(start, end + 1).join('');
}

/**
 * The characters that cannot be seen, break a line or turn the direction of reading, for a class of
 * a regular expression. Blanks are not among them.
 */
export const invisible =
	'\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800';

/*
 * What shortens a text, by the place where it is shown. Each keeps the start of the text by
 * `startOf`, but for `shortenAddress`, which keeps both ends.
 *
 *     cut             a text in the details of an error, as it came
 *     clip            a line of a message or of an error
 *     formatValue     a value of a report in such a line
 *     quoteName       the name of a field in a sentence
 *     quoteJson       a name or a value from an answer in a sentence
 *     excerptJson     the body of an answer in the details of an error
 *     toLogText       n8n's log
 *     shortenAddress  an address where the whole one has no room
 */

/** The first `max` code units of a text, or one less where they would end with half a character. */
function startOf(text: string, max: number): string {
	const endsInPair = (text.codePointAt(max - 1) ?? 0) > 0xffff;
	return text.slice(0, endsInPair ? max - 1 : max);
}

/** A text with … in place of what follows its first `max` code units. */
export function cut(text: string, max: number): string {
	return text.length <= max ? text : `${startOf(text, max)}…`;
}

const invisibleRun = new RegExp(`[${invisible}]+`, 'gu');

/**
 * A text on one line, in which every character can be seen. With the … at its end it has at most
 * `max` code units.
 */
export function clip(text: string, max: number): string {
	// Enough of it to fill the line, so that a text of megabytes takes no time.
	const start = text.slice(0, max * 4);
	const line = start.replace(invisibleRun, '\uFFFD').replace(/\s+/g, ' ').trim();
	const isWhole = line.length <= max && start.length === text.length;
	return isWhole ? line : `${startOf(line, max - 1)}…`;
}

const maxLogTextLength = 256;

/**
 * The start of a text from outside, as a part of one line of n8n's log. What could break the line
 * or the terminal is a `?`.
 */
export function toLogText(text: string): string {
	return startOf(text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?'), maxLogTextLength);
}

const maxNameLength = 60;
const invisibleOrBlank = new RegExp(`[${invisible}]|[^\\S ]|^ | $`, 'gu');

/**
 * A name in quotation marks. A character that cannot be seen stands there as its code, e.g.
 * '\u{FEFF}address' or 'address\u{20}'.
 */
export function quoteName(name: string): string {
	const codeOf = (sign: string) => `\\u{${sign.codePointAt(0)!.toString(16).toUpperCase()}}`;
	// With one sign more than fits, `clip` shows that the name was cut.
	const start = name.slice(0, maxNameLength + 1).replace(invisibleOrBlank, codeOf);
	return `'${clip(start, maxNameLength)}'`;
}

/**
 * A value of a report for people: "not given" for one that is missing, the JSON of an object, and
 * any other value as it is.
 */
export function formatValue(value: unknown, max: number): string {
	// Decimals beyond the sixth are the noise of binary fractions.
	if (typeof value === 'number') return String(Number(value.toFixed(6)) || value);
	if (isObjectOrList(value)) {
		const json = tryStringify(value);
		return json === undefined ? 'unreadable' : clip(json, max);
	}
	return clip(String(value ?? ''), max) || 'not given';
}

const maxExcerptLength = 1000;

/** The start of the JSON of a body, as the user sees it in an error. */
export function excerptJson(body: unknown, max = maxExcerptLength): string {
	if (body === undefined) return '';
	const json = tryStringify(body);
	return json === undefined ? '(nested too deeply to be shown)' : cut(json, max);
}

/** The start of a name or a value as JSON, as a part of a sentence. */
export function quoteJson(value: unknown): string {
	return excerptJson(typeof value === 'string' ? cut(value, 60) : value, 80);
}

/** The beginning and the end of an address, so that a reader recognises it. */
export function shortenAddress(address: string): string {
	return address.length > 16 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address;
}

/**
 * The key of a category for people: `clean_exchange` is "clean exchange". Undefined for a text that
 * is no such key.
 */
export function formatKey(key: unknown): string | undefined {
	const isKey = typeof key === 'string' && /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(key);
	return isKey ? key.replaceAll('_', ' ') : undefined;
}

/** The text with a capital letter at its start. */
export function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether two values are the same text, without regard to case and to white space around it. */
export function equalsIgnoringCase(one: unknown, other: unknown): boolean {
	if (typeof one !== 'string' || typeof other !== 'string') return false;
	return one.trim().toLowerCase() === other.trim().toLowerCase();
}
