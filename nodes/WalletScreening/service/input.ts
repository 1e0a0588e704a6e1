import { invalidInput, type Known } from './errors';

const longest = 256;
/** White space and characters without width, as copy and paste leave them around a text. */
const edges = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;
const inner = /[\s\p{Cc}\p{Cf}]/u;

function trimmed(value: unknown): string {
	return typeof value === 'string' ? value.replace(edges, '') : '';
}

/** The text without what copy and paste left around it. Throws `invalid_input` for what cannot be an address. */
export function cleanAddress(value: unknown, parameter = 'Address'): string {
	if (value !== undefined && value !== null && typeof value !== 'string') {
		throw invalidInput(
			parameter,
			`'${parameter}' is not a text`,
			'Give the wallet address as text. A number loses digits.',
		);
	}
	const address = trimmed(value);
	if (address === '') {
		throw invalidInput(
			parameter,
			`'${parameter}' is empty`,
			'Give a wallet address, or filter out the items that have none.',
		);
	}
	refuseOddities(parameter, address, { address: address.slice(0, longest) });
	return address;
}

/** A report or job ID, safe to be one segment of a path. Throws `invalid_input` otherwise. */
export function cleanId(value: unknown, parameter: string): string {
	const id = trimmed(typeof value === 'number' ? String(value) : value);
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
	const chain = trimmed(value);
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
