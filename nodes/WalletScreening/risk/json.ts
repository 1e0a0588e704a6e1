import { type Fields, isFields, jsonOrNothing } from '../service/json';

/** The value, or what it says as JSON text, if that is an object and not a list. */
export function objectIn(value: unknown): Fields | undefined {
	// Most texts are no JSON, and finding that out by parsing them takes long.
	const isLikely = typeof value === 'string' && /^\uFEFF?\s*\{/.test(value);
	const read = isLikely ? jsonOrNothing(value) : value;
	return isFields(read) ? read : undefined;
}
