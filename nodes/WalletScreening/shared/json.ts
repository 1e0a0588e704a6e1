/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object or a list. */
export const isObjectOrList = (value: unknown): value is object =>
	typeof value === 'object' && value !== null;

/** Whether a value is an object, and neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
	return isObjectOrList(value) && !Array.isArray(value);
}

/**
 * Whether two values are the same, with the fields of an object in any order. It writes no JSON, as
 * `isSameJson` does, so a list of thousands of addresses takes no time. What is neither a list nor a
 * plain object, e.g. a `Date`, equals only itself.
 */
export function isSameValue(one: unknown, other: unknown): boolean {
	if (one === other) return true;
	if (!isListOrPlainObject(one) || !isListOrPlainObject(other)) return false;
	if (Array.isArray(one) !== Array.isArray(other)) return false;
	const names = Object.keys(one);
	return (
		names.length === Object.keys(other).length &&
		names.every((name) => Object.hasOwn(other, name) && isSameValue(one[name], other[name]))
	);
}

/**
 * Whether a value is a list or a plain object. The engine of n8n's expressions may have an
 * `Object.prototype` of its own: like any, it has no prototype.
 */
function isListOrPlainObject(value: unknown): value is JsonObject {
	if (!isJsonObject(value)) return Array.isArray(value);
	const prototype = Object.getPrototypeOf(value) as object | null;
	return prototype !== null && Object.getPrototypeOf(prototype) === null;
}

/**
 * Parses a text, or bytes in UTF-8, which may begin with a byte order mark. Of two equal names in
 * an object the last one counts.
 * @throws {SyntaxError} for what is no JSON
 */
export function parseJson(source: string | Buffer): unknown {
	const text = source.toString();
	return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

/** Parses as `parseJson` does, but gives undefined for what is no JSON. */
export function tryParseJson(source: string | Buffer): unknown {
	try {
		return parseJson(source);
	} catch {
		return undefined;
	}
}

/**
 * Writes a value as JSON; undefined for one that is nested too deeply, or that JSON has no form
 * for.
 */
export function tryStringify(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}

/*
 * What these functions return for a value ('-' is undefined):
 *
 *                       undefined, null   '' and ' '   'a'   0     []    {}    '{}'
 *     hasValue          no                no           yes   yes   yes   yes   yes
 *     isNonBlankText    no                no           yes   no    no    no    yes
 *     isJsonObject      no                no           no    no    no    yes   no
 *     objectIn          -                 -            -     -     -     {}    {}
 */

/** Whether a value is a text that is not blank. */
export const isNonBlankText = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/** The field of this name, if the object itself has it. */
export function fieldOf(fields: JsonObject, name: string): unknown {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Whether there is a value: not undefined, null or a blank text. */
export function hasValue(value: unknown): boolean {
	return typeof value === 'string' ? isNonBlankText(value) : (value ?? null) !== null;
}

/** Whether the value is a number that can be compared. */
export const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** The text, if there is one that is not blank. */
export const nonBlankText = (value: unknown): string | undefined =>
	isNonBlankText(value) ? value : undefined;

/**
 * The object that a value is, or that its JSON text holds; undefined for a list and any other
 * value.
 */
export function objectIn(value: unknown): JsonObject | undefined {
	// Most texts are no JSON, and finding that out by parsing them takes long.
	const isLikely = typeof value === 'string' && value.trimStart().startsWith('{');
	const read = isLikely ? tryParseJson(value) : value;
	return isJsonObject(read) ? read : undefined;
}
