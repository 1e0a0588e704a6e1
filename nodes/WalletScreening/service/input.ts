import { checkAddress } from '../address/check';
import {
	holdsPrivateKey,
	isPrivateKey,
	listsPrivateKey,
	namesPrivateKey,
} from '../address/privateKey';
import { invalidInput, type Known, own, ScreeningError } from './errors';
import { invisible, withoutEdges } from './text';
import { decoded, parseUrl } from './url';

/** Section 8: addresses per POST /v1/bulk. */
export const mostPerJob = 1000;

const longest = 256;
const inner = new RegExp(`[\\s${invisible}]`, 'u');

/** What is wrong with a text, and what to do. The first of a list that fits counts. */
type Flaw = [flaw: RegExp, what: string, advice: string];

const oddities: Flaw[] = [
	[
		new RegExp(`^[^]{${longest + 1}}`),
		`is longer than ${longest} characters`,
		'Give one value only.',
	],
	[
		inner,
		'contains a space, line break or invisible character',
		'Give one value only, without spaces, line breaks or invisible characters inside.',
	],
];

const empty = /^$/;
/** A short one may be of a recovery phrase, and accounts have no capital letters. */
const onlyWord: Flaw = [
	/^(?:[A-Za-z]{1,8}|(?=.*[A-Z])[A-Za-z]{9,20})\W?$/,
	'is a word, and no address',
	'Give the wallet address.',
];
const flawsOfAddress: Flaw[] = [
	[empty, 'is empty', 'Give a wallet address, or filter out the items that have none.'],
	...oddities,
	[
		// For one such text the service may refuse all the addresses that are sent with it.
		/[,;|"'`]/,
		'contains a separator or a quotation mark',
		"Give one address only, without quotation marks, commas, ';' or '|'. In a list, write one address per line, or separate them by commas.",
	],
	[
		/\u2026|\.\./,
		'is shortened: dots stand for a part of it',
		'Copy the whole address from its source.',
	],
	[/[/\\]/, 'contains a slash', 'Give the address itself, not a link to it.'],
	[
		/[^!-~]/,
		'contains a character that no address has',
		'It may be a letter of another alphabet that looks the same. Copy the address again from its source.',
	],
	[/[^A-Za-z0-9:._-]/, 'contains a sign that no address has', 'Give only the address.'],
	[
		/^(?:undefined|null|nan)$/i,
		'holds no address, but the word for a missing one',
		'Check the expression of the field, or filter out the items that have no address.',
	],
	onlyWord,
];

/** 48 characters of base64 are an address of TON. */
const ton = /^[A-Za-z0-9+/]{48}$/;
const flawIn = (text: string, flaws: Flaw[]) => flaws.find(([flaw]) => flaw.test(text));
const flawOfAddress = (text: string) => (ton.test(text) ? undefined : flawIn(text, flawsOfAddress));

/** Whether a trimmed text can be an address of any format, as `cleanAddress` takes it without looking at checksums. */
export function mayBeAddress(text: string): boolean {
	return !flawOfAddress(text) && !holdsPrivateKey(text);
}

/** At most so many pieces are an address with something in or beside it, and no recovery phrase. */
const mostPieces = 4;
/** An address, also in a link, or with letters of another alphabet. */
const likeAddress = /^(?=.*\d)[\w:./\-\u2026\u0370-\u04ff]{1,128}$/;
/** What an error says of a text that is longer, and may be anything. */
const longestPart = 12;

/** A refused text, as far as an error may repeat it: whole only if it looks like an address, because it may be a secret. */
function repeated(text: string): string {
	const pieces = text.split(inner).filter((piece) => piece !== '');
	const isLikeOne = pieces.length <= mostPieces && likeAddress.test(pieces.join(''));
	return isLikeOne || text.length <= longestPart ? text : `${text.slice(0, longestPart)}…`;
}

/*
 * Each of these functions takes a value as the user gave it and the `label` of the field that it stands in. It gives the
 * text as the service needs it, or throws `invalid_input`.
 */

/** With `checks`, an address whose checksum is invalid is refused too; a private key always is, and no error repeats it. */
export function cleanAddress(value: unknown, label: string, { checks = true } = {}): string {
	const address = trimmed(value, label, 'Give the wallet address as text: a number loses digits.');
	if (holdsPrivateKey(address)) throw privateKey(label);
	const flaw = flawOfAddress(address);
	const known =
		flaw && [empty, onlyWord[0]].includes(flaw[0]) ? undefined : { address: repeated(address) };
	refuse(label, flaw, known);
	if (!checks) return address;
	const { checksum, findings } = checkAddress(address);
	if (checksum !== 'invalid') return address;
	const advice = `${findings[0]} Copy the address again from its source.`;
	throw invalidInput(label, `'${label}' is not a valid address`, advice, { ...known, checksum });
}

/** A value, and the label of the field that it stands in. */
export type Labelled = [value: unknown, label: string];

/** An address and the chain that is meant, if there is a field for it. An error about the chain names the address. */
export function cleanTarget([value, label]: Labelled, chain?: Labelled, checking = {}) {
	const address = cleanAddress(value, label, checking);
	try {
		return { address, ...(chain && { chain: cleanChain(...chain) }) };
	} catch (error) {
		throw own(error).with({ address });
	}
}

/**
 * The entries of a list that a user gave: an array, also as JSON, or a text with one entry per line or separated by commas
 * or semicolons. Blank lines are left out. Throws `invalid_input` for any other value, and for a private key in pieces.
 */
export function entriesOf(list: unknown, label: string): unknown[] {
	const entries = splitIn(list, label);
	const texts = entries.filter((entry) => typeof entry !== 'object').map(String);
	const halves = texts.map((text, at) => text.trim() + (texts[at + 1] ?? '').trim());
	const isHalf = (both: string) =>
		both.length <= longestKey ? isPrivateKey(both) : extended.test(both);
	if (listsPrivateKey(entries) || halves.some(isHalf)) throw privateKey(label);
	return entries;
}

/** WIF and the seeds of Stellar are no longer; two addresses nearly always are. */
const longestKey = 56;
/** An extended key (BIP-32), which fills more than a line. */
const extended = /^[A-Za-z]{0,2}p(?:rv|v)[1-9A-HJ-NP-Za-km-z]{90,120}$/;

function splitIn(list: unknown, label: string): unknown[] {
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
	if (chain === '') return undefined;
	if (holdsPrivateKey(chain)) throw privateKey(label);
	refuse(label, flawIn(chain, oddities));
	return chain;
}

const adviceOfId = 'Give the ID as the service returned it.';
const flawsOfId: Flaw[] = [
	[empty, 'is empty', adviceOfId],
	...oddities,
	[/[/\\]|\.\.|^\.$/, 'is not an ID', "Give only the ID, without '/' or '..'."],
];

/** A job ID, safe to be one segment of a path. */
export function cleanId(value: unknown, label: string): string {
	const id = trimmed(typeof value === 'number' ? String(value) : value, label, adviceOfId);
	if (namesPrivateKey(id)) throw privateKey(label);
	refuse(label, flawIn(id, flawsOfId));
	return id;
}

/**
 * A report ID, safe to be one segment of a path. Takes a `report_url` too, also in angle brackets: its path ends with the ID
 * (section 2.1). An error names what was given.
 */
export function cleanReportId(value: unknown, label: string): string {
	const text = typeof value === 'string' ? trimmed(value, label, '') : '';
	if (namesPrivateKey(text)) throw privateKey(label);
	const url = parseUrl(text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text);
	const isLink = url?.protocol === 'https:' || url?.protocol === 'http:';
	const last = isLink ? url.pathname.split('/').findLast((segment) => segment !== '') : undefined;
	try {
		return cleanId(last === undefined ? value : decoded(last), label);
	} catch (error) {
		throw text === '' ? error : own(error).with({ report_id: text.slice(0, longest) });
	}
}

/** The text without what copy and paste left around it; a missing value is an empty text. */
function trimmed(value: unknown, label: string, advice: string): string {
	if (value === undefined || value === null) return '';
	if (Array.isArray(value) && listsPrivateKey(value)) throw privateKey(label);
	if (typeof value !== 'string') throw invalidInput(label, `'${label}' is not a text`, advice);
	return withoutEdges(value);
}

/** The error of a field that contains a private key. It repeats nothing of it. */
export function privateKey(label: string): ScreeningError {
	return new ScreeningError(
		'invalid_input',
		`'${label}' contains a private key or a recovery phrase`,
		'The node sent it nowhere, but n8n stores what goes into a node. Delete this execution, and move the funds to a new wallet. To screen a wallet, give its public address.',
		{ known: { parameter: label, withheld: '(private key removed)' } },
	);
}

function refuse(label: string, [, what, advice = '']: Partial<Flaw> = [], known?: Known) {
	if (what !== undefined) throw invalidInput(label, `'${label}' ${what}`, advice, known);
}
