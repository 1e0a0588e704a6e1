import { invalidResponse } from './errors';

/** Parses the body of a 2xx as JSON. Throws `invalid_response`. */
export function parseJson(body: Buffer, httpCode: number, secrets: string[] = []): unknown {
	if (body.length === 0) throw invalidResponse('an empty body', httpCode);
	try {
		return maskedJson(body, secrets);
	} catch {
		return notJson(httpCode);
	}
}

/** No service issues a shorter secret, and masking one would spoil honest answers. */
const shortestMasked = 8;

/** A body as JSON. A service may repeat what it was sent: in no text of it a secret goes any further. */
export function maskedJson(body: Buffer, allSecrets: string[]): unknown {
	const text = body.toString('utf8');
	const secrets = allSecrets.filter(({ length }) => length >= shortestMasked);
	// JSON may write any character as an escape.
	const maySpell = text.includes('\\') || secrets.some((secret) => text.includes(secret));
	if (secrets.length === 0 || !maySpell) return JSON.parse(text);
	const longestFirst = [...secrets].sort((one, other) => other.length - one.length);
	return JSON.parse(text, (_, value: unknown) =>
		typeof value === 'string'
			? longestFirst.reduce((all, secret) => all.replaceAll(secret, '***'), value)
			: value,
	);
}

function notJson(httpCode: number): never {
	throw invalidResponse('a body that is not JSON', httpCode);
}

/** What is the same for two values that say the same; the value itself where it is nested too deeply to be compared. */
export function contentOf(value: unknown): unknown {
	try {
		return JSON.stringify(value);
	} catch {
		return value;
	}
}

const longestExcerpt = 1000;

/** A body for the eyes of the user, cut where it is long. */
export function excerpt(body: unknown): string {
	let text: string;
	try {
		text = JSON.stringify(body) ?? '';
	} catch {
		return '(nested too deeply to be shown)';
	}
	return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
}
