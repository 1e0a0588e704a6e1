import { invalidResponse } from './errors';

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses the body of a 2xx as JSON. Throws `invalid_response`. */
export function parseJson(body: Buffer, httpCode: number, secrets: string[] = []): unknown {
	if (body.length === 0) throw invalidResponse('an empty body', httpCode);
	try {
		return maskedJson(body, secrets);
	} catch {
		throw invalidResponse('a body that is not JSON', httpCode);
	}
}

/** No service issues a shorter secret, and masking one would spoil honest answers. */
const shortestMasked = 8;
const mask = '***';

/**
 * A body as JSON, with the ID that is too long for a number as a text. A service may repeat what it was sent: in no text,
 * number or name of it a secret goes any further. Throws what `JSON.parse` throws.
 */
export function maskedJson(body: Buffer, allSecrets: string[]): unknown {
	const text = withExactIds(textOf(body));
	const secrets = allSecrets
		.filter(({ length }) => length >= shortestMasked)
		.sort((one, other) => other.length - one.length);
	// JSON may write any character as an escape.
	const maySpell = text.includes('\\') || secrets.some((secret) => text.includes(secret));
	if (secrets.length === 0 || !maySpell) return JSON.parse(text);
	const masked = (value: string) =>
		secrets.reduce((all, secret) => all.replaceAll(secret, mask), value);
	return JSON.parse(text, (_, value: unknown) => {
		if (typeof value === 'string') return masked(value);
		if (typeof value === 'number') return secrets.includes(String(value)) ? mask : value;
		if (!isFields(value) || !Object.keys(value).some((name) => masked(name) !== name)) return value;
		return Object.fromEntries(Object.entries(value).map(([name, one]) => [masked(name), one]));
	});
}

/** A number as an ID, under a name that ends in `id`. A quotation mark inside a text would have a backslash before it. */
const numericId = /(id"\s*:\s*)(\d{16,})(?=\s*[,}])/gi;

/** The text with quotation marks around each ID that is a number of more digits than JavaScript keeps. */
const withExactIds = (text: string) =>
	text.replace(numericId, (all, name: string, digits: string) =>
		Number.isSafeInteger(Number(digits)) ? all : `${name}"${digits}"`,
	);

/** UTF-8 (RFC 8259), or UTF-16 if a byte order mark says so, without that mark. */
function textOf(body: Buffer): string {
	const [first, second] = body;
	if (first === 0xff && second === 0xfe) return body.toString('utf16le', 2);
	if (first === 0xfe && second === 0xff && body.length % 2 === 0) {
		return Buffer.from(body).swap16().toString('utf16le', 2);
	}
	return body.toString('utf8').replace(/^\uFEFF/, '');
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

/** The field of this name, if the object itself has it. */
export function fieldOf(fields: Fields, name: string): unknown {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
