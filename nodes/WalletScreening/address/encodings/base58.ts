import { base58 } from '@scure/base';
import { hash } from 'crypto';
import { sha256 } from '../../shared/sha256';
import { groestl512 } from './groestl';

/* Base58, and the checksums in it: Base58Check, those of Skycoin and Groestlcoin, and SS58. */

/** The alphabet, as a class of a regular expression. */
export const base58Class = '[1-9A-HJ-NP-Za-km-z]';

/** Over 128 characters there is no address or key, and the time to decode is quadratic. */
const base58Text = new RegExp(`^${base58Class}{1,128}$`);

/** Decodes a text in Base58; undefined for any other. */
export const decodeBase58 = (text: string, { decode } = base58) =>
	base58Text.test(text) ? Buffer.from(decode(text)) : undefined;

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
