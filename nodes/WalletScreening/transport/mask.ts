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
		.flatMap((secret) => [patternOf(secret, asItself), patternOf(secret, inJson)]);
	if (spellings.length === 0) return (text) => text;
	const pattern = new RegExp(spellings.join('|'), 'g');
	return (text) => text.replace(pattern, maskText);
}

/**
 * The pattern of a secret in one of two spellings, in each of which the text decides how every code
 * unit is spelled. In one pattern for both, a backslash may be the whole of a unit or the beginning
 * of its escape: of many, every choice would be tried.
 */
const patternOf = (secret: string, spell: (unit: string) => string): string =>
	secret.split('').map(spell).join('');

/** The pattern of one code unit as it is. */
const asItself = (unit: string): string => `\\u${digitsOf(unit)}`;

/** The four hexadecimal digits of a code unit. */
const digitsOf = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, '0');

/** The code units that JSON has to write after a backslash. It may write "/" so, too. */
const alwaysEscaped = '"\\';

/**
 * The pattern of one code unit in JSON: by its number, after a backslash, and itself, where JSON
 * allows that. At most one of them fits at each place of a text.
 *
 * @example "/" gives (?:\\u[00][00][22][fF]|\\\u002f|\u002f)
 */
function inJson(unit: string): string {
	const eitherCase = Array.from(digitsOf(unit), (digit) => `[${digit}${digit.toUpperCase()}]`);
	const spellings = [`\\\\u${eitherCase.join('')}`];
	if (unit === '/' || alwaysEscaped.includes(unit)) spellings.push(`\\\\${asItself(unit)}`);
	if (!alwaysEscaped.includes(unit)) spellings.push(asItself(unit));
	return `(?:${spellings.join('|')})`;
}

/** Masks the secrets in the bytes of a text in UTF-8. */
export function maskBytes(bytes: Buffer, mask: Mask): Buffer {
	const text = bytes.toString();
	const masked = mask(text);
	return masked === text ? bytes : Buffer.from(masked);
}
