import { invalidInput, type Known } from './errors';

const longest = 256;
/** What is longer than this is not even trimmed: that takes time which grows with the square of the length. */
const longestGiven = 10 * longest;
/** White space and characters without width, as copy and paste leave them around a text. */
const edges = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;
const inner = /[\s\p{Cc}\p{Cf}\p{Cs}]/u;
/** What stands between or around addresses, and in none of any known format. */
const separators = /[,;|"'`]/;

/** The text without what copy and paste left around it; a missing value is an empty text. Throws `invalid_input`. */
function trimmed(value: unknown, parameter: string, advice: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'string') {
		throw invalidInput(parameter, `'${parameter}' is not a text`, advice);
	}
	return value.length > longestGiven ? value : value.replace(edges, '');
}

/** The text without what copy and paste left around it. Throws `invalid_input` for what cannot be an address. */
export function cleanAddress(value: unknown, parameter = 'Address'): string {
	const address = trimmed(
		value,
		parameter,
		'Give the wallet address as text: a number loses digits.',
	);
	if (address === '') {
		throw invalidInput(
			parameter,
			`'${parameter}' is empty`,
			'Give a wallet address, or filter out the items that have none.',
		);
	}
	const known = { address: address.slice(0, longest) };
	refuseOddities(parameter, address, known);
	// For one such text the service may refuse all the addresses that are sent with it.
	if (separators.test(address)) {
		throw invalidInput(
			parameter,
			`'${parameter}' holds a separator or a quotation mark`,
			"Give one address alone, without quotation marks, commas, ';' or '|'. A list of addresses is written one per line, or separated by commas.",
			known,
		);
	}
	return address;
}

/** A report or job ID, safe to be one segment of a path. Throws `invalid_input` otherwise. */
export function cleanId(value: unknown, parameter: string): string {
	const text = typeof value === 'number' ? String(value) : value;
	const id = trimmed(text, parameter, 'Give the ID as the service returned it.');
	if (id === '') {
		throw invalidInput(
			parameter,
			`'${parameter}' is empty`,
			'Give the ID as the service returned it.',
		);
	}
	refuseOddities(parameter, id);
	if (/[/\\]/.test(id) || id.includes('..') || id === '.') {
		throw invalidInput(
			parameter,
			`'${parameter}' is not an ID`,
			"Give the ID alone, without '/' or '..', not an address of a page.",
		);
	}
	return id;
}

/** The chain, or undefined where the service shall determine it (section 4.1). */
export function cleanChain(value: unknown): string | undefined {
	const chain = trimmed(value, 'Chain', 'Give the name of the chain as text, e.g. ETH.');
	if (chain === '') return undefined;
	refuseOddities('Chain', chain);
	return chain;
}

function refuseOddities(parameter: string, text: string, known?: Known) {
	if (inner.test(text)) {
		throw invalidInput(
			parameter,
			`'${parameter}' holds white space or invisible characters`,
			'Give one value alone, without spaces, line breaks or invisible characters inside.',
			known,
		);
	}
	if (text.length > longest) {
		throw invalidInput(
			parameter,
			`'${parameter}' is longer than ${longest} characters`,
			'Give one value alone.',
			known,
		);
	}
}
