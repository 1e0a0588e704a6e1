import { invalidResponse } from './errors';

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The body of a 2xx as JSON.
 * @throws {ScreeningError} `invalid_response`
 */
export function parseJson(body: Buffer, httpCode: number): unknown {
	if (body.length === 0) throw invalidResponse('an empty body', httpCode);
	const value = jsonOrNothing(body);
	if (value === undefined) throw invalidResponse('a body that is not JSON', httpCode);
	return value;
}

/**
 * A text, or a body that is one, as JSON. Of two equal names in an object the last one counts.
 * @throws {SyntaxError} for what is no JSON
 */
export function jsonIn(given: string | Buffer): unknown {
	const text = given.toString();
	return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

/** A text, or a body that is one, as JSON; undefined for what is no JSON. */
export function jsonOrNothing(text: string | Buffer): unknown {
	try {
		return jsonIn(text);
	} catch {
		return undefined;
	}
}

/** The JSON of a value; undefined for one that is nested too deeply, or that JSON has no form for. */
export function jsonOf(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}

const maxExcerptLength = 1000;

/** A body for the eyes of the user, cut if it is long. */
export function excerpt(body: unknown): string {
	if (body === undefined) return '';
	const text = jsonOf(body);
	if (text === undefined) return '(nested too deeply to be shown)';
	return text.length > maxExcerptLength ? `${text.slice(0, maxExcerptLength)}…` : text;
}

/** A name or a value in quotation marks, cut if it is long. */
export const quote = (value: unknown) =>
	excerpt(typeof value === 'string' ? value.slice(0, 60) : value).slice(0, 80);

/** Whether a value is a text that is not blank. */
export const isFilled = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/** The field of this name, if the object itself has it. */
export function fieldOf(fields: Fields, name: string): unknown {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Whether there is a value: not undefined, null or a blank text. */
export function isGiven(value: unknown): boolean {
	return typeof value === 'string' ? isFilled(value) : (value ?? null) !== null;
}

/** Whether the value is a number that can be compared. */
export const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** The text, if there is one that is not blank. */
export const filledText = (value: unknown): string | undefined =>
	isFilled(value) ? value : undefined;

/** The object that a value is, or that its JSON text holds; undefined for a list and any other value. */
export function objectIn(value: unknown): Fields | undefined {
	// Most texts are no JSON, and finding that out by parsing them takes long.
	const isLikely = typeof value === 'string' && value.trimStart().startsWith('{');
	const read = isLikely ? jsonOrNothing(value) : value;
	return isFields(read) ? read : undefined;
}
