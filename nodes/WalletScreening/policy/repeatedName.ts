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
