import { withoutPrivateKeys } from '../address/privateKey';
import { invisible } from '../service/text';

const unseen = new RegExp(`[${invisible}]+`, 'gu');

/** Text on one line, in which every character can be seen, cut to `longest` code units. */
export function clip(text: string, longest: number): string {
	// Enough of it to fill the line, so that a text of megabytes takes no time.
	const start = text.slice(0, longest * 4);
	const line = start.replace(unseen, '\uFFFD').replace(/\s+/g, ' ').trim();
	if (line.length <= longest && start.length === text.length) return line;
	return `${line.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A number as the service sent it, except decimals beyond the sixth, which are the noise of binary fractions. */
function numeral(value: number): string {
	return String(Number(value.toFixed(6)) || value);
}

/** Whether there is a value: not undefined, null or a blank text. */
export function isGiven(value: unknown): boolean {
	return (
		value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '')
	);
}

/** Whether the value is a number that can be compared. */
export function isNumber(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}

/** Any value of a report, in words: what it lacks is "not given", and what should not be there is shown as it is. */
export function show(value: unknown, longest: number): string {
	if (typeof value === 'number') return numeral(value);
	if (typeof value === 'object' && value !== null) return clip(jsonOf(value), longest);
	// A part of a private key would not be known for one.
	const text = withoutPrivateKeys(String(value ?? '').slice(0, longest * 20));
	return clip(text, longest) || 'not given';
}

function jsonOf(value: object): string {
	try {
		return JSON.stringify(value);
	} catch {
		// JSON can be parsed deeper than it can be written.
		return 'unreadable';
	}
}

/** Enough of an address to know it again; the middle is left out. */
export function shortAddress(address: string): string {
	return address.length > 16 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address;
}
