import { createPrivateKey, createPublicKey } from 'crypto';
import { checkedPayload, decodeBase58 } from './base58';

/** A text that no format of addresses has, but a private key less a character may have: WIF of Bitcoin and its like. */
const nearWif = /^[5KLc][1-9A-HJ-NP-Za-km-z]{49,52}$/;
const stellarSeed = /^S[A-Z2-7]{55}$/;
/** A word of BIP-39 or of other wallets, and what stands between two of them: perhaps their numbers. */
const word = '(?<![a-z\\d])[a-z]{3,8}';
const between = '[\\W_]+(?:\\d+[\\W_]+)?';
const twelveWords = new RegExp(`(?:${word}${between}){11}${word}(?![a-z\\d])`, 'i');
/** A text of 12 to 25 such words and nothing else: sentences have shorter words, or commas. */
const recoveryPhrase = new RegExp(
	`^[\\W\\d_]*(?:${word}\\s+(?:\\d+\\W*)?){11,24}${word}[\\W_]*$`,
	'i',
);
/** What files and wallets call a key, and the bytes of one as a list. */
const named = /(?:priv(?:ate)?|secret)[^a-z\d]{0,3}key/i;
const bytesOfKey = /(?:\d{1,3}[^\w]{1,9}){31}\d/;
const longest = 400;

/** Whether a text gives power over a wallet: a private key in a usual form, or a recovery phrase. */
export function isPrivateKey(text: string): boolean {
	if (text.length > longest) return false;
	if (nearWif.test(text) || stellarSeed.test(text) || recoveryPhrase.test(text)) return true;
	return isBitcoinKey(text) || isRippleSeed(text);
}

/** Whether a text has the words of a recovery phrase or the bytes of a key one after the other, also as entries of a list. */
export const listsPrivateKey = (text: string) => twelveWords.test(text) || bytesOfKey.test(text);

/** Whether a private key or a recovery phrase is in a text that should hold only an address, whatever stands beside it. */
export function holdsPrivateKey(text: string): boolean {
	return named.test(text) || listsPrivateKey(text) || withoutPrivateKeys(text) !== text;
}

/** WIF of any chain, an extended private key (BIP-32), or a key pair of Solana. */
function isBitcoinKey(text: string): boolean {
	if (![51, 52, 86, 87, 88, 111, 112].includes(text.length)) return false;
	const bytes = decodeBase58(text);
	const payload = bytes && checkedPayload(bytes);
	if (!payload) return bytes?.length === 64 && isKeyPair(bytes);
	const isWif = (payload.length === 33 || payload.length === 34) && payload[0]! >= 0x80;
	// A public key would begin with 2 or 3 here.
	const isExtended = payload.length === 78 && payload[45] === 0;
	return isWif || isExtended;
}

/** An Ed25519 key in DER, without its 32 bytes (RFC 8410). */
const der = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Whether the second half is the public key of the first: in the signature of a transaction it is not. */
function isKeyPair(bytes: Buffer): boolean {
	const key = Buffer.concat([der, bytes.subarray(0, 32)]);
	const pair = createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
	return pair.export({ format: 'der', type: 'spki' }).subarray(-32).equals(bytes.subarray(32));
}

function isRippleSeed(text: string): boolean {
	if (!/^s\w{27,30}$/.test(text)) return false;
	const bytes = decodeBase58(text, 'ripple');
	return bytes !== undefined && checkedPayload(bytes) !== undefined;
}

const removed = '(private key removed)';
/** No private key is shorter. */
const shortest = 28;
/** JSON can be parsed deeper than a function can call itself. */
const deepest = 64;

/** A value of JSON without the private keys in its texts, down to 64 levels. */
export function withoutPrivateKeys<T>(value: T): T {
	return masked(value, deepest) as T;
}

function masked(value: unknown, levels: number): unknown {
	if (typeof value === 'string') {
		if (value.length < shortest) return value;
		if (isPrivateKey(value.trim())) return removed;
		return value.replace(/[0-9A-Za-z]+/g, (word) => (isPrivateKey(word) ? removed : word));
	}
	if (levels === 0 || typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map((entry) => masked(entry, levels - 1));
	if (Object.getPrototypeOf(value) !== Object.prototype) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [name, masked(entry, levels - 1)]),
	);
}
