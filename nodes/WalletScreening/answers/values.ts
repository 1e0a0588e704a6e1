import { isJsonObject, isNonBlankText, isObjectOrList } from '../shared/json';
import { parseDecimal } from '../shared/text';
import { findAddress } from './namedAddress';

/* The kind of the value of a field. The name of the field does not matter here. */

/** Whether a value means "none": off, 0, an empty text, and an object or a list of such values. */
export const isNone = (value: unknown): boolean =>
	['off', 'empty'].includes(kindOf(value)) || (!isObjectOrList(value) && Number(value) === 0);

/**
 * The kinds of values that matter:
 *
 *     on               true, "yes"
 *     off              false, "no"
 *     httpError        503: a number from 400 to 599 may be a status of HTTP (RFC 9110)
 *     number           7
 *     time             "2026-11-26", or a larger number than `maxCount`
 *     text             "no source"
 *     datedText        "2026-11-28 Asia/Beijing", "down since 2026-11-28"
 *     object           { source: "OFAC" }
 *     addressObject    { wallet: "0xab…" }: an object that names an address
 *     list             ["OFAC"]
 *     numbers          [7], { count: 2 }: nothing but numbers, not all of them 0
 *     empty            null, "", "none", [], { count: 0 }
 *     good             "ok": no error under `error`, and nothing new under `done`
 */
export type ValueKind =
	| 'on'
	| 'off'
	| 'httpError'
	| 'number'
	| 'time'
	| 'text'
	| 'datedText'
	| 'object'
	| 'addressObject'
	| 'list'
	| 'numbers'
	| 'empty'
	| 'good';

/** The kinds of some texts. */
const textKinds = new Map<string, ValueKind>([
	['true', 'on'],
	['yes', 'on'],
	['y', 'on'],
	['false', 'off'],
	['no', 'off'],
	['n', 'off'],
	['', 'empty'],
	['none', 'empty'],
	['null', 'empty'],
	['n/a', 'empty'],
	['-', 'empty'],
	['nil', 'empty'],
	['ok', 'good'],
	['success', 'good'],
	['successful', 'good'],
	['request successful', 'good'],
]);

/** A larger number is not a count but a time in seconds since 1970. */
const maxCount = 1e9;

/** A comma between thousands, as in `1,500`. */
const thousands = /(?<=\d),(?=\d{3}(?!\d))/g;

/**
 * The number that a value is, also as text; 0 for any other, for a fraction, and for a time in
 * seconds since 1970.
 */
export function countOf(value: unknown): number {
	const count = typeof value === 'string' ? parseDecimal(value.replace(thousands, '')) : value;
	return typeof count === 'number' && Number.isInteger(count) && count < maxCount ? count : 0;
}

/** The kind of a value, also of a switch or a number that is written as a text. */
export function kindOf(value: unknown): ValueKind {
	if (isObjectOrList(value)) return kindOfObject(value);
	const text = String(value ?? '')
		.slice(0, 60)
		.trim()
		.toLowerCase()
		.replaceAll('_', ' ')
		.replace(/\.$/, '');
	const known = textKinds.get(text);
	if (known !== undefined) return known;
	if (noTime.test(text) || noFailures.test(text)) return 'empty';
	// An address in hexadecimal digits is no number.
	const number = parseDecimal(text);
	if (number !== undefined) {
		if (Number.isInteger(number) && number >= 400 && number < 600) return 'httpError';
		return number < maxCount ? 'number' : 'time';
	}
	if (!datePattern.test(text)) return 'text';
	const words = text.match(/\p{L}+/gu) ?? [];
	return words.every(isDateWord) ? 'time' : 'datedText';
}

/**
 * The years 0 and 1, the start of Unix time, and zeros stand for no time, as Go and .NET write it.
 */
const noTime = /^000[01]-\d\d|^0?1\/0?1\/0001|^-62135596800|^1970-01-01|^000+$/;
/** Whole texts that state no failure. `no wallet found` states one. */
const noFailures = new RegExp(
	`^(?:${[
		// 0%, 0 of 500, 0/500
		'0(?:%|\\s*(?:of|/)\\s*\\d+)',
		// no error, 0 issues found, no errors occurred.
		'(?:0|no) (?:error|failure|issue|problem)s?(?: (?:found|occurred))?\\.?',
		// 0 addresses
		'0 (?:address|wallet|item)(?:e?s)?',
		// 0 ETH, 0.00 USDT
		'0(?:\\.0+)? [a-z]{2,5}',
		// no wallets failed
		'(?:0|no) (?:address|wallet|item)(?:e?s)? failed\\.?',
	].join('|')})$`,
);

/** Whether a word is one of a time, such as a month, a day of the week or `UTC`. */
export const isDateWord = (word = ''): boolean => dateWord.test(word.toLowerCase());

/** A word of a time in small letters. */
const dateWord =
	/^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|t|z|utc|gmt|am|pm|st|nd|rd|th)$/;
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
/** What a date has in a lower-case text. A fraction such as `500/2000` is not one. */
const datePattern = new RegExp(
	[
		// 2026-11-28, 20261128t060000z
		'(?:19|20)\\d\\d[-./]?\\d\\d[-./]?\\d\\d',
		// 28.11.2026
		'\\d[-./]\\d\\d?[-./](?:19|20)\\d\\d',
		// sat, 28 nov 2026
		`\\d[- ]${month}`,
		// november 28, 2026
		`${month}[a-z]*\\.? \\d`,
	].join('|'),
);

/**
 * The names of a status of HTTP in an object. Under another name, such a number counts something.
 */
const statusName = /code|status/i;

/**
 * An object or a list that holds no text, no time, no switch that is on and no status of HTTP has
 * `numbers`, or is empty. An object that names an address is about that one.
 *
 * @example `{ code: 503 }` is an object, `{ count: 503 }` and `[503]` are numbers, and
 * `{ count: 0 }` and `[[]]` are empty.
 */
function kindOfObject(value: object): ValueKind {
	const isContent = ([name, one]: [string, unknown]) => {
		if (Array.isArray(one)) return one.some((item) => isJsonObject(item) || isNonBlankText(item));
		if (isJsonObject(one)) return Object.keys(one).length > 0;
		const kind = kindOf(one);
		return (
			['on', 'time', 'text', 'datedText'].includes(kind) ||
			(kind === 'httpError' && statusName.test(name))
		);
	};
	const entries = Object.entries(value);
	if (!entries.some(isContent)) {
		// 200 is the status of HTTP for a success.
		const counts = entries.filter(([name, one]) => one !== 200 || !statusName.test(name));
		// A list may be nested too deeply to be read as a number.
		const isOtherThanZero = (one: unknown) =>
			Array.isArray(one) ? one.length > 0 : Math.abs(Number(one)) > 0;
		return counts.flatMap(([, one]) => one).some(isOtherThanZero) ? 'numbers' : 'empty';
	}
	if (Array.isArray(value)) return 'list';
	return findAddress(value) === undefined ? 'object' : 'addressObject';
}
