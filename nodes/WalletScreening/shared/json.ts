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
 * Parses a text, or bytes in UTF-8, which may begin with a byte order mark. Of two equal names in
 * an object the last one counts: `findRepeatedName` finds them.
 * @throws {SyntaxError} for what is no JSON
 */
export function parseJson(source: string | Buffer): unknown {
	const text = source.toString();
	return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

/** An escape in a text of JSON, or a character that begins or ends a text or an object. */
const escapeOrLimit = /\\.|["{}]/g;

/**
 * Finds the first name that stands twice in one object of valid JSON; undefined if there is none. The
 * time is linear in the length of the text.
 *
 * @example '{"a":1,"b":{"a":2},"\\u0061":3}' gives 'a'
 */
export function findRepeatedName(json: string): string | undefined {
	/** The names of each object that has begun and not ended, the innermost last. */
	const namesOfObjects: Array<Set<string>> = [];
	/** Where the text begins that has not ended. */
	let start: number | undefined;
	for (const { 0: token, index } of json.matchAll(escapeOrLimit)) {
		if (start === undefined) {
			if (token === '"') start = index;
			else if (token === '{') namesOfObjects.push(new Set());
			else namesOfObjects.pop();
		} else if (token === '"') {
			const text = json.slice(start, index + 1);
			start = undefined;
			if (!isColonAt(json, index + 1)) continue;
			const names = namesOfObjects.at(-1)!;
			const name = JSON.parse(text) as string;
			if (names.has(name)) return name;
			names.add(name);
		}
	}
	return undefined;
}

/** Whether the next character from this index on, but for white space, is a colon. */
function isColonAt(json: string, index: number): boolean {
	const colon = /\s*:/y;
	colon.lastIndex = index;
	return colon.test(json);
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

/**
 * Copies the start of a value of JSON: the first `max` of the values in it, in their order, and of a
 * text the first `max` code units. So the start of a large answer is read without the rest.
 */
export function copyStart(value: unknown, max: number): unknown {
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
