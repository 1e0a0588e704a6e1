import { contentOf, isFilled } from '../json';

/** No name or word that means something is longer. */
const longest = 60;
const mostKnown = 2000;
/** Answers repeat a few names thousands of times. */
const known = new Map<string, string>();

/** What counts of a name or a word; empty for a long one. */
export function lettersOf(text: string): string {
	if (text.length > longest) return '';
	let letters = known.get(text);
	if (letters === undefined) {
		letters = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
		if (known.size >= mostKnown) known.clear();
		known.set(text, letters);
	}
	return letters;
}

/** An object may have a field `toString` that is no function. */
const startOf = (value: unknown) =>
	typeof value === 'object' ? '' : String(value).slice(0, longest);

/** True or false, also as text. */
export function switchIn(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	const letters = typeof value === 'string' ? lettersOf(value) : '';
	if (letters === 'true' || letters === 'yes') return true;
	return letters === 'false' || letters === 'no' ? false : undefined;
}

/** A switch where nothing is counted: also as a number, or as a list of what it is true of. */
export function flagIn(value: unknown): boolean | undefined {
	if (typeof value === 'object') return says(value) || undefined;
	const number = isFilled(value) ? Number(value.slice(0, longest)) : value;
	return typeof number === 'number' && number < leastTime ? number !== 0 : switchIn(value);
}

/** Whether a value can be a name or a word. */
export const isName = (value: unknown) =>
	typeof value !== 'object' && lettersOf(String(value)) !== '';

const nothing = ['', '0', 'false', 'none', 'null', 'na', 'noerror', 'ok', 'success', '200'];

/** Whether there is anything in it. */
export function says(value: unknown, depth = 3): boolean {
	if (typeof value === 'object' && value !== null) {
		const values: unknown[] = Object.values(value);
		return depth === 0 ? values.length > 0 : values.some((one) => says(one, depth - 1));
	}
	const text = String(value ?? '').trim();
	return text.length > longest || !nothing.includes(lettersOf(text).replace(/^0+/, '0'));
}

/** From here on a number is a time, under a name such as `total`. */
const leastTime = 1e9;

/** Whether a value is a time. A year before 1000 stands for none. */
export const isTime = (value: unknown) => /[1-9]\d{3}/.test(startOf(value));

/** Whether a value is a date or a time in ISO 8601, and no cursor. */
export const isDate = (value: unknown) => /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(startOf(value));

/** A number, which may be a text or the end of one, such as `0-1/9`; 0 for any other value. */
export function countIn(value: unknown): number {
	const count = typeof value === 'string' ? Number(value.slice(-20).split('/').at(-1)) : value;
	return typeof count === 'number' && count < leastTime ? count : 0;
}

/** Whether a share or a percentage is not all: 1 may mean either. */
export function isUnderway(progress: unknown): boolean {
	const number = typeof progress === 'string' ? parseFloat(progress.slice(0, 20)) : progress;
	return typeof number === 'number' && number !== 1 && number < 100;
}

/** What can be an ID, and a segment of a path. A number that JavaScript does not hold exactly is another number. */
export const isId = (value: unknown): value is string | number =>
	Number.isSafeInteger(value) || (isFilled(value) && !['.', '..'].includes(value.trim()));

const digit = /\d/;

/** Whether a text may be a time or an ID, and not only words. */
export const hasDigit = (text: unknown) => digit.test(startOf(text));

/** Every address is so long and has a digit. Names of fields rarely are and have. */
export const isLikeAddress = (text: unknown): text is string =>
	typeof text === 'string' && text.length >= 20 && text.length <= 256 && digit.test(text);

/** What is likely to say how far a job is: a switch, or a text without a digit. */
export const isWord = (value: unknown) =>
	switchIn(value) !== undefined || (isFilled(value) && !hasDigit(value));

/** Links as a list (`rel`), or as the header of RFC 8288. */
export const leadsOn = (links: unknown) => /rel\W{1,5}next\b/.test(String(contentOf(links)));
