/*
 * The alphabets of addresses, as classes of a regular expression, and the texts that several files recognise by them. Nothing here
 * looks at a checksum.
 */

export const base32Class = '[A-Z2-7]';
export const base58Class = '[1-9A-HJ-NP-Za-km-z]';
/** In small letters. CashAddr and Kaspa have the same alphabet. */
export const bech32Class = '[02-9ac-hj-np-z]';

/** Whether all letters are small, or all are capitals. */
export const isOneCase = (text: string) =>
	text === text.toLowerCase() || text === text.toUpperCase();

const bech32Text = new RegExp(`^[!-~]+1${bech32Class}{6,}$`, 'i');

/** Whether a text has a prefix, a 1, and at least the six characters of a checksum, as Bech32 has (BIP-173). */
export const isBech32Text = (text: string) => bech32Text.test(text) && isOneCase(text);

/** Whether a text may be an X-address of the XRP Ledger, which holds an account and a tag. */
export const mayBeXAddress = (text: string) => text.startsWith('X') && text.length === 47;

/** An address of Ethereum's kind. */
interface EvmAddress {
	/** The text before the digits in small letters, or an empty text. */
	prefix: string;
	/** The 40 hexadecimal digits, in their case. */
	digits: string;
}

/** Splits an address of Ethereum's kind, which may have `0x`, `xdc`, `ronin:` or nothing before its digits; undefined for any other text. */
export function splitEvm(address: string): EvmAddress | undefined {
	const [, prefix = '', digits] = /^(0x|xdc|ronin:)?([0-9a-f]{40})$/i.exec(address) ?? [];
	return digits === undefined ? undefined : { prefix: prefix.toLowerCase(), digits };
}
