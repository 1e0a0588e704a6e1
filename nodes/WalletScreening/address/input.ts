import { invalidInput, rethrowUnlessScreeningError } from '../shared/errors';
import { decodeSegment, parseUrl } from '../shared/http';
import { trimInvisible } from '../shared/text';
import { refusalOf, type Rule, textRules } from './refusal';

/* Each function takes what the user gave and the `label` of its field, and returns what the service needs. */

/**
 * Cleans an address of what copy and paste left around it. `checks` is false where an address that may be mistyped is to be sent.
 * @throws {ScreeningError} `invalid_input`, which holds the first characters of a refused text, and nothing of a private key
 */
export function cleanAddress(value: unknown, label: string, { checks = true } = {}): string {
	const address = trimText(value, label, 'Give the wallet address as text: a number loses digits.');
	const refusal = refusalOf(address, { checks });
	if (!refusal) return address;
	const { what, advice, checksum, isSecret } = refusal;
	if (isSecret) {
		const details = { withheld: '(private key removed)' };
		throw invalidInput(label, messageOf(label, what, ''), advice, details);
	}
	const part = excerptOf(address);
	const details = {
		...(part !== '' && { [part === address ? 'address' : 'addressExcerpt']: part }),
		...(checksum && { checksum }),
	};
	throw invalidInput(label, messageOf(label, what, part), advice, details);
}

/** A value, and the label of the field that it stands in. */
export interface FieldValue {
	value: unknown;
	label: string;
}

/** An address that is asked for, and the chain that is meant. */
export interface AddressRequest {
	address: string;
	chain?: string | undefined;
}

/**
 * Cleans an address to send, and the chain that is meant, if there is a field for it.
 * @throws {ScreeningError} `invalid_input`
 */
export function cleanTarget(
	{ value, label }: FieldValue,
	chain?: FieldValue,
	{ checks = true } = {},
): AddressRequest {
	const address = cleanAddress(value, label, { checks });
	try {
		return { address, ...(chain && { chain: cleanChain(chain.value, chain.label) }) };
	} catch (error) {
		throw rethrowUnlessScreeningError(error).withDetails({ address });
	}
}

/**
 * Splits a list into its entries: an array, also as JSON, or a text with lines, commas or semicolons between them, of which blank
 * ones are left out.
 * @throws {ScreeningError} `invalid_input` for a value that is no list
 */
export function splitList(list: unknown, label: string): unknown[] {
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

/**
 * Cleans the name of a chain. It is undefined for null and a blank text: then the service determines the chain (section 4.1).
 * @throws {ScreeningError} `invalid_input`
 */
export function cleanChain(value: unknown, label: string): string | undefined {
	if (value === undefined) {
		const advice = 'Check the names in it. If any chain is fine, let it return null.';
		throw invalidInput(
			label,
			`'${label}' has a chain whose expression resolves to undefined`,
			advice,
		);
	}
	const chain = trimText(value, label, 'Give the name of the chain as text, e.g. ETH.');
	return checkText(chain, label, textRules) || undefined;
}

/**
 * Trims what copy and paste left around a text. A missing value is an empty text.
 * @throws {ScreeningError} `invalid_input` for any other value
 */
function trimText(value: unknown, label: string, advice: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'string') throw invalidInput(label, `'${label}' is not a text`, advice);
	return trimInvisible(value);
}

/**
 * Returns the text if no rule refuses it.
 * @throws {ScreeningError} `invalid_input` for the first rule that does
 */
function checkText(text: string, label: string, rules: readonly Rule[]): string {
	const rule = rules.find(({ fits }) => fits(text));
	if (rule) throw invalidInput(label, messageOf(label, rule.what, excerptOf(text)), rule.advice);
	return text;
}

/** How many characters of a refused text an error repeats: it may be anything. */
const maxShown = 12;
const excerptOf = (text: string) => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

const messageOf = (label: string, what: string, part: string) =>
	`'${label}' ${what}${part && `: ${part}`}`;

const adviceOfId = 'Give the ID as the service returned it.';

const idRules: Rule[] = [
	{ fits: (text) => text === '', what: 'is empty', advice: adviceOfId },
	...textRules,
	{
		fits: (text) => text === '.' || /[/\\]|\.\./.test(text),
		what: 'is not an ID',
		advice: "Give only the ID, without '/' or '..'.",
	},
];

/** A job ID, safe to be one segment of a path. */
export function cleanId(value: unknown, label: string): string {
	const id = trimText(typeof value === 'number' ? String(value) : value, label, adviceOfId);
	return checkText(id, label, idRules);
}

/** A report ID, safe to be one segment of a path. Takes a `report_url` too, whose path ends with the ID (section 2.1). */
export function cleanReportId(value: unknown, label: string): string {
	const text = typeof value === 'string' ? trimText(value, label, '') : '';
	const url = parseUrl(text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text);
	const isLink = url?.protocol === 'https:' || url?.protocol === 'http:';
	const last = isLink ? url.pathname.split('/').findLast((segment) => segment !== '') : undefined;
	return cleanId(last === undefined ? value : decodeSegment(last), label);
}
