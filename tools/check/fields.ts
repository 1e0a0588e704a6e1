import { addressKey } from '../../nodes/WalletScreening/address/key';
import { isJsonObject } from '../../nodes/WalletScreening/shared/json';

/** A text, a number or a switch in an answer. */
export interface Field {
	/** Its path with dots, without the indexes of lists. */
	readonly name: string;
	readonly value: string;
}

/**
 * The texts, numbers and switches of an answer. Objects with one of the addresses are left out: they
 * are results.
 *
 * @example
 * { "job": { "slip": "J7", "worker": null }, "verdicts": [{ "address": "0xd8dA…" }] }
 * gives only { name: 'job.slip', value: 'J7' }.
 */
export function fieldsIn(
	body: unknown,
	addresses: readonly string[],
	path: readonly string[] = [],
): Field[] {
	if (body === null || body === undefined) return [];
	if (Array.isArray(body)) return body.flatMap((entry) => fieldsIn(entry, addresses, path));
	if (!isJsonObject(body)) return [{ name: path.join('.'), value: String(body) }];
	const keys = Object.values(body).map((value) => addressKey(String(value)));
	if (addresses.some((address) => keys.includes(addressKey(address)))) return [];
	return Object.entries(body).flatMap(([name, value]) =>
		fieldsIn(value, addresses, [...path, name]),
	);
}

/** The values that may be the ID of a job. Those with a digit come first: most IDs have one. */
export function possibleIds(fields: readonly Field[]): string[] {
	const ids = fields.map(({ value }) => value).filter((value) => /^\S{1,128}$/.test(value));
	const hasDigit = (id: string) => /\d/.test(id);
	return [...ids.filter(hasDigit), ...ids.filter((id) => !hasDigit(id))];
}

const wordPattern = /^[\p{L}\d][\p{L}\d _.-]{0,39}$/u;
const timePattern = /^\d{4}-\d\d|:\d\d/;
const unixTimePattern = /^\d{9,}$/;

/** Whether a field has a word or a number that is no time, so that it may be the state of a job. */
export const mayBeState = ({ value }: Field): boolean =>
	wordPattern.test(value) && !timePattern.test(value) && !unixTimePattern.test(value);

/**
 * The ends of the path of a field, the shortest first: of `job.status`, `status` and `job.status`.
 */
export const endsOf = ({ name }: Field) =>
	name.split('.').map((_, at, names) => names.slice(-1 - at).join('.'));

/** The end of a name that a state has: `status`, `jobStatus`, `review.state`. */
const stateName = /(?:state|status|phase|stage|lifecycle)$/i;

/** The rank of a number whose name is not that of a state. Such a field is no state, but a count. */
const worstRank = 3;

/**
 * How likely a field is the state of a job, from 0, the likeliest, to 3: `status: "done"`,
 * `status: 4`, `result: "done"`, `steps_done: 4`.
 */
function rankOf({ name, value }: Field): number {
	const isNamedSo = stateName.test(name);
	const isWord = /\p{L}/u.test(value);
	return (isNamedSo ? 0 : 2) + (isWord ? 0 : 1);
}

/**
 * Fields that may be the state of a job, the likeliest first: those with a value that they did not
 * have before.
 *
 * @example Before, `lifecycle` was `simmering` and `pool` was `A`. Now `lifecycle` is `scored`, and
 * `pool` is `A`. This gives the field `lifecycle`.
 */
export function changedStates(now: readonly Field[], before: readonly Field[]): Field[] {
	const changed = now.filter((field) => {
		const values = before.filter(({ name }) => name === field.name).map(({ value }) => value);
		return values.length > 0 && !values.includes(field.value) && rankOf(field) < worstRank;
	});
	return changed.sort((one, other) => rankOf(one) - rankOf(other));
}
