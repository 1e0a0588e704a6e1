import { invalidInput, rethrowUnlessScreeningError, type ScreeningError } from '../shared/errors';
import { decodeSegment, parseUrl } from '../shared/http';
import { tryParseJson } from '../shared/json';
import { isRecoveryPhrase, privateKeyNote } from './privateKey';
import { findRefusal, recoveryPhraseRefusal, secretRules } from './refusal';
import {
	cutRefused,
	describeProblem,
	type Refusal,
	requireAllowed,
	type TextRule,
	textRules,
	trimText,
} from './textRules';

/*
 * The entry to this folder for what a user gave. Each function takes the value and the `label` of its
 * field, and returns what the service needs.
 *
 *     input.ts           cleans an address, a list, a chain or an ID
 *     refusal.ts         decides whether an address may be sent, with `privateKey.ts`
 *     textRules.ts       the rules for any text, such as its length
 *     checkAddress.ts    finds the format and the checksum of an address, in `formats.ts` and
 *                        `encodings/`
 *
 * What is compared uses `key.ts`: it finds the account that an address names, in `accounts/`.
 */

/**
 * Cleans an address of what copy and paste left around it. Without `checkAddresses` (see
 * `findRefusal`), an address that may be mistyped is taken, too.
 * @throws {ScreeningError} `invalid_input`, which holds the first characters of a refused text, and
 * nothing of a private key
 */
export function cleanAddress(
	value: unknown,
	label: string,
	{ checkAddresses = true } = {},
): string {
	const address = trimText(value, label, 'Give the wallet address as text: a number loses digits.');
	const refusal = findRefusal(address, { checkAddresses });
	if (!refusal) return address;
	const { kind, problem, advice } = refusal;
	if (kind === 'secret') throw withheld(refusal, label);
	const part = cutRefused(address);
	const details = {
		...(part !== '' && (part === address ? { address } : { addressExcerpt: part })),
		...(kind === 'mistyped' && { checksum: 'invalid' as const }),
		...(kind === 'doubtful' && { checksum: 'none' as const }),
	};
	throw invalidInput(label, describeProblem(label, problem, part), advice, details);
}

/**
 * Refuses a text that is a secret.
 * @throws {ScreeningError} `invalid_input`, which holds nothing of it
 */
function refuseSecret(text: string, label: string): void {
	const refusal = secretRules.find(({ applies }) => applies(text));
	if (refusal) throw withheld(refusal, label);
}

/** An error that repeats nothing of what was refused. */
function withheld({ problem, advice }: Refusal, label: string): ScreeningError {
	const details = { withheld: privateKeyNote };
	return invalidInput(label, describeProblem(label, problem, ''), advice, details);
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
export function cleanAddressRequest(
	{ value, label }: FieldValue,
	chain?: FieldValue,
	{ checkAddresses = true } = {},
): AddressRequest {
	const address = cleanAddress(value, label, { checkAddresses });
	try {
		return { address, ...(chain && { chain: cleanChain(chain.value, chain.label) }) };
	} catch (error) {
		throw rethrowUnlessScreeningError(error).withDetails({ address });
	}
}

/**
 * Splits a list into its entries: an array, also as JSON, or a text with lines, commas or
 * semicolons between them, of which blank ones are left out.
 * @throws {ScreeningError} `invalid_input` for a value that is no list, and for a recovery phrase
 */
export function splitList(list: unknown, label: string): unknown[] {
	const entries = parseList(list, label);
	// Each entry alone is only a word.
	if (isRecoveryPhrase(entries.filter((entry) => typeof entry === 'string').join(' ')))
		throw withheld(recoveryPhraseRefusal, label);
	return entries;
}

/** @throws {ScreeningError} `invalid_input` for a value that is no list */
function parseList(list: unknown, label: string): unknown[] {
	const refused = (problem: string) => {
		const advice = 'Give one address per line, or separated by commas, or an array of texts.';
		return invalidInput(label, `'${label}' ${problem}`, advice);
	};
	let values: unknown = list ?? [];
	if (typeof list === 'string') {
		// `trim` also removes a byte order mark and white space that JSON.parse refuses.
		const text = list.trim();
		if (!text.startsWith('[')) {
			return text.split(/[\n\r,;]/).filter((entry) => entry.trim() !== '');
		}
		values = tryParseJson(text);
		if (values === undefined) throw refused('starts like a JSON array, but is invalid JSON');
	}
	if (Array.isArray(values)) return values as unknown[];
	throw refused('is not a list');
}

/**
 * Cleans the name of a chain. It is undefined for null and a blank text: then the service
 * determines the chain (section 4.1).
 * @throws {ScreeningError} `invalid_input`
 */
export function cleanChain(value: unknown, label: string): string | undefined {
	if (value === undefined) {
		const advice =
			'Check its field names. To let the service choose the chain, let it return null.';
		throw invalidInput(
			label,
			`The expression for the chain in '${label}' resolves to undefined`,
			advice,
		);
	}
	const chain = trimText(value, label, 'Give the name of the chain as text, e.g. ETH.');
	refuseSecret(chain, label);
	return requireAllowed(chain, label, textRules) || undefined;
}

const idAdvice = 'Give the ID as the service returned it.';

const idRules: TextRule[] = [
	{ applies: (text) => text === '', problem: 'is empty', advice: idAdvice },
	...textRules,
	{
		applies: (text) => text === '.' || /[/\\]|\.\./.test(text),
		problem: 'is not an ID',
		advice: "Give only the ID, without '/' or '..'.",
	},
];

/**
 * Cleans an ID, e.g. of a job, so that it is safe as one segment of a path. A whole number counts as
 * its digits.
 * @throws {ScreeningError} `invalid_input` for a text that is no ID
 */
export function cleanId(value: unknown, label: string): string {
	// JavaScript does not hold a larger number exactly.
	const text = Number.isSafeInteger(value) ? String(value) : value;
	const id = trimText(text, label, idAdvice);
	refuseSecret(id, label);
	return requireAllowed(id, label, idRules);
}

/**
 * Cleans the ID of a report as `cleanId` does. Takes a `report_url` too, whose path ends with the
 * ID (section 2.1), and the link of its PDF, whose path ends with `/pdf` after it (section 4.5). The
 * path may stand in the fragment, as in `https://app.example.com/#/reports/r-1`.
 * @throws {ScreeningError} `invalid_input` for a text that is neither
 */
export function cleanReportId(value: unknown, label: string): string {
	const text = typeof value === 'string' ? trimText(value, label, idAdvice) : '';
	const url = parseUrl(text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text);
	const isLink = url?.protocol === 'https:' || url?.protocol === 'http:';
	const path = isLink ? pathOf(url).replace(/(?<=\/reports\/[^/]+)\/pdf\/?$/, '') : '';
	const last = path.split('/').findLast((segment) => segment !== '');
	return cleanId(last === undefined ? value : decodeSegment(last), label);
}

/**
 * The path of a report in a link: the one in its fragment, as single-page applications have it, or
 * its own.
 */
const pathOf = ({ pathname, hash }: URL): string =>
	/^#\/(?:.*\/)?reports\//.test(hash) ? hash.slice(1).replace(/\?.*$/, '') : pathname;
