import { base58xrp } from '@scure/base';
import { type Refusal, type TextRule, textRules } from '../shared/userInput';
import { checkAddress, isOfKnownFormat } from './checkAddress';
import { checkedPayload, crc16, decodeBase32, decodeBase58, decodeBech32 } from './checksums';
import { isGroupedNimiq } from './formats';

/** Why a text is not sent as an address, and what to do. */
export interface AddressRefusal extends Refusal {
	/**
	 * Whether the text is sent if the user turns Check Addresses off: it is an address that may be
	 * mistyped.
	 */
	readonly isSentUnchecked?: boolean;
	/** What the check of such an address found. */
	readonly checksum?: 'invalid' | 'none';
	/** Whether no part of the text may be repeated. */
	readonly isSecret?: boolean;
}

type AddressRule = TextRule & AddressRefusal;

/** What stands in the place of a private key. */
export const privateKeyNote = '(private key removed)';

export const privateKeyRefusal: AddressRefusal = {
	problem: 'contains a private key',
	advice:
		'The node did not send it, but n8n stores the input of a node. Delete this execution, and move the funds to a new wallet. To screen a wallet, enter its public address.',
	isSecret: true,
};

/**
 * The rules that refuse an address. The first that applies counts. All else is sent, and the
 * service judges it.
 */
const addressRules: readonly AddressRule[] = [
	{
		applies: (text) => text === '',
		problem: 'is empty',
		advice: 'Give a wallet address, or filter out the items that have none.',
	},
	{ ...privateKeyRefusal, applies: containsPrivateKey },
	...textRules,
	{
		applies: isNumberOrAmount,
		problem: 'is a number or an amount, not an address',
		advice: 'Enter the wallet address. From a table, paste only the address column.',
	},
	{
		applies: isDateOrTime,
		problem: 'is a date or a time, not an address',
		advice: 'Enter the wallet address. From a table, paste only the address column.',
	},
	{
		applies: containsMoreThanAddress,
		problem: 'contains an address and something else',
		advice: 'Give one address only, without a memo, a tag, an amount, a link or quotation marks.',
		isSentUnchecked: true,
		checksum: 'none',
	},
	{
		applies: (text) => /^(?=.*[a-f])(?=.*[A-F])[\da-fA-F]{40}$/.test(text),
		problem: 'is missing the 0x prefix',
		advice: 'Write 0x before it, if it is an address of Ethereum or a chain like it.',
		isSentUnchecked: true,
		checksum: 'none',
	},
];

/**
 * Finds why a text is not sent as an address; undefined if it is sent. `refusesMistyped` is false
 * where mistyped ones are to be sent.
 */
export function findRefusal(
	text: string,
	{ refusesMistyped = true } = {},
): AddressRefusal | undefined {
	// It holds spaces, which a rule refuses.
	if (isGroupedNimiq(text)) return undefined;
	const rules = refusesMistyped ? addressRules : addressRules.filter((one) => !one.isSentUnchecked);
	const rule = rules.find(({ applies }) => applies(text));
	if (rule || !refusesMistyped) return rule;
	const { checksum, findings } = checkAddress(text);
	if (checksum !== 'invalid') return undefined;
	const advice = `${findings[0]} Copy the address again from its source.`;
	return { problem: 'is not a valid address', advice, isSentUnchecked: true, checksum };
}

/**
 * Texts of digits only have as many characters as an address of some format from 32 on, e.g. the 32
 * ones of Solana.
 */
const maxNumberLength = 31;

/**
 * Whether a text is a number, with its decimals, groups of thousands, exponent, currency or unit,
 * e.g. `-1,000.50`, `$12`, `0.5ETH`, `50%` or `1e18`. Accounts of Hedera are three numbers, and a
 * checksum that fits shows an address, as in those of Bitcoin that begin with twenty ones.
 */
function isNumberOrAmount(text: string): boolean {
	const number =
		/^[+-]?[$€£¥]?(?:\d+|\d{1,3}(?:[,.'_]\d{3})+)(?:[.,]\d+)?(?:[eE][+-]?\d+)?(?:[A-Z]{2,6}|[%$€£¥])?$/;
	return text.length <= maxNumberLength && number.test(text) && !isOfKnownFormat(text);
}

/**
 * Whether a text is a day with the year at either end, a time of ISO 8601, or the time of a clock.
 */
function isDateOrTime(text: string): boolean {
	const day = '(?:0?[1-9]|[12]\\d|3[01])';
	return [
		// 2026-11, 2026/11/26, 2026-11-26T09:12:00Z
		/^\d{4}[-/]\d\d?(?:[-/]\d\d?(?:T[\d:.,]+(?:Z|[+-]\d\d:?\d\d)?)?)?$/i,
		// 20261126T0912
		/^\d{8}T\d{4,6}Z?$/i,
		// 26.11.2026
		new RegExp(`^${day}[./-]${day}[./-](?:19|20)\\d\\d$`),
		// 9:12, 09:12:30.5
		/^\d\d?:\d\d(?::\d\d(?:\.\d+)?)?$/,
	].some((form) => form.test(text));
}

/**
 * Whether a known address is followed by anything but the rest of a name, or preceded by anything
 * but names and colons.
 */
function containsMoreThanAddress(text: string): boolean {
	if (!/[^\w.-]/.test(text)) return false;
	return [...text.matchAll(/[0-9A-Za-z]{25,}/g)].some(({ 0: part, index }) => {
		const isFollowed = /^[^\w.-]/.test(text.slice(index + part.length));
		const isPreceded = /[^\w:.-]/.test(text.slice(0, index));
		return (isFollowed || isPreceded) && isOfKnownFormat(part);
	});
}

/**
 * Whether a text is a private key, which its checksum proves: WIF and extended keys of Bitcoin and
 * its like, `nsec` of Nostr, and seeds of Stellar and the XRP Ledger.
 */
export function isPrivateKey(text: string): boolean {
	switch (text.length) {
		case 28:
		case 29:
		case 31:
			return text.startsWith('s') && isRippleSeed(text);
		case 51:
		case 52:
			return isWif(text);
		case 56:
			return text.startsWith('S') && isStellarSeed(text);
		case 63:
			return decodeBech32(text)?.prefix === 'nsec';
		case 111:
		case 112:
			return isExtendedKey(text);
	}
	return false;
}

const decodePayload = (text: string, alphabet?: typeof base58xrp) => {
	const bytes = decodeBase58(text, alphabet);
	return bytes && checkedPayload(bytes);
};

/** WIF has a version from 128 up, 32 bytes, and a 1 if the public key is compressed. */
function isWif(text: string): boolean {
	const payload = decodePayload(text);
	if (!payload || payload[0]! < 0x80) return false;
	return payload.length === 33 || (payload.length === 34 && payload[33] === 1);
}

/** An extended key (BIP-32) has 78 bytes. The one before the key is 0 if the key is private. */
function isExtendedKey(text: string): boolean {
	const payload = decodePayload(text);
	return payload?.length === 78 && payload[45] === 0;
}

/** A seed of Stellar (SEP-23) has a version, 32 bytes, and a CRC-16. */
function isStellarSeed(text: string): boolean {
	const bytes = decodeBase32(text);
	return bytes?.[0] === 18 << 3 && crc16(bytes.subarray(0, 33)) === bytes.readUInt16LE(33);
}

/** Versions of a seed, for secp256k1 and for Ed25519. */
const rippleSeeds = ['21', '01e14b'];

function isRippleSeed(text: string): boolean {
	const payload = decodePayload(text, base58xrp);
	return (
		payload !== undefined && rippleSeeds.includes(payload.toString('hex', 0, payload.length - 16))
	);
}

/** Every private key is one word. The time to find all words is linear in the length of a text. */
const wordPattern = /[0-9A-Za-z]+/g;

/**
 * The private key that a word is or ends with. `before` is the character before the word: after a
 * backslash, JSON writes what stands before a key as in \n or \u0020.
 */
function keyIn(word: string, before: string | undefined): string | undefined {
	const endings = before === '\\' ? [word, word.slice(1), word.slice(5)] : [word];
	return endings.find(isPrivateKey);
}

/** Puts a note in the place of each private key in a text. */
export const removePrivateKeys = (text: string): string =>
	text.replace(wordPattern, (word, index: number) => {
		const key = keyIn(word, text[index - 1]);
		return key === undefined ? word : word.replace(key, privateKeyNote);
	});

/** Whether a private key is in a text, or anywhere in a value of JSON. */
export function containsPrivateKey(value: unknown): boolean {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	for (const { 0: word, index } of text.matchAll(wordPattern))
		if (keyIn(word, text[index - 1])) return true;
	return false;
}
