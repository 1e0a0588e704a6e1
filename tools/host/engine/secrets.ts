import buffer from 'node:buffer';
import { inspect } from 'node:util';

/**
 * A whole value as text. Unlike `JSON.stringify`, it includes causes of errors, symbols, maps,
 * hidden properties and bytes.
 */
export function textOf(value: unknown): string {
	// `inspect` shows 50 bytes of a Buffer unless this setting, which is one for the whole process,
	// says otherwise.
	buffer.INSPECT_MAX_BYTES = Infinity;
	return inspect(value, {
		depth: null,
		showHidden: true,
		getters: true,
		breakLength: Infinity,
		maxArrayLength: null,
		maxStringLength: null,
		// Without this option, aligning columns for people would take most of the time.
		compact: true,
	});
}

/**
 * Returns the 80 characters before each secret found in a value, to show where it is. It finds a
 * secret as plain text with any escapes, URL-encoded, as bytes, and in base64, even inside a
 * longer text.
 */
export function findSecrets(value: unknown, secrets: string[]): string[] {
	const text = withoutEscapes(textOf(value));
	return secrets.flatMap((secret) => {
		const places = formsOf(secret).map((form) => text.indexOf(form));
		const at = places.find((place) => place >= 0);
		return at === undefined ? [] : [text.slice(Math.max(0, at - 80), at)];
	});
}

/** A text in quotation marks has more backslashes, the more often it was put in quotation marks. */
const withoutEscapes = (text: string) => text.replaceAll('\\', '');

function formsOf(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const hex = bytes.toString('hex');
	return [
		withoutEscapes(secret),
		withoutEscapes(JSON.stringify(secret).slice(1, -1)),
		encodeURIComponent(secret),
		new URLSearchParams([['', secret]]).toString().slice('='.length),
		...base64FormsOf(bytes),
		hex,
		// A buffer is shown in hex with blanks, and another array of bytes in decimals.
		hex.replaceAll(/..(?!$)/g, '$& '),
		bytes.join(', '),
	];
}

/**
 * The Base64 of a secret, for each of the three places in a group of three bytes where it may
 * begin. Characters that share bits with neighbouring bytes are cut off.
 */
function base64FormsOf(secret: Buffer): string[] {
	return [0, 1, 2].flatMap((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), secret]);
		const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
		return (['base64', 'base64url'] as const).map((code) => bytes.toString(code).slice(start, end));
	});
}
