import { checkAddress } from '../address/check';
import { type Fields, isFields, isFilled, jsonOrNothing } from '../service/json';

/** No name or word that means something is longer. */
const longest = 60;

/** What counts of a name or a word; empty for a long one, and for a value that cannot be a name. */
export const lettersOf = (text: unknown) =>
	typeof text === 'object' || String(text).length > longest
		? ''
		: String(text)
				.toLowerCase()
				.replace(/[^\p{L}\p{N}]/gu, '');

const switches = new Map([
	['true', true],
	['false', false],
]);
/** True or false, also as text. */
export const switchIn = (value: unknown): boolean | undefined =>
	typeof value === 'object' ? undefined : switches.get(String(value).toLowerCase());

const nothing = ['', '0', '000', '0000', 'false', 'none', 'null', 'na', 'ok', 'success', '200'];

/** Whether there is anything in a value. */
export const saysAnything = (value: unknown, depth = 3): boolean =>
	typeof value === 'object' && value !== null
		? Object.values(value).some((one) => depth === 0 || saysAnything(one, depth - 1))
		: String(value).length > longest || !nothing.includes(lettersOf(value));

/** Whether a value is a time. A year before 1000 stands for none. */
export const isTime = (value: unknown) =>
	typeof value !== 'object' && /[1-9]\d{3}/.test(String(value).slice(0, longest));

/** What can be an ID, and a segment of a path. A number that JavaScript does not hold exactly is another number. */
export const isId = (value: unknown): value is string | number =>
	Number.isSafeInteger(value) || (isFilled(value) && !['.', '..'].includes(value.trim()));

/** The object or the list that a text holds as JSON, as some webhooks and batches do; any other value as it is. */
export const unpacked = (value: unknown): unknown =>
	typeof value === 'string' && ['[', '{'].includes(value[0]!)
		? (jsonOrNothing(value) ?? value)
		: value;

/** What most addresses are, and no name of a field is. */
export const isLikeAddress = (text: string) =>
	text.length <= 256 && /^(?=\D*\d)(?:[a-z\d:]{25,}|[\w-]{48})$/i.test(text);

/** The field `address` (section 2.1) of an object. */
export const ownAddress = (value: unknown) =>
	isFields(value) && isFilled(value.address) ? value.address : undefined;

/** The address that a value is of: its field `address`, else the first address in it. */
export function addressIn(value: unknown, depth = 4): string | undefined {
	if (typeof value === 'string') {
		const { checksum, format } = isLikeAddress(value) ? checkAddress(value) : { format: null };
		return format !== null && checksum !== 'invalid' ? value : undefined;
	}
	if (typeof value !== 'object' || value === null || depth === 0) return undefined;
	let found = ownAddress(value);
	const inner = Object.entries(value as Fields).flat();
	for (let at = 0; found === undefined && at < inner.length; at++)
		found = addressIn(inner[at], depth - 1);
	return found;
}
