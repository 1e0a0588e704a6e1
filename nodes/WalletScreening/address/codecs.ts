import { hash } from 'crypto';
import { blake2b } from '@noble/hashes/blake2';
import { keccak_256 } from '@noble/hashes/sha3';
import { base58, bech32, bech32m } from '@scure/base';
import { chains } from './formats';

/** Whether all letters are small, or all are capitals. */
export const isOneCase = (text: string) =>
	text === text.toLowerCase() || text === text.toUpperCase();

/** Whether a text looks like Bech32 or CashAddr with any prefix, or CashAddr without one: small letters or capitals, no mixture. */
export const isCaseless = (text: string) =>
	/^(?:[!-~]+1[02-9ac-hj-np-z]{6,}|(?:[a-z]+:)?[02-9ac-hj-np-z]{42,})$/i.test(text) &&
	isOneCase(text);

/** The bytes of a text in Base58, undefined for any other. Over 128 characters there is no address or key, and the time is quadratic. */
export const decodeBase58 = (text: string, { decode } = base58) =>
	/^[1-9A-HJ-NP-Za-km-z]{1,128}$/.test(text) ? decode(text) : undefined;

const sha256Bytes = (bytes: Uint8Array) => hash('sha256', bytes, 'buffer');
const base58Checksum = (payload: Uint8Array) => sha256Bytes(sha256Bytes(payload)).subarray(0, 4);

/** What Base58Check protects, version first; undefined if the four bytes at the end are not its checksum. */
export function checkedPayload(bytes: Uint8Array): Buffer | undefined {
	const payload = Buffer.from(bytes.subarray(0, -4));
	if (payload.length === 0) return undefined;
	return base58Checksum(payload).equals(bytes.subarray(-4)) ? payload : undefined;
}

/** The text in Base58Check of a payload, version first. */
export const encodeBase58Check = (payload: Uint8Array) =>
	base58.encode(Buffer.concat([payload, base58Checksum(payload)]));

const older = { encoding: 'Bech32', decode: bech32.decodeUnsafe };
const newer = { encoding: 'Bech32m', decode: bech32m.decodeUnsafe };

/**
 * What a Bech32 or Bech32m text holds: its prefix, and groups of five bits without the checksum; undefined if the checksum does
 * not fit. A witness program has a kind of checksum by its version (BIP-350). Texts of over the 90 characters of BIP-173 are
 * taken too, because addresses of Cardano and Zcash are longer.
 */
export function decodeBech32(text: string) {
	const small = text.toLowerCase();
	const data = small.lastIndexOf('1') + 1;
	if (data === 0 || !isCaseless(text)) return undefined;
	const isSegwit = chains.segwit.has(small.slice(0, data));
	// What is likely comes first, because finding that a checksum does not fit takes longest.
	const kinds = isSegwit ? [small[data] === 'q' ? older : newer] : [older, newer];
	for (const { encoding, decode } of small.startsWith('xch1') ? kinds.toReversed() : kinds) {
		const decoded = decode(small, false);
		if (decoded) return { ...decoded, encoding };
	}
	return undefined;
}

/** The whole bytes that groups of five bits hold; undefined if what is left over is a group or more, or is not zero. */
const bytesOfWords = (words: number[]) => bech32.fromWordsUnsafe(words) ?? undefined;

/** Whether groups of five bits are a witness program: version 0 with 20 or 32 bytes, a later one with 2 to 40 (BIP-141). */
export function isWitness([version = 17, ...program]: number[]): boolean {
	const length = bytesOfWords(program)?.length ?? 0;
	return version === 0 ? [20, 32].includes(length) : version <= 16 && length >= 2 && length <= 40;
}

const cashAddrSymbols = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
/** The generator of the checksum of CashAddr, 40 bits each: the upper 8 and the lower 32. */
const upper = [0x98, 0x79, 0xf3, 0xae, 0x1e];
const lower = [0xf2bc8e61, 0xb76d99e2, 0x3e5fb3c4, 0x2eabe2a8, 0x4f43e470];
/** Bytes of a hash by the lower three bits of the version. */
const sizes = [20, 24, 28, 32, 40, 48, 56, 64];

/** Whether a payload in small letters fits its prefix: the checksum of CashAddr, and the length. */
export function isCashAddr(prefix: string, payload: string): boolean {
	const words = Array.from(payload, (symbol) => cashAddrSymbols.indexOf(symbol));
	if (words.includes(-1)) return false;
	const codes = Array.from(prefix, (character) => character.charCodeAt(0) & 31);
	let [high, low] = [0, 1];
	for (const value of [...codes, 0, ...words]) {
		const top = high >>> 3;
		high = ((high & 7) << 5) | (low >>> 27);
		low = (low << 5) ^ value;
		for (let bit = 0; bit < 5; bit++) {
			if (!((top >> bit) & 1)) continue;
			high ^= upper[bit]!;
			low ^= lower[bit]!;
		}
	}
	const bytes = high === 0 && low === 1 ? bytesOfWords(words.slice(0, -8)) : undefined;
	return bytes?.length === 1 + sizes[(bytes?.[0] ?? 0) & 7]!;
}

/** Whether the case of 40 hexadecimal digits is their checksum (EIP-55). */
export function isChecksummed(digits: string): boolean {
	const small = digits.toLowerCase();
	const digest = Buffer.from(keccak_256(small)).toString('hex');
	return Array.from(small).every(
		(digit, at) => digits[at] === (digest[at]! >= '8' ? digit.toUpperCase() : digit),
	);
}

/** Substrate's SS58: a network of one or two bytes, 32 bytes, a checksum of two. */
export function isPolkadot(bytes: Uint8Array): boolean {
	if (bytes.length !== 35 && bytes.length !== 36) return false;
	const message = Buffer.concat([Buffer.from('SS58PRE'), bytes.subarray(0, -2)]);
	return hash('blake2b512', message, 'buffer').subarray(0, 2).equals(bytes.subarray(-2));
}

/** Waves and the chains made from it: a version, a network, 20 bytes, a checksum of four. */
export function isWaves(bytes: Uint8Array): boolean {
	if (bytes.length !== 26 || (bytes[0] !== 1 && bytes[0] !== 5)) return false;
	const digest = keccak_256(blake2b(bytes.subarray(0, -4), { dkLen: 32 }));
	return Buffer.from(digest.subarray(0, 4)).equals(bytes.subarray(-4));
}

/** CRC-16 of XMODEM; 0 if the bytes end with their own. */
export function crc16(bytes: Uint8Array): number {
	let crc = 0;
	for (const byte of bytes) {
		crc ^= byte << 8;
		for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
	}
	return crc;
}
