import { addressKey } from '../../nodes/WalletScreening/address/key';
import { isFields } from '../../nodes/WalletScreening/shared/json';

/** A word or a number in an answer. */
export interface Field {
	/** Its path with dots, without the places in lists. */
	readonly name: string;
	readonly value: string;
}

const timePattern = /^\d{4}-\d\d|:\d\d/;
const unixTimePattern = /^\d{9,}$/;
const wordPattern = /^[\p{L}\d][\p{L}\d _.-]{0,39}$/u;

export const isUnixTime = ({ value }: Field) => unixTimePattern.test(value);

/** The words and numbers of an answer, without the objects that contain one of the addresses. */
export function fieldsIn(
	body: unknown,
	addresses: readonly string[],
	path: readonly string[] = [],
): Field[] {
	if (Array.isArray(body)) return body.flatMap((entry) => fieldsIn(entry, addresses, path));
	if (!isFields(body)) {
		const value = String(body);
		const isWord = wordPattern.test(value) && !timePattern.test(value);
		return isWord ? [{ name: path.join('.'), value }] : [];
	}
	const keys = Object.values(body).map((value) => addressKey(String(value)));
	if (addresses.some((address) => keys.includes(addressKey(address)))) return [];
	return Object.entries(body).flatMap(([name, value]) =>
		fieldsIn(value, addresses, [...path, name]),
	);
}

/** The ends of the path of a field, the shortest first: `status`, `job.status`. */
export const endsOf = ({ name }: Field) =>
	name.split('.').map((_, at, names) => names.slice(-1 - at).join('.'));

/** The rank of a number whose name is not that of a state. Such a field is no state. */
const worstRank = 3;

/**
 * The rank of a field as the state of a job, 0 being the best: a field with the name of a state
 * comes before others, a word before a number.
 */
function rankOf({ name, value }: Field): number {
	const isNamedSo = /stat|phase|stage|step|lifecycle/i.test(name);
	const isWord = /\p{L}/u.test(value);
	return (isNamedSo ? 0 : 2) + (isWord ? 0 : 1);
}

/**
 * Fields that may be the state of a job, the likeliest first: those with a value that they did not
 * have before.
 */
export function changedStates(now: readonly Field[], before: readonly Field[]): Field[] {
	const changed = now.filter((field) => {
		const values = before.filter(({ name }) => name === field.name).map(({ value }) => value);
		return values.length > 0 && !values.includes(field.value) && rankOf(field) < worstRank;
	});
	return changed.sort((one, other) => rankOf(one) - rankOf(other));
}
