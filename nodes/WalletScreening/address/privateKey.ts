import { base58xrp } from '@scure/base';
import { parseJson, tryStringify } from '../shared/json';
import { excerptJson } from '../shared/text';
import { decodeBase32 } from './encodings/base32';
import { decodeBase58Check } from './encodings/base58';
import { decodeBech32 } from './encodings/bech32';
import { crc16 } from './encodings/crc16';

/*
 * Private keys, which users paste by mistake: how a text is found to be one, and how it is removed. A
 * recovery phrase is found only where it is the whole text.
 */

/** What stands in the place of a private key. */
export const privateKeyNote = '(private key removed)';

/**
 * Whether a private key is in a text, or anywhere in a value of JSON. In what is nested too deeply for
 * JSON, it would not be found, so that counts as one.
 */
export function containsPrivateKey(value: unknown): boolean {
	const text = typeof value === 'string' ? value : tryStringify(value ?? null);
	if (text === undefined) return true;
	for (const { 0: word, index } of text.matchAll(wordPattern))
		if (keyIn(word, text[index - 1])) return true;
	return false;
}

/** Puts a note in the place of each private key in a text. */
export const removePrivateKeys = (text: string): string =>
	text.replace(wordPattern, (word, index: number) => {
		const key = keyIn(word, text[index - 1]);
		return key === undefined ? word : word.replace(key, privateKeyNote);
	});

/**
 * Puts a note in the place of each private key in a value of JSON, at any depth. The value itself is
 * returned if it holds none.
 */
export function removeNestedPrivateKeys(value: unknown): unknown {
	const json = tryStringify(value);
	// In what is nested too deeply for JSON, a private key would not be found.
	if (json === undefined) return excerptJson(value);
	const replaced = removePrivateKeys(json);
	return replaced === json ? value : parseJson(replaced);
}

/** How many words a recovery phrase has (BIP-39). */
const phraseLengths = [12, 15, 18, 21, 24];

/**
 * Whether a text is a recovery phrase: so many words of three to eight letters, and nothing else but
 * a full stop at its end. The words are not looked up, because each language has its own list. A
 * telephone may write the first word with a capital.
 *
 * @example abandon ability able … accident
 */
export function isRecoveryPhrase(text: string): boolean {
	const words = text
		.trim()
		.replace(/\.$/, '')
		.split(/[\s,;]+/)
		.filter((word) => word !== '');
	return phraseLengths.includes(words.length) && words.every((word) => /^\p{L}{3,8}$/u.test(word));
}

/** Every private key is one word. The time to find all words is linear in the length of a text. */
const wordPattern = /[0-9A-Za-z]+/g;

/** How many letters and digits an escape of JSON has after its backslash: `\n` one, `\u0020` five. */
const escapeLengths = [1, 5];

/**
 * The private key that a word is, or that follows an escape of JSON at its start. `before` is the
 * character before the word.
 */
function keyIn(word: string, before: string | undefined): string | undefined {
	const withoutEscape = before === '\\' ? escapeLengths.map((length) => word.slice(length)) : [];
	return [word, ...withoutEscape].find(isPrivateKey);
}

/** Whether a text is a private key, which its checksum proves. */
export function isPrivateKey(text: string): boolean {
	return testsByLength.get(text.length)?.(text) ?? false;
}

/** No two kinds of private key have the same length. */
const testsByLength = new Map<number, (text: string) => boolean>([
	[28, isRippleSeed],
	[29, isRippleSeed],
	[31, isRippleSeed],
	[51, isWif],
	[52, isWif],
	[56, isStellarSeed],
	[63, isNostrKey],
	[111, isExtendedKey],
	[112, isExtendedKey],
]);

/** The versions of a seed of the XRP Ledger, for secp256k1 and for Ed25519. */
const rippleVersions = ['21', '01e14b'];

/**
 * A seed of the XRP Ledger has a version and 16 bytes.
 *
 * @example snoPBrXt…gEAn, sEdTM1uX…MaM2
 */
function isRippleSeed(text: string): boolean {
	if (!text.startsWith('s')) return false;
	const payload = decodeBase58Check(text, base58xrp);
	if (!payload) return false;
	return rippleVersions.includes(payload.toString('hex', 0, payload.length - 16));
}

/**
 * WIF, of Bitcoin and its like, has a version from 128 up, 32 bytes, and a 1 if the public key is
 * compressed.
 *
 * @example 5HueCGU8…vyTJ, KwdMAjGm…8617
 */
function isWif(text: string): boolean {
	const payload = decodeBase58Check(text);
	if (!payload || payload[0]! < 0x80) return false;
	return payload.length === 33 || (payload.length === 34 && payload[33] === 1);
}

/**
 * A seed of Stellar (SEP-23) has a version, 32 bytes, and a CRC-16.
 *
 * @example SAV76USX…PUU7
 */
function isStellarSeed(text: string): boolean {
	if (!text.startsWith('S')) return false;
	const bytes = decodeBase32(text);
	return bytes?.[0] === 18 << 3 && crc16(bytes.subarray(0, 33)) === bytes.readUInt16LE(33);
}

/**
 * A key of Nostr (NIP-19) is Bech32 with a prefix of its own.
 *
 * @example nsec1vl0…lfe5
 */
function isNostrKey(text: string): boolean {
	return decodeBech32(text)?.prefix === 'nsec';
}

/**
 * An extended key of Bitcoin and its like (BIP-32) has 78 bytes. The one before the key is 0 if the
 * key is private.
 *
 * @example xprv9s21…MPHi
 */
function isExtendedKey(text: string): boolean {
	const payload = decodeBase58Check(text);
	return payload?.length === 78 && payload[45] === 0;
}
