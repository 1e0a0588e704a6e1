import { checkAddress } from '../address/check';
import { name } from '../address/formats';
import { addressKey, tonAccount } from '../address/key';
import { isPrivateKey } from '../address/privateKey';
import { invalidInput, type ErrorDetails, asScreeningError } from './errors';
import { decoded, parseUrl } from './url';

/** Section 8: addresses per POST /v1/bulk. */
export const mostPerJob = 1000;

/** What shows nothing, breaks a line or turns the direction of reading, but no white space, as a class of a regular expression. */
export const invisible =
	'\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800';

/** What copy and paste leave around a text: white space and characters without width, but no control characters. */
const edge = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]$/u;

/** The text without what copy and paste leave around it. */
export function withoutEdges(text: string): string {
	const characters = Array.from(text);
	const isInside = (character: string) => !edge.test(character);
	const start = characters.findIndex(isInside);
	const end = characters.findLastIndex(isInside);
	return start < 0 ? '' : characters.slice(start, end + 1).join('');
}

const longestInput = 256;
const blank = new RegExp(`[\\s${invisible}]`, 'u');

/** What is wrong with a text, and what to do. The first of a list that fits counts. */
type TextFlaw = [fits: (text: string) => boolean, what: string, advice: string];

const isEmpty = (text: string) => text === '';

const flawsOfText: TextFlaw[] = [
	[
		({ length }) => length > longestInput,
		`is longer than ${longestInput} characters`,
		'Give one value only.',
	],
	[
		(text) => blank.test(text),
		'contains a space, line break or invisible character',
		'Give one value only, without spaces, line breaks or invisible characters inside.',
	],
];

const flawsOfAddress: TextFlaw[] = [
	[isEmpty, 'is empty', 'Give a wallet address, or filter out the items that have none.'],
	...flawsOfText,
	[
		(text) => /\u2026|\.\./.test(text),
		'is shortened by dots',
		'Copy the whole address from its source.',
	],
	[
		// For one such text the service may refuse all the addresses that are sent with it.
		(text) => /[^\w:.-]/.test(text),
		'contains a character that no address has',
		'Give one address only, without quotation marks, separators, or a link around it. If you see none, a letter may be of another alphabet: copy the address again from its source.',
	],
	[
		// Accounts have no capital letters.
		(text) => /^(?:undefined|[A-Za-z]{1,8}|(?=.*[A-Z])[A-Za-z]{9,20})\W?$/.test(text),
		'is a word, and no address',
		'Check the expression of the field, or filter out the items that have no address.',
	],
	[
		// Accounts of Hedera are three numbers.
		(text) => /^(?!0\.0\.\d)[\d.:_-]{1,39}$/.test(text),
		'is a number, and no address',
		'Give the wallet address. Of a table, give only the column of the addresses.',
	],
];

/** What can be an address, but is refused if mistyped ones are. */
const flawsOfTarget: TextFlaw[] = [
	[
		(text) => name.test(text) && !accounts.some((end) => text.toLowerCase().endsWith(end)),
		'is a name, and no address',
		'Look up the address that the name stands for, e.g. in your wallet, and give that.',
	],
	[
		(text) => text.length === 40 && addressKey(text) === `0x${text.toLowerCase()}`,
		'lacks 0x at its beginning',
		'Write 0x before it, if it is an address of Ethereum or a chain like it.',
	],
];
/** Of NEAR. */
const accounts = ['.near', '.testnet', '.tg'];

const flawIn = (text: string, flaws: TextFlaw[]) => flaws.find(([fits]) => fits(text));
const flawOfAddress = (text: string) =>
	tonAccount(text) === undefined ? flawIn(text, flawsOfAddress) : undefined;

/** Whether a trimmed text can be an address of any format, as `cleanAddress` takes it without looking at checksums. */
export const mayBeAddress = (text: string) => !flawOfAddress(text) && !isPrivateKey(text);

/** What an error repeats of a refused text, which may be anything. */
const shown = (text: string) => (text.length > 12 ? `${text.slice(0, 12)}…` : text);

/* Each of these takes what the user gave and the `label` of its field, and gives what the service needs or throws `invalid_input`. */

/** With `checks`, an address whose checksum is invalid is refused too; a private key always is, and no error repeats it. */
export function cleanAddress(value: unknown, label: string, { checks = true } = {}): string {
	const address = trimmed(value, label, 'Give the wallet address as text: a number loses digits.');
	if (isPrivateKey(address)) {
		const advice =
			'The node sent it nowhere, but n8n stores what goes into a node. Delete this execution, and move the funds to a new wallet. To screen a wallet, give its public address.';
		const details = { withheld: '(private key removed)' };
		throw invalidInput(label, `'${label}' contains a private key`, advice, details);
	}
	const part = shown(address);
	refuse(label, flawOfAddress(address), part, part === '' ? undefined : { address: part });
	if (!checks) return address;
	const { checksum, findings } = checkAddress(address);
	if (checksum === 'invalid') {
		const advice = `${findings[0]} Copy the address again from its source.`;
		const message = `'${label}' is not a valid address: ${address}`;
		throw invalidInput(label, message, advice, { address, checksum });
	}
	return address;
}

/** A value, and the label of the field that it stands in. */
export type Labelled = [value: unknown, label: string];

/** An address to send, and the chain that is meant. `checks` refuses a name and an address without its 0x, too. Errors name it. */
export function cleanTarget([value, label]: Labelled, chain?: Labelled, { checks = true } = {}) {
	const address = cleanAddress(value, label, { checks });
	const flaw = checks ? flawIn(address, flawsOfTarget) : undefined;
	refuse(label, flaw, address, { address, checksum: 'none' });
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
	refuse(label, flawIn(chain, flawsOfText), shown(chain));
	return chain || undefined;
}

const adviceOfId = 'Give the ID as the service returned it.';
const flawsOfId: TextFlaw[] = [
	[isEmpty, 'is empty', adviceOfId],
	...flawsOfText,
	[
		(text) => text === '.' || /[/\\]|\.\./.test(text),
		'is not an ID',
		"Give only the ID, without '/' or '..'.",
	],
];

/** A job ID, safe to be one segment of a path. */
export function cleanId(value: unknown, label: string): string {
	const id = trimmed(typeof value === 'number' ? String(value) : value, label, adviceOfId);
	refuse(label, flawIn(id, flawsOfId), shown(id));
	return id;
}

/** A report ID, safe to be one segment of a path. Takes a `report_url` too, whose path ends with the ID (section 2.1). */
export function cleanReportId(value: unknown, label: string): string {
	const text = typeof value === 'string' ? trimmed(value, label, '') : '';
	const url = parseUrl(text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text);
	const isLink = url?.protocol === 'https:' || url?.protocol === 'http:';
	const last = isLink ? url.pathname.split('/').findLast((segment) => segment !== '') : undefined;
	return cleanId(last === undefined ? value : decoded(last), label);
}

/** The text without what copy and paste left around it; a missing value is an empty text. */
function trimmed(value: unknown, label: string, advice: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'string') throw invalidInput(label, `'${label}' is not a text`, advice);
	return withoutEdges(value);
}

/** Throws the flaw, if there is one, with what the error may repeat of the text. */
function refuse(label: string, flaw: TextFlaw | undefined, text: string, details?: ErrorDetails) {
	if (!flaw) return;
	const [, what, advice] = flaw;
	throw invalidInput(label, `'${label}' ${what}${text && `: ${text}`}`, advice, details);
}
