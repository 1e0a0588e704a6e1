import type { JsonObject } from './json';
import { sha256Hex } from './sha256';

/**
 * JSON in the one form of RFC 8785.
 * @throws {TypeError} for a number that is not finite, half of a surrogate pair, or undefined
 * @throws {RangeError} for a value that is nested too deeply
 */
export function canonicalJson(value: unknown): string {
	if (typeof value === 'string') return canonicalText(value);
	if (value === null || typeof value === 'boolean' || Number.isFinite(value)) {
		return JSON.stringify(value);
	}
	if (Array.isArray(value)) return `[${Array.from(value, (entry) => canonicalJson(entry)).join()}]`;
	if (typeof value !== 'object')
		throw new TypeError(`JSON has no ${typeof value} ${String(value)}`);
	const fields = value as JsonObject;
	const names = Object.keys(fields).sort();
	return `{${names.map((name) => `${canonicalText(name)}:${canonicalJson(fields[name])}`).join()}}`;
}

/** Half of a surrogate pair, for which RFC 8785 has no place. */
export const halfCharacter = /\p{Cs}/u;

function canonicalText(text: string): string {
	if (halfCharacter.test(text)) throw new TypeError('JSON has no half of a surrogate pair');
	return JSON.stringify(text);
}

/**
 * Whether two values are the same, in any order of their fields. Two that canonical JSON cannot
 * hold never are.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
	if (one === other) return true;
	try {
		return canonicalJson(one) === canonicalJson(other);
	} catch {
		return false;
	}
}

/**
 * The value as n8n stores it: without what is undefined, and with times as text.
 * @throws what `JSON.stringify` throws
 */
export function toStoredForm<T>(value: T): T {
	return JSON.parse(JSON.stringify(value)) as T;
}

/**
 * SHA-256, in hex, of the canonical JSON of a value.
 * @throws {TypeError} as `canonicalJson`
 */
export function digestOfJson(value: unknown): string {
	return sha256Hex(canonicalJson(value));
}
