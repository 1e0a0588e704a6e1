/** Takes the secrets out of a text from outside. */
export type Mask = (text: string) => string;

/** A shorter text may be a word of an honest answer: "green" has five letters. */
const minMaskedLength = 6;

/** What stands in the place of a secret. */
const maskText = '***';

/**
 * Makes the mask of these secrets, from six characters on: as they are, or with the escapes of
 * JSON.
 */
export function createMask(secrets: string[]): Mask {
	const spellings = secrets
		.filter(({ length }) => length >= minMaskedLength)
		// One secret may hold another.
		.sort((one, other) => other.length - one.length)
		.map((secret) => secret.split('').map(spellingsOf).join(''));
	if (spellings.length === 0) return (text) => text;
	const pattern = new RegExp(spellings.join('|'), 'g');
	return (text) => text.replace(pattern, maskText);
}

/**
 * The spellings of one code unit in JSON, as a regular expression: itself, after a backslash, and
 * by its number.
 *
 * @example "/" gives (?:\\?\u002f|\\u[00][00][22][fF])
 */
function spellingsOf(unit: string): string {
	const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
	const eitherCase = Array.from(digits, (digit) => `[${digit}${digit.toUpperCase()}]`).join('');
	const backslash = '"/\\'.includes(unit) ? '\\\\?' : '';
	return `(?:${backslash}\\u${digits}|\\\\u${eitherCase})`;
}

/** Masks the secrets in the bytes of a text in UTF-8. */
export function maskBytes(bytes: Buffer, mask: Mask): Buffer {
	const text = bytes.toString();
	const masked = mask(text);
	return masked === text ? bytes : Buffer.from(masked);
}
