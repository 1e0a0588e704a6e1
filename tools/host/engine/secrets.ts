import buffer from 'node:buffer';
import { inspect } from 'node:util';

/**
 * A whole value as text. Unlike `JSON.stringify`, it includes causes of errors, symbols, maps,
 * hidden properties and bytes.
 */
export function textOf(value: unknown): string {
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

/** The text before each secret that can be read in a value as plain text, as base64 or as bytes. */
export function findSecrets(value: unknown, secrets: string[]): string[] {
	const text = textOf(value);
	return secrets.flatMap((secret) => {
		const bytes = Buffer.from(secret);
		const hex = bytes.toString('hex').replaceAll(/..(?!$)/g, '$& ');
		const places = [secret, bytes.toString('base64'), hex].map((form) => text.indexOf(form));
		return places.filter((at) => at >= 0).map((at) => text.slice(Math.max(0, at - 80), at));
	});
}
