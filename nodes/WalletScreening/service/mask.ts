/** A shorter text may be a word of an honest answer: "green" has five letters. */
const shortestMasked = 6;

const hidden = '***';

/** Takes the secrets out of a text from outside. */
export type Mask = (text: string) => string;

/**
 * Masks these secrets, from six characters on: as they are; percent-encoded, in quoted-printable, or with the escapes of JSON,
 * of HTML and of programs, also in part; as bytes, in hexadecimal or decimal; and in base64 or base64url of any text that holds
 * them, also in lines. The time is linear in the length of the text.
 */
export function maskOf(secrets: string[]): Mask {
	const spellings = secrets
		.filter(({ length }) => length >= shortestMasked)
		// One secret may hold another.
		.sort((one, other) => other.length - one.length)
		.flatMap((secret) => [
			spelled(secret),
			hexOf(Buffer.from(secret), 2).join('[\\s:,-]{0,3}'),
			[...Buffer.from(secret)].join('[\\s,]{1,9}'),
			...base64Of(secret).map(spelledBase64),
		]);
	if (spellings.length === 0) return (text) => text;
	const pattern = new RegExp(spellings.join('|'), 'g');
	return (text) => text.replace(pattern, hidden);
}

/** The same for the bytes of a text in UTF-8. */
export function maskedBytes(bytes: Buffer, mask: Mask): Buffer {
	const text = bytes.toString();
	const masked = mask(text);
	return masked === text ? bytes : Buffer.from(masked);
}

const spelled = (text: string) => Array.from(text, spellings).join(softBreak);

/** Of quoted-printable. */
const softBreak = '(?:=\\r?\\n)?';

/** JSON within JSON within JSON has seven backslashes. More of them are not looked for, so that the time is bounded. */
const backslashes = (least: 0 | 1) => `\\\\{${least},7}`;

/** What stands before the two digits of a byte: that of a URL may be encoded again, up to three times. */
const beforeByte = `(?:%(?:25){0,3}|=|${backslashes(1)}x)`;

/** The spellings of one character, as a regular expression. */
function spellings(character: string): string {
	const asItIs = character.replace(/[^\p{L}\p{N}]/u, '\\$&');
	const mayBeEscaped = ['"', '/', '\\'].includes(character);
	const bytes = hexOf(Buffer.from(character), 2).map((digits) => beforeByte + digits);
	const units = Uint16Array.from(character.split(''), (unit) => unit.charCodeAt(0));
	const json = hexOf(units, 4).map((digits) => `${backslashes(1)}u${digits}`);
	const entities = [...units].map((unit, at) => `&#(?:0*${unit}|[xX]0*${hexOf(units, 1)[at]});`);
	const all = [bytes, json, entities].map((parts) => parts.join(''));
	return `(?:${mayBeEscaped ? backslashes(0) : ''}${asItIs}|${all.join('|')})`;
}

/** Each number as hexadecimal digits of either case. */
function hexOf(numbers: Uint8Array | Uint16Array, length: number): string[] {
	return Array.from(numbers, (number) =>
		Array.from(
			number.toString(16).padStart(length, '0'),
			(digit) => `[${digit}${digit.toUpperCase()}]`,
		).join(''),
	);
}

/** The characters that depend only on the secret, if 0, 1 or 2 bytes before it share its first group of three. */
function base64Of(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [0, 1, 2].map((before) => {
		const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
		const end = Math.floor((8 * (before + bytes.length)) / 6);
		return text.slice(Math.ceil((8 * before) / 6), end);
	});
}

/** The characters that differ in base64url, in either form. */
const otherForm: Record<string, string> = { '+': '-', '/': '_' };

/** Lines of base64 end after 76 characters, or 64; in JSON with an escape. */
const lineEnd = `(?:\\r?\\n|${backslashes(1)}[rn]){0,4}`;

const spelledBase64 = (text: string) =>
	Array.from(text, (one) =>
		one in otherForm ? `(?:${spellings(one)}|${otherForm[one]})` : one,
	).join(lineEnd);
