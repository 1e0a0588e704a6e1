import { keccak_256 } from '@noble/hashes/sha3';
import { base32nopad, base58, bech32, bech32m } from '@scure/base';
import { hash } from 'crypto';
import { groestl512 } from './groestl';

/* These functions decode texts to bytes and verify the checksums in them. They are pure, and get no text of over 256 characters. */

/** Whether all letters are small, or all are capitals. */
export const isOneCase = (text: string) =>
	text === text.toLowerCase() || text === text.toUpperCase();

export const bytesOfHex = (digits: string) => Buffer.from(digits, 'hex');

/** The bytes of a text in Base58, undefined for any other. Over 128 characters there is no address or key, and the time is quadratic. */
export const decodeBase58 = (text: string, { decode } = base58) =>
	/^[1-9A-HJ-NP-Za-km-z]{1,128}$/.test(text) ? Buffer.from(decode(text)) : undefined;

/** The bytes of a text in Base32, undefined for any other. */
export function decodeBase32(text: string): Buffer | undefined {
	try {
		return Buffer.from(base32nopad.decode(text));
	} catch {
		return undefined;
	}
}

const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'buffer');
const doubleSha256 = (bytes: Uint8Array) => sha256(sha256(bytes));

/** The bytes that Base58Check protects, version first; undefined if the four bytes at the end are not their checksum. */
export function checkedPayload(bytes: Buffer): Buffer | undefined {
	const payload = bytes.subarray(0, -4);
	const fits = payload.length > 0 && doubleSha256(payload).indexOf(bytes.subarray(-4)) === 0;
	return fits ? payload : undefined;
}

/** The text in Base58Check of a payload, version first. */
export const encodeBase58Check = (payload: Uint8Array, { encode } = base58) =>
	encode(Buffer.concat([payload, doubleSha256(payload).subarray(0, 4)]));

/** Skycoin: 20 bytes, a version of 0, and a checksum that is made with SHA-256 once. */
export const isSkycoin = (bytes: Buffer) =>
	bytes.length === 25 &&
	bytes[20] === 0 &&
	sha256(bytes.subarray(0, 21)).indexOf(bytes.subarray(21)) === 0;

/** Groestlcoin: a version, 20 bytes, and a checksum that is made with Grøstl-512 twice. */
export function isGroestlcoin(bytes: Buffer): boolean {
	if (bytes.length !== 25 || !groestlcoinVersions.includes(bytes[0]!)) return false;
	return groestl512(groestl512(bytes.subarray(0, 21))).indexOf(bytes.subarray(21)) === 0;
}
const groestlcoinVersions = [0x24, 0x05];

/** Substrate's SS58: a network of one or two bytes, 32 bytes, a checksum of two. */
export function isPolkadot(bytes: Buffer): boolean {
	if (bytes.length !== 35 && bytes.length !== 36) return false;
	const message = Buffer.concat([Buffer.from('SS58PRE'), bytes.subarray(0, -2)]);
	return hash('blake2b512', message, 'buffer').indexOf(bytes.subarray(-2)) === 0;
}

/** The encodings of Bech32. The more likely one comes first, because finding that a checksum does not fit takes longest. */
const encodings = [
	{ encoding: 'Bech32', decode: bech32.decodeUnsafe },
	{ encoding: 'Bech32m', decode: bech32m.decodeUnsafe },
] as const;

/** The prefixes whose data is a witness program, with the version in the first group (BIP-173, BIP-350). */
const segwitPrefixes = ['bc', 'tb', 'bcrt', 'ltc', 'tltc', 'btg', 'dgb'];

/**
 * Decodes a Bech32 or Bech32m text: its prefix, and groups of five bits without the checksum; undefined if the checksum does
 * not fit, or the data is no witness program where it has to be one. Texts of over the 90 characters of BIP-173 are taken too,
 * because addresses of Cardano and Zcash are longer.
 */
export function decodeBech32(text: string) {
	if (!/^[!-~]+1[02-9ac-hj-np-z]{6,}$/i.test(text) || !isOneCase(text)) return undefined;
	for (const { encoding, decode } of encodings) {
		const decoded = decode(text.toLowerCase(), false);
		if (!decoded) continue;
		const { prefix, words } = decoded;
		const isGood = !segwitPrefixes.includes(prefix) || isWitness(words, encoding);
		return isGood ? { prefix, words, encoding } : undefined;
	}
	return undefined;
}

/** The whole bytes that groups of five bits hold; undefined if what is left over is a group or more, or is not zero. */
export const bytesOfWords = (words: number[]) => bech32.fromWordsUnsafe(words) ?? undefined;

/** Whether groups of five bits are a witness program: version 0 with 20 or 32 bytes, a later one with 2 to 40 (BIP-141). */
function isWitness([version = 17, ...program]: number[], encoding: string): boolean {
	const length = bytesOfWords(program)?.length ?? 0;
	if (version === 0) return encoding === 'Bech32' && [20, 32].includes(length);
	return encoding === 'Bech32m' && version <= 16 && length >= 2 && length <= 40;
}

const cashAddrSymbols = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
/** The generator of the checksum of CashAddr, 40 bits each: the upper 8 and the lower 32. */
const upper = [0x98, 0x79, 0xf3, 0xae, 0x1e];
const lower = [0xf2bc8e61, 0xb76d99e2, 0x3e5fb3c4, 0x2eabe2a8, 0x4f43e470];
/** Bytes of a hash by the lower three bits of the version. */
const sizes = [20, 24, 28, 32, 40, 48, 56, 64];

/** The prefixes that may be left out. */
const cashPrefixes = ['bitcoincash', 'ecash', 'etoken', 'simpleledger', 'bchtest', 'bchreg'];

/** Decodes a CashAddr text: its prefix, also if it was left out, and the version and the hash; undefined if its checksum does not fit. */
export function decodeCashAddr(text: string) {
	const small = text.toLowerCase();
	const [, given, payload = ''] = /^(?:([a-z]+):)?([02-9ac-hj-np-z]{42,112})$/.exec(small) ?? [];
	if (payload === '' || !isOneCase(text)) return undefined;
	const words = Array.from(payload, (symbol) => cashAddrSymbols.indexOf(symbol));
	const candidates = given === undefined ? cashPrefixes : [given];
	const prefix = candidates.find((one) => fitsCashAddr(one, words));
	if (prefix === undefined) return undefined;
	const bytes = bytesOfWords(words.slice(0, -8));
	return bytes?.length === 1 + sizes[(bytes?.[0] ?? 0) & 7]! ? { prefix, bytes } : undefined;
}

function fitsCashAddr(prefix: string, words: number[]): boolean {
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
	return high === 0 && low === 1;
}

/** The capital letters among 40 hexadecimal digits, by the digits in small letters: in each way that a chain uses them. */
const casings: Array<(small: string) => (at: number) => boolean> = [
	(small) => capitalsBy(small),
	// Wanchain has capital letters where EIP-55 has small ones.
	(small) => {
		const isCapital = capitalsBy(small);
		return (at) => !isCapital(at);
	},
	// EIP-1191 puts the chain ID before the address: Rootstock's is 30, that of its test network 31.
	(small) => capitalsBy(`300x${small}`),
	(small) => capitalsBy(`310x${small}`),
	// Zilliqa looks at each sixth bit of a hash of the bytes.
	(small) => {
		const digest = sha256(bytesOfHex(small));
		return (at) => (digest[(6 * at) >> 3]! & (0x80 >> ((6 * at) & 7))) !== 0;
	},
];

function capitalsBy(message: string) {
	const digest = keccak_256(message);
	return (at: number) => (digest[at >> 1]! & (at % 2 === 0 ? 0x80 : 0x08)) !== 0;
}

/** Whether the case of 40 hexadecimal digits is their checksum: of EIP-55, EIP-1191, Wanchain or Zilliqa. */
export function isChecksummed(digits: string): boolean {
	const small = digits.toLowerCase();
	return casings.some((casing) => {
		const isCapital = casing(small);
		return Array.from(small).every(
			(digit, at) => digits[at] === (isCapital(at) ? digit.toUpperCase() : digit),
		);
	});
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
