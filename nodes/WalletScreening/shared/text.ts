import { jsonOf } from './json';

/** A number with what it counts, e.g. "1 address" or "3 addresses". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}

/** The number that a text writes in decimals, also as JavaScript writes it, e.g. "0.5" or "1e-7"; undefined for any other text. */
export function parseDecimal(text: string): number | undefined {
	const isDecimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
	const number = isDecimal ? Number(text) : NaN;
	return Number.isFinite(number) ? number : undefined;
}

/** A text from outside as a part of one line of n8n's log, cut if it is long. What could break the line or the terminal is a `?`. */
export function toLogText(text: string): string {
	return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, 256);
}

/** What copy and paste leave around a text: white space and characters without width, but no control characters. */
const edge = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]$/u;

/** The text without what copy and paste leave around it. */
export function trimInvisible(text: string): string {
	const characters = Array.from(text);
	const isInside = (character: string) => !edge.test(character);
	const start = characters.findIndex(isInside);
	const end = characters.findLastIndex(isInside);
	return start < 0 ? '' : characters.slice(start, end + 1).join('');
}

/** What shows nothing, breaks a line or turns the direction of reading, but no white space, as a class of a regular expression. */
export const invisible =
	'\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800';

const unseen = new RegExp(`[${invisible}]+`, 'gu');

/** Text on one line, in which every character can be seen, cut to `longest` code units. */
export function clip(text: string, longest: number): string {
	// Enough of it to fill the line, so that a text of megabytes takes no time.
	const start = text.slice(0, longest * 4);
	const line = start.replace(unseen, '\uFFFD').replace(/\s+/g, ' ').trim();
	if (line.length <= longest && start.length === text.length) return line;
	const isCutInPair = (line.codePointAt(longest - 2) ?? 0) > 0xffff;
	return `${line.slice(0, isCutInPair ? longest - 2 : longest - 1)}…`;
}

const unseenSign = new RegExp(`[${invisible}]|[^\\S ]`, 'gu');

const maxNameLength = 60;

/** A name in quotation marks. A sign that cannot be seen stands there as its code, e.g. '\u{FEFF}address'. */
export function quoteName(name: string): string {
	const codeOf = (sign: string) => `\\u{${sign.codePointAt(0)!.toString(16).toUpperCase()}}`;
	return `'${clip(name.slice(0, maxNameLength).replace(unseenSign, codeOf), maxNameLength)}'`;
}

/** Any value of a report, in words: what it lacks is "not given", and what should not be there is shown as it is. */
export function show(value: unknown, longest: number): string {
	// Decimals beyond the sixth are the noise of binary fractions.
	if (typeof value === 'number') return String(Number(value.toFixed(6)) || value);
	if (typeof value === 'object' && value !== null) {
		const json = jsonOf(value);
		return json === undefined ? 'unreadable' : clip(json, longest);
	}
	return clip(String(value ?? ''), longest) || 'not given';
}

/** The beginning and the end of an address, so that a reader recognises it. */
export function shortAddress(address: string): string {
	return address.length > 16 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address;
}

/** The key of a category for people: `clean_exchange` is "clean exchange". Undefined for a text that is no such key. */
export function inWords(key: unknown): string | undefined {
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
