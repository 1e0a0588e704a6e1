import { checkAddress } from '../address/check';
import { excerpt, isFields, isFilled } from '../shared/json';

/** Whether a text has the shape of most addresses, which no name of a field has. */
export const looksLikeAddress = (text: string): boolean =>
	text.length >= 25 && text.length <= 256 && /^(?=\D*\d)(?:[a-z\d:]{25,}|[\w-]{48})$/i.test(text);

/** The field `address` (section 2.1) of an object. */
export const addressOf = (value: unknown): string | undefined =>
	isFields(value) && isFilled(value.address) ? value.address : undefined;

/** The address that a value is about: its field `address`, else the first address of a known format in its first characters. */
export const findAddress = (value: unknown): string | undefined =>
	addressOf(value) ??
	excerpt(value)
		.split('"')
		.find((text) => looksLikeAddress(text) && checkAddress(text).format !== null);
