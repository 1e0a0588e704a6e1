import { blake2b } from '@noble/hashes/blake2';
import { base32nopad, base58, bech32, bech32m } from '@scure/base';
import { hash } from 'crypto';
import { sha256 } from '../shared/sha256';
import {
	base58Class,
	bech32Class,
	cashAddrPrefixes,
	isBech32Text,
	isOneCase,
	segwitPrefixes,
} from './formats';
import { groestl512 } from './groestl';

/*
 * These functions decode texts to bytes and verify the checksums in them. They are pure, and get no
 * text of over 256 characters.
 */

/** The bytes that hexadecimal digits stand for. */
export const bytesOfHex = (digits: string) => Buffer.from(digits, 'hex');

/** Over 128 characters there is no address or key, and the time to decode is quadratic. */
const base58Text = new RegExp(`^${base58Class}{1,128}$`);

/** Decodes a text in Base58; undefined for any other. */
export const decodeBase58 = (text: string, { decode } = base58) =>
	base58Text.test(text) ? Buffer.from(decode(text)) : undefined;

/** Decodes a text in Base32; undefined for any other. */
export function decodeBase32(text: string): Buffer | undefined {
	try {
		return Buffer.from(base32nopad.decode(text));
	} catch {
		return undefined;
	}
}

const doubleSha256 = (bytes: Uint8Array) => sha256(sha256(bytes));

/**
 * The bytes that Base58Check protects, version first; undefined if the four bytes at the end are
 * not their checksum.
 */
export function checkedPayload(bytes: Buffer): Buffer | undefined {
	const payload = bytes.subarray(0, -4);
	const fits = payload.length > 0 && doubleSha256(payload).indexOf(bytes.subarray(-4)) === 0;
	return fits ? payload : undefined;
}

/** Decodes a text in Base58Check to its payload, version first; undefined for any other text. */
export function decodeBase58Check(text: string, alphabet = base58): Buffer | undefined {
	const bytes = decodeBase58(text, alphabet);
	return bytes && checkedPayload(bytes);
}

/** The text in Base58Check of a payload, version first. */
export const encodeBase58Check = (payload: Uint8Array, { encode } = base58) =>
	encode(Buffer.concat([payload, doubleSha256(payload).subarray(0, 4)]));

/** Skycoin: 20 bytes, a version of 0, and a checksum that is made with SHA-256 once. */
export const isSkycoin = (bytes: Buffer) =>
	bytes.length === 25 &&
	bytes[20] === 0 &&
	sha256(bytes.subarray(0, 21)).indexOf(bytes.subarray(21)) === 0;

const groestlcoinVersions = [0x24, 0x05];

/** Groestlcoin: a version, 20 bytes, and a checksum that is made with Grøstl-512 twice. */
export function isGroestlcoin(bytes: Buffer): boolean {
	if (bytes.length !== 25 || !groestlcoinVersions.includes(bytes[0]!)) return false;
	return groestl512(groestl512(bytes.subarray(0, 21))).indexOf(bytes.subarray(21)) === 0;
}

/** What an address of a chain of Substrate holds. */
interface SubstrateAddress {
	/** The prefix of the chain, of one or two bytes. */
	network: Buffer;
	/** The 32 bytes of the account. */
	account: Buffer;
}

/** Under the prefixes from here on, the network has two bytes. */
const firstLongNetwork = 64;

/**
 * Splits the bytes of Substrate's SS58: a network, 32 bytes, and a checksum of two; undefined for
 * any others.
 */
export function splitSubstrate(bytes: Buffer): SubstrateAddress | undefined {
	const networkLength = (bytes[0] ?? 0) < firstLongNetwork ? 1 : 2;
	const payload = bytes.subarray(0, -2);
	if (payload.length !== networkLength + 32) return undefined;
	if (!substrateChecksum(payload).equals(bytes.subarray(-2))) return undefined;
	return { network: payload.subarray(0, networkLength), account: payload.subarray(networkLength) };
}

/** The text in SS58 of a payload, network first. */
export const encodeSubstrate = (payload: Uint8Array) =>
	base58.encode(Buffer.concat([payload, substrateChecksum(payload)]));

function substrateChecksum(payload: Uint8Array): Buffer {
	const message = Buffer.concat([Buffer.from('SS58PRE'), payload]);
	return hash('blake2b512', message, 'buffer').subarray(0, 2);
}

/**
 * The 20 bytes in the data of a delegated address of Filecoin that is of Ethereum's kind (FIP-0048);
 * undefined if the four bytes at the end are not the checksum.
 */
export function decodeFilecoinEvm(data: string): Buffer | undefined {
	const bytes = decodeBase32(data.toUpperCase());
	if (bytes?.length !== 24) return undefined;
	const account = bytes.subarray(0, 20);
	// The checksum is also of the protocol, 4, and of the namespace, 10.
	const checksum = blake2b(Uint8Array.of(4, 10, ...account), { dkLen: 4 });
	return bytes.subarray(20).equals(checksum) ? account : undefined;
}

/**
 * The encodings of Bech32. The more likely one comes first, because finding that a checksum does
 * not fit takes longest.
 */
const encodings = [
	{ encoding: 'Bech32', decode: bech32.decodeUnsafe },
	{ encoding: 'Bech32m', decode: bech32m.decodeUnsafe },
] as const;

/** What a Bech32 text holds. */
interface Bech32Text {
	prefix: string;
	/** Groups of five bits, without the checksum. */
	words: number[];
	encoding: 'Bech32' | 'Bech32m';
}

/**
 * Decodes a Bech32 or Bech32m text: its prefix, and groups of five bits without the checksum;
 * undefined if the checksum does not fit, or the data is no witness program where it has to be one.
 * Texts of over the 90 characters of BIP-173 are taken too, because addresses of Cardano and Zcash
 * are longer.
 */
export function decodeBech32(text: string): Bech32Text | undefined {
	if (!isBech32Text(text)) return undefined;
	for (const { encoding, decode } of encodings) {
		const decoded = decode(text.toLowerCase(), false);
		if (!decoded) continue;
		const { prefix, words } = decoded;
		const isGood = !segwitPrefixes.includes(prefix) || isWitness(words, encoding);
		return isGood ? { prefix, words, encoding } : undefined;
	}
	return undefined;
}

/**
 * The whole bytes that groups of five bits hold; undefined if what is left over is a group or more,
 * or is not zero.
 */
export const bytesOfWords = (words: number[]) => bech32.fromWordsUnsafe(words) ?? undefined;

/**
 * Whether groups of five bits are a witness program: version 0 with 20 or 32 bytes, a later one
 * with 2 to 40 (BIP-141).
 */
function isWitness([version = 17, ...program]: number[], encoding: string): boolean {
	// If there are no groups, the version is 17, which no address has.
	const length = bytesOfWords(program)?.length ?? 0;
	if (version === 0) return encoding === 'Bech32' && [20, 32].includes(length);
	return encoding === 'Bech32m' && version <= 16 && length >= 2 && length <= 40;
}

/** The characters of CashAddr by their values. */
const cashAddrSymbols = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const cashAddrText = new RegExp(`^(?:([a-z]+):)?(${bech32Class}{42,112})$`);
/** The five numbers of 40 bits that generate the checksum of CashAddr: upper 8 and lower 32. */
const generatorHigh = [0x98, 0x79, 0xf3, 0xae, 0x1e];
const generatorLow = [0xf2bc8e61, 0xb76d99e2, 0x3e5fb3c4, 0x2eabe2a8, 0x4f43e470];
/** The bytes of the hash in a CashAddr, by the lower three bits of the version. */
const cashAddrHashSizes = [20, 24, 28, 32, 40, 48, 56, 64];

/** What a CashAddr holds. */
interface CashAddr {
	prefix: string;
	/** The version, then the hash. */
	bytes: Uint8Array;
}

/**
 * Decodes a CashAddr text: its prefix, also if it was left out, and the version and the hash;
 * undefined if its checksum or its length does not fit.
 */
export function decodeCashAddr(text: string): CashAddr | undefined {
	const small = text.toLowerCase();
	const [, given, payload = ''] = cashAddrText.exec(small) ?? [];
	if (payload === '' || !isOneCase(text)) return undefined;
	const words = Array.from(payload, (symbol) => cashAddrSymbols.indexOf(symbol));
	const candidates = given === undefined ? cashAddrPrefixes : [given];
	const prefix = candidates.find((one) => fitsCashAddr(one, words));
	if (prefix === undefined) return undefined;
	const bytes = bytesOfWords(words.slice(0, -8));
	if (!bytes) return undefined;
	const hashSize = cashAddrHashSizes[(bytes[0] ?? 0) & 7]!;
	return bytes.length === 1 + hashSize ? { prefix, bytes } : undefined;
}

/** The characters of an address of Conflux by their values. */
const confluxSymbols = 'abcdefghjkmnprstuvwxyz0123456789';

/**
 * The 20 bytes in an address of Conflux (CIP-37), of which the data are the small letters and digits
 * after the last colon; undefined if the checksum, which is made as in CashAddr, does not fit.
 */
export function decodeConflux(prefix: string, data: string): Buffer | undefined {
	const words = Array.from(data, (symbol) => confluxSymbols.indexOf(symbol));
	if (words.includes(-1) || !fitsCashAddr(prefix, words)) return undefined;
	const [version, ...account] = bytesOfWords(words.slice(0, -8)) ?? [];
	return version === 0 && account.length === 20 ? Buffer.from(account) : undefined;
}

/** Whether the groups of five bits, of which the last eight are the checksum, fit a prefix. */
function fitsCashAddr(prefix: string, words: number[]): boolean {
	const codes = Array.from(prefix, (character) => character.charCodeAt(0) & 31);
	// The remainder has 40 bits, which are more than JavaScript's bitwise operators take: its upper 8
	// and its lower 32.
	let high = 0;
	let low = 1;
	for (const value of [...codes, 0, ...words]) {
		const top = high >>> 3;
		high = ((high & 7) << 5) | (low >>> 27);
		low = (low << 5) ^ value;
		for (let bit = 0; bit < 5; bit++) {
			if (!((top >> bit) & 1)) continue;
			high ^= generatorHigh[bit]!;
			low ^= generatorLow[bit]!;
		}
	}
	return high === 0 && low === 1;
}

/** CRC-16 of XMODEM; 0 if the bytes end with their own, upper byte first. */
export function crc16(bytes: Uint8Array): number {
	let crc = 0;
	for (const byte of bytes) {
		crc ^= byte << 8;
		for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
	}
	return crc;
}
