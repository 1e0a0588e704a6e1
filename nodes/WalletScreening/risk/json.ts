import { type Fields, isFields, strictJson } from '../service/json';

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
