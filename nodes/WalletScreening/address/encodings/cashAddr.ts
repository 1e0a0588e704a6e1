import { isOneCase } from '../letterCase';
import { bech32Class, bytesOfWords } from './bech32';

/* CashAddr, and the addresses of Conflux, whose checksum is made in the same way. */

/** The prefixes of CashAddr, by chain. An address may lack its prefix. */
export const cashAddrPrefixesOfChain = {
	BCH: ['bitcoincash', 'simpleledger', 'bchtest', 'bchreg'],
	XEC: ['ecash', 'etoken'],
};
const cashAddrPrefixes: readonly string[] = Object.values(cashAddrPrefixesOfChain).flat();

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
