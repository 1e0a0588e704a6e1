import { checkAddress, isOfKnownFormat } from '../address/checkAddress';
import { isJsonObject, isNonBlankText, isObjectOrList, type JsonObject } from '../shared/json';
import { excerptJson } from '../shared/text';
import { wordsInNames } from './standardNames';
import { splitWords } from './vocabulary';

/*
 * How an answer names an address. Where each function looks:
 *
 *                         `address`   under a name     anywhere in      as a key
 *                                     like `wallet`    its JSON         in a map
 *     addressOf           yes         -                -                -
 *     findOwnAddress      yes         yes              -                -
 *     findAddress         yes         yes              yes              yes
 *     standsForAddress    yes         -                -                yes
 */

/** The field `address` (section 2.1) of an object. */
export const addressOf = (value: unknown): string | undefined =>
	isJsonObject(value) && isNonBlankText(value.address) ? value.address : undefined;

/**
 * Whether a text looks like an address, as few names of fields do. Without a digit, only a checksum
 * makes that sure.
 */
export function looksLikeAddress(text: string): boolean {
	if (text.length < 25 || text.length > maxLength) return false;
	if (/\d/.test(text)) return hasUsualShape(text);
	return /^[a-z]+$/i.test(text) && checkAddress(text).checksum === 'valid';
}

const maxLength = 256;

/**
 * Whether a text with a digit has the shape of most addresses: letters and digits, or the 48
 * characters of TON in Base64. A name such as `bulkScreeningJobResponseV1` has two or more of the
 * words for the subject of a name, which no address has.
 */
const hasUsualShape = (text: string): boolean =>
	/^(?:[a-z\d:]+|[\w-]{48})$/i.test(text) &&
	splitWords(text).filter((word) => wordsInNames.subject.has(word)).length < 2;

/** Shapes of addresses that no name of a field has. */
const unusualShapes = [
	// 0.0.1234567, 0x1654653399040a61
	/^\d[\w.:-]*$/,
	// alice.near
	/^[a-z\d_-]+(?:\.[a-z\d_-]+)+$/,
	// ryjl3-tyaaa-aaaaa-aaaba-cai
	/^(?=.*\d)(?:[a-z\d]{5}-){2,}[a-z\d]+$/,
];

/** Whether a key beside one that looks like an address may be another address. */
export const mayBeAddressBesideOthers = (text: string): boolean =>
	text.length <= maxLength &&
	(unusualShapes.some((shape) => shape.test(text)) || isOfKnownFormat(text));

/** Whether a value has the field `address`, or is a map by address. */
export const standsForAddress = (value: unknown): boolean =>
	addressOf(value) !== undefined ||
	(isJsonObject(value) && Object.keys(value).some(looksLikeAddress));

/** Names of fields that hold the address of an entry. */
const addressName = /wallet|addr|account|input|value|target/i;
/**
 * Names of fields that hold an address, an ID or a hash of something else, even if `addressName`
 * fits, too: `counterparty_wallet`.
 */
const otherName = /counterpart|hash|id$/i;
/** Names of fields about a counterparty, which may hold objects. */
const counterpartyName = /counterpart/i;
/**
 * So many hex digits may be the hash of a request or of a transaction, or the address of an
 * account.
 */
const hashLike = /^(?:0x)?[\da-f]{56,}$/i;

/**
 * Finds the address that an object itself names as its own, and not what lies in it: its field
 * `address`, else a text of a known format under a name such as `wallet`.
 */
export function findOwnAddress(value: unknown): string | undefined {
	const own = addressOf(value);
	if (own !== undefined || !isJsonObject(value)) return own;
	return Object.entries(value).flatMap(([name, text]) =>
		isNonBlankText(text) && isNameOfAddress(name) && isOfKnownAddressFormat(text) ? text : [],
	)[0];
}

/** Whether a text has the format of an address, and cannot be a hash. */
export const isSurelyAddress = (text: string): boolean =>
	isOfKnownAddressFormat(text) && !hashLike.test(text);

/** Whether a text looks like an address, and has a known format. */
const isOfKnownAddressFormat = (text: string): boolean =>
	looksLikeAddress(text) && checkAddress(text).format !== null;

/** Whether a field of this name holds the address of its entry. */
const isNameOfAddress = (name: string): boolean => addressName.test(name) && !otherName.test(name);

/**
 * Finds the address that a value is about: its field `address`, else an address of a known format
 * in the first 1,000 characters of its JSON. An address under a name such as `wallet` comes before
 * others. That of a counterparty does not count, nor do digits that may be a hash under any other
 * name.
 *
 * @example Of `{ id: "9f86…0a08", counterparty: C, chain: "ETH", custom_id: B }`: B
 */
export function findAddress(value: unknown): string | undefined {
	return addressOf(value) ?? findAddressInJson(value);
}

/** How many values, and how many characters of their JSON, are searched for an address. */
const maxSearched = 1000;

function findAddressInJson(value: unknown): string | undefined {
	const start = copyStart(withoutCounterparty(value), maxSearched);
	// At quotation marks, because names and texts of JSON stand between them.
	const pieces = excerptJson(start, maxSearched).split('"');
	const addresses = pieces.flatMap((text, index) => {
		// In `"name":"text"`. A key, or an element of a list, has no name.
		const name = pieces[index - 1] === ':' ? pieces[index - 2]! : '';
		return isOfKnownAddressFormat(text) ? { text, name } : [];
	});
	const surest = addresses.find(({ name }) => isNameOfAddress(name));
	const first = addresses.find(
		({ name, text }) => name === '' || !(counterpartyName.test(name) || hashLike.test(text)),
	);
	return (surest ?? first)?.text;
}

/** An object without its fields about a counterparty. */
function withoutCounterparty(value: unknown): unknown {
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(Object.entries(value).filter(([name]) => !counterpartyName.test(name)));
}

/**
 * Copies the start of a value of JSON: the first `max` of the values in it, in their order, and of a
 * text the first `max` code units. So the start of a large answer is read without the rest.
 */
function copyStart(value: unknown, max: number): unknown {
	let left = max;
	const copy = (one: unknown): unknown => {
		left--;
		if (typeof one === 'string') return one.slice(0, max);
		if (!isObjectOrList(one)) return one;
		const entries: Array<[string, unknown]> = [];
		for (const name in one) {
			if (left <= 0) break;
			entries.push([name, copy((one as JsonObject)[name])]);
		}
		return Array.isArray(one) ? entries.map(([, element]) => element) : Object.fromEntries(entries);
	};
	return copy(value);
}
