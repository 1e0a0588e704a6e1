import { type Fields, isFields } from '../service/json';

/**
 * JSON as a value. Throws an `Error` for invalid JSON, and for a name that stands twice in one object: readers of
 * JSON differ on which of the two counts.
 */
export function strictJson(text: string): unknown {
	const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
	const name = doubledName(text);
	if (name !== undefined) throw new Error(`The name ${name} stands twice in one object`);
	return value;
}

/** The value, or what it says as JSON text, if that is an object and not a list. */
export function objectIn(value: unknown): Fields | undefined {
	const read = typeof value === 'string' ? parsedOrNothing(value) : value;
	return isFields(read) ? read : undefined;
}

function parsedOrNothing(text: string): unknown {
	// Most texts are no JSON, and finding that out by parsing them takes long.
	if (!/^\uFEFF?\s*\{/.test(text)) return undefined;
	try {
		return strictJson(text);
	} catch {
		return undefined;
	}
}

/** `text` is known to be JSON. */
function doubledName(text: string): string | undefined {
	const open: Array<Set<string>> = [];
	for (const [token, name, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g)) {
		if (token === '{') open.push(new Set());
		if (token === '}') open.pop();
		const names = colon && open.at(-1);
		if (!name || !names) continue;
		const plain = JSON.parse(name) as string;
		if (names.has(plain)) return name.slice(0, 100);
		names.add(plain);
	}
	return undefined;
}
