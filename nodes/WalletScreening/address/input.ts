import { refusalOf, type Rule, textRules } from './refusal';
import { invalidInput, asScreeningError } from '../shared/errors';
import { withoutEdges } from '../shared/text';

/* Each of these takes what the user gave and the `label` of its field, and gives what the service needs or throws `invalid_input`. */

/**
 * An address without what stands around it. `checks` is false where one that may be mistyped is to be sent. An error holds the
 * first characters of a refused text, and nothing of a private key.
 */
export function cleanAddress(value: unknown, label: string, { checks = true } = {}): string {
	const address = trimmed(value, label, 'Give the wallet address as text: a number loses digits.');
	const refusal = refusalOf(address, { checks });
	if (!refusal) return address;
	const { what, advice, checksum, isSecret } = refusal;
	if (isSecret) {
		const details = { withheld: '(private key removed)' };
		throw invalidInput(label, messageOf(label, what, ''), advice, details);
	}
	const part = shown(address);
	const details = { ...(part !== '' && { address: part }), ...(checksum && { checksum }) };
	throw invalidInput(label, messageOf(label, what, part), advice, details);
}

/** A value, and the label of the field that it stands in. */
export type Labelled = [value: unknown, label: string];

/** An address to send, and the chain that is meant. */
export function cleanTarget([value, label]: Labelled, chain?: Labelled, { checks = true } = {}) {
	const address = cleanAddress(value, label, { checks });
	try {
		return { address, ...(chain && { chain: cleanChain(...chain) }) };
	} catch (error) {
		throw asScreeningError(error).withDetails({ address });
	}
}

/** The entries of a list: an array, also as JSON, or a text with lines, commas or semicolons between them. Blank ones are left out. */
export function entriesOf(list: unknown, label: string): unknown[] {
	const refused = (what: string) => {
		const advice = 'Give one address per line, or separated by commas, or an array of texts.';
		return invalidInput(label, `'${label}' ${what}`, advice);
	};
	let values: unknown = list ?? [];
	if (typeof list === 'string') {
		if (!list.trim().startsWith('[')) {
			return list.split(/[\n\r,;]/).filter((entry) => entry.trim() !== '');
		}
		try {
			values = JSON.parse(list);
		} catch {
			throw refused('starts like a JSON array, but is invalid JSON');
		}
	}
	if (Array.isArray(values)) return values as unknown[];
	throw refused('is not a list');
}

/** Undefined for null and a blank text: then the service determines the chain (section 4.1). */
export function cleanChain(value: unknown, label: string): string | undefined {
	if (value === undefined) {
		const advice = 'Check the names in it. Let it give null if no chain is meant.';
		throw invalidInput(label, `'${label}' has a chain whose expression gives nothing`, advice);
	}
	const chain = trimmed(value, label, 'Give the name of the chain as text, e.g. ETH.');
	return accepted(chain, label, textRules) || undefined;
}

/** The text without what copy and paste left around it; a missing value is an empty text. */
export function trimmed(value: unknown, label: string, advice: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'string') throw invalidInput(label, `'${label}' is not a text`, advice);
	return withoutEdges(value);
}

/** The text, or `invalid_input` for the first rule that refuses it. */
export function accepted(text: string, label: string, rules: readonly Rule[]): string {
	const rule = rules.find(({ fits }) => fits(text));
	if (rule) throw invalidInput(label, messageOf(label, rule.what, shown(text)), rule.advice);
	return text;
}

/** An error repeats no more of a refused text: it may be anything. */
const maxShown = 12;
const shown = (text: string) => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

const messageOf = (label: string, what: string, part: string) =>
	`'${label}' ${what}${part && `: ${part}`}`;
