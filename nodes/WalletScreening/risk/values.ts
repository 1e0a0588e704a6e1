import { contentOf, type Fields, isFields, isFilled, jsonOrNothing } from '../service/json';
import { invisible } from '../address/refusal';

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
export function quotedName(name: string): string {
	const codeOf = (sign: string) => `\\u{${sign.codePointAt(0)!.toString(16).toUpperCase()}}`;
	return `'${clip(name.slice(0, maxNameLength).replace(unseenSign, codeOf), maxNameLength)}'`;
}

/** Whether there is a value: not undefined, null or a blank text. */
export function isGiven(value: unknown): boolean {
	return typeof value === 'string' ? isFilled(value) : (value ?? null) !== null;
}

/** Whether the value is a number that can be compared. */
export const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** The text, if there is one that is not blank. */
export const filledText = (value: unknown): string | undefined =>
	isFilled(value) ? value : undefined;

/** The value, or what it says as JSON text, if that is an object and not a list. */
export function objectIn(value: unknown): Fields | undefined {
	// Most texts are no JSON, and finding that out by parsing them takes long.
	const isLikely = typeof value === 'string' && value.trimStart().startsWith('{');
	const read = isLikely ? jsonOrNothing(value) : value;
	return isFields(read) ? read : undefined;
}

/** Any value of a report, in words: what it lacks is "not given", and what should not be there is shown as it is. */
export function show(value: unknown, longest: number): string {
	// Decimals beyond the sixth are the noise of binary fractions.
	if (typeof value === 'number') return String(Number(value.toFixed(6)) || value);
	if (typeof value === 'object' && value !== null) {
		const json = contentOf(value);
		return typeof json === 'string' ? clip(json, longest) : 'unreadable';
	}
	return clip(String(value ?? ''), longest) || 'not given';
}

/** Enough of an address to know it again; the middle is left out. */
export function shortAddress(address: string): string {
	return address.length > 16 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address;
}

/** Whether two names of levels are the same, without regard to case and to white space around them. */
export function sameName(one: unknown, other: unknown): boolean {
	if (typeof one !== 'string' || typeof other !== 'string') return false;
	return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** Whether a level is the one that gives no cause for concern. Which others there are is not specified (section 2.2). */
export const isGreen = (level: unknown): boolean => sameName(level, 'green');

/** The key of a category for people: `clean_exchange` is "clean exchange". Undefined for whatever is no such key. */
export function inWords(key: unknown): string | undefined {
	const isKey = typeof key === 'string' && /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(key);
	return isKey ? key.replaceAll('_', ' ') : undefined;
}

/** With a capital letter at the start. */
export function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
