import { checkAddress } from '../address/checkAddress';
import { isFields, isFilled } from '../shared/json';
import { excerptJson } from '../shared/text';

/* How an answer names an address: in the field `address`, as a key, or anywhere in an error. */

/** The field `address` (section 2.1) of an object. */
export const addressOf = (value: unknown): string | undefined =>
	isFields(value) && isFilled(value.address) ? value.address : undefined;

/**
 * Whether a text has the shape of most addresses, which few names of fields have: 25 or more letters
 * and digits, or the 48 characters of TON in Base64.
 */
export const looksLikeAddress = (text: string): boolean =>
	text.length >= 25 && text.length <= 256 && /^(?=\D*\d)(?:[a-z\d:]{25,}|[\w-]{48})$/i.test(text);

/**
 * Finds the address that a value is about: its field `address`, else the first address of a known
 * format in the first 1,000 characters of its JSON.
 */
export function findAddress(value: unknown): string | undefined {
	const texts = () => excerptJson(value).split('"');
	const isAddress = (text: string) => looksLikeAddress(text) && checkAddress(text).format !== null;
	return addressOf(value) ?? texts().find(isAddress);
}
