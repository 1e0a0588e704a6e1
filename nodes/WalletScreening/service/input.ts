import { invalidInput, type Known, own } from './errors';
import { withoutEdges } from './text';
import { decoded, parseUrl } from './url';

/** Section 8: addresses per POST /v1/bulk. */
export const mostPerJob = 1000;

const longest = 256;
const inner = /[\s\p{Cc}\p{Cf}\p{Cs}]/u;
/** They stand between or around addresses, and in no address of a known format. */
const separators = /[,;|"'`]/;

/** Whether a trimmed text can be an address of any format, as `cleanAddress` takes it. */
export function mayBeAddress(text: string): boolean {
	return text !== '' && text.length <= longest && !inner.test(text) && !separators.test(text);
}

/*
 * Each of these functions takes a value as the user gave it and the `label` of the field that it stands in. It gives the
 * text as the service needs it, or throws `invalid_input`.
 */

export function cleanAddress(value: unknown, label: string): string {
	const address = trimmed(value, label, 'Give the wallet address as text: a number loses digits.');
	if (address === '') {
		throw invalidInput(
			label,
			`'${label}' is empty`,
			'Give a wallet address, or filter out the items that have none.',
		);
	}
	const known = { address: address.slice(0, longest) };
	refuseOddities(label, address, known);
	// For one such text the service may refuse all the addresses that are sent with it.
	if (separators.test(address)) {
		throw invalidInput(
			label,
			`'${label}' contains a separator or a quotation mark`,
			"Give one address only, without quotation marks, commas, ';' or '|'. In a list, write one address per line, or separate them by commas.",
			known,
		);
	}
	return address;
}

/** Undefined for a blank value: then the service determines the chain (section 4.1). */
export function cleanChain(value: unknown, label: string): string | undefined {
	const chain = trimmed(value, label, 'Give the name of the chain as text, e.g. ETH.');
	if (chain === '') return undefined;
	refuseOddities(label, chain);
	return chain;
}

/** A job ID, safe to be one segment of a path. */
export function cleanId(value: unknown, label: string): string {
	const text = typeof value === 'number' ? String(value) : value;
	const id = trimmed(text, label, 'Give the ID as the service returned it.');
	if (id === '') {
		throw invalidInput(label, `'${label}' is empty`, 'Give the ID as the service returned it.');
	}
	refuseOddities(label, id);
	if (/[/\\]/.test(id) || id.includes('..') || id === '.') {
		throw invalidInput(label, `'${label}' is not an ID`, "Give only the ID, without '/' or '..'.");
	}
	return id;
}

/**
 * A report ID, safe to be one segment of a path. Takes a `report_url` too, also in angle brackets: its path ends with the ID
 * (section 2.1). An error names what was given.
 */
export function cleanReportId(value: unknown, label: string): string {
	const text = typeof value === 'string' ? trimmed(value, label, '') : '';
	const [, bare = text] = /^<(.*)>$/.exec(text) ?? [];
	const url = /^https?:\/\//i.test(bare) ? parseUrl(bare) : undefined;
	const last = url?.pathname.split('/').findLast((segment) => segment !== '');
	try {
		return cleanId(last === undefined ? value : decoded(last), label);
	} catch (error) {
		throw text === '' ? error : own(error).with({ report_id: text.slice(0, longest) });
	}
}

/** The text without what copy and paste left around it; a missing value is an empty text. */
function trimmed(value: unknown, label: string, advice: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'string') throw invalidInput(label, `'${label}' is not a text`, advice);
	return withoutEdges(value);
}

function refuseOddities(label: string, text: string, known?: Known) {
	if (inner.test(text)) {
		throw invalidInput(
			label,
			`'${label}' contains a space, line break or invisible character`,
			'Give one value only, without spaces, line breaks or invisible characters inside.',
			known,
		);
	}
	if (text.length > longest) {
		throw invalidInput(
			label,
			`'${label}' is longer than ${longest} characters`,
			'Give one value only.',
			known,
		);
	}
}
