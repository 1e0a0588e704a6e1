import { invalidResponse } from './errors';

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body of a 2xx as JSON. Throws `invalid_response`. */
export function parseJson(body: Buffer, httpCode: number): unknown {
	if (body.length === 0) throw invalidResponse('an empty body', httpCode);
	try {
		return strictJson(body);
	} catch (error) {
		const what = error instanceof DoubledName ? error.message : 'a body that is not JSON';
		throw invalidResponse(what, httpCode);
	}
}

/** An object holds a name twice: readers of JSON differ on which of the two counts. */
export class DoubledName extends Error {}

/** A text, or a body that is one, as JSON. Throws an `Error` for invalid JSON, and `DoubledName`. */
export function strictJson(given: string | Buffer): unknown {
	const text = given.toString();
	const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
	const name = doubledName(text);
	if (name === undefined) return value;
	throw new DoubledName(`an object in which the name ${name} stands twice`);
}

/** The same; undefined for what is no JSON, and if an object in it holds a name twice. */
export function jsonOrNothing(text: string | Buffer): unknown {
	try {
		return strictJson(text);
	} catch {
		return undefined;
	}
}

/** `text` is known to be JSON. */
function doubledName(text: string): string | undefined {
	const open: Array<Set<string>> = [];
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === '{') open.push(new Set());
		if (character === '}') open.pop();
		if (character !== '"') continue;
		const start = at;
		do at = text.indexOf('"', at + 1);
		while (isEscaped(text, at));
		let next = at + 1;
		while (text[next]! <= ' ') next++;
		const names = text[next] === ':' && open.at(-1);
		if (!names) continue;
		const written = text.slice(start, at + 1);
		const name = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
		if (names.has(name)) return quoted(name);
		names.add(name);
	}
	return undefined;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, at: number): boolean {
	let before = at;
	while (text[before - 1] === '\\') before--;
	return (at - before) % 2 === 1;
}

/** What is the same for two values that say the same; the value itself if it is nested too deeply to be compared. */
export function contentOf(value: unknown): unknown {
	try {
		return JSON.stringify(value);
	} catch {
		return value;
	}
}

const longestExcerpt = 1000;

/** A body for the eyes of the user, cut if it is long. */
export function excerpt(body: unknown): string {
	let text: string;
	try {
		text = JSON.stringify(body) ?? '';
	} catch {
		return '(nested too deeply to be shown)';
	}
	return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
}

/** A name or a value in quotation marks, cut if it is long. */
export const quoted = (value: unknown) =>
	excerpt(typeof value === 'string' ? value.slice(0, 60) : value).slice(0, 80);

/** Whether a value is a text that is not blank. */
export const isFilled = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/** The field of this name, if the object itself has it. */
export function fieldOf(fields: Fields, name: string): unknown {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
