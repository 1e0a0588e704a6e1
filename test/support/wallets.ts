import { randomBytes } from 'node:crypto';

import { getCoderByCoinName } from '@ensdomains/address-encoder';
import { blake2b } from '@noble/hashes/blake2';
import { keccak_256 } from '@noble/hashes/sha3';
import { sha256 } from '@noble/hashes/sha2';
import { base58, base58xrp, base64url, bech32, bech32m, createBase58check } from '@scure/base';

/*
 * Addresses as the libraries of others make them: nothing here is code of the nodes.
 */

type Bytes = (length: number) => Uint8Array;

const join = (...parts: Array<number[] | Uint8Array>) =>
	Uint8Array.from(parts.flatMap((part) => [...part]));

const base58check = createBase58check(sha256);
const versioned =
	(...version: number[]) =>
	(bytes: Bytes) =>
		base58check.encode(join(version, bytes(20)));

const segwit = (prefix: string, version: number, length: number) => (bytes: Bytes) => {
	const code = version === 0 ? bech32 : bech32m;
	return code.encode(prefix, [version, ...code.toWords(bytes(length))]);
};

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function ripple(bytes: Bytes): string {
	const payload = join([0], bytes(20));
	return base58xrp.encode(join(payload, sha256(sha256(payload)).subarray(0, 4)));
}

function waves(bytes: Bytes): string {
	const payload = join([1, 'W'.charCodeAt(0)], bytes(20));
	return base58.encode(join(payload, keccak_256(blake2b(payload, { dkLen: 32 })).subarray(0, 4)));
}

function monero(bytes: Bytes): string {
	const payload = join([18], bytes(64));
	return getCoderByCoinName('xmr').encode(join(payload, keccak_256(payload).subarray(0, 4)));
}

/** As EIP-55 writes it. */
export function checksummed(address: string): string {
	const digits = address.slice(2).toLowerCase();
	const hash = hex(keccak_256(digits));
	const cased = [...digits].map((digit, at) => (hash[at]! >= '8' ? digit.toUpperCase() : digit));
	return `0x${cased.join('')}`;
}

/** A script of Bitcoin that pays to a hash of a key. */
const payToKey = (hash: Uint8Array) => join([0x76, 0xa9, 20], hash, [0x88, 0xac]);
const cash = (bytes: Bytes) => getCoderByCoinName('bch').encode(payToKey(bytes(20)));

/** By a library of others, from as many bytes. */
const coded = (coin: Parameters<typeof getCoderByCoinName>[0], length: number) => (bytes: Bytes) =>
	getCoderByCoinName(coin).encode(bytes(length));

/** Formats with a checksum: each makes an address of some bytes. */
export const withChecksum: Record<string, (bytes: Bytes) => string> = {
	Ethereum: (bytes) => checksummed(`0x${hex(bytes(20))}`),
	'Bitcoin 1': versioned(0x00),
	'Bitcoin 3': versioned(0x05),
	'Bitcoin bc1q': segwit('bc', 0, 20),
	'Bitcoin bc1q, script': segwit('bc', 0, 32),
	'Bitcoin bc1p': segwit('bc', 1, 32),
	'Litecoin L': versioned(0x30),
	'Litecoin M': versioned(0x32),
	'Litecoin ltc1': segwit('ltc', 0, 20),
	Dogecoin: versioned(0x1e),
	Dash: versioned(0x4c),
	Zcash: versioned(0x1c, 0xb8),
	Tron: versioned(0x41),
	Tezos: versioned(0x06, 0xa1, 0x9f),
	Waves: waves,
	'XRP Ledger': ripple,
	'Bitcoin Cash': cash,
	'Bitcoin Cash without prefix': (bytes) => cash(bytes).replace('bitcoincash:', ''),
	Polkadot: coded('dot', 32),
	Kusama: coded('ksm', 32),
	Cosmos: coded('atom', 20),
	'An unknown prefix': (bytes) => bech32.encode('newchain', bech32.toWords(bytes(20))),
	Chia: coded('xch', 32),
	Cardano: (bytes) => bech32.encode('addr', bech32.toWords(join([1], bytes(56))), false),
};

/** Formats without a checksum that the nodes verify. */
export const withoutChecksum: Record<string, (bytes: Bytes) => string> = {
	'Ethereum in small letters': (bytes) => `0x${hex(bytes(20))}`,
	Solana: (bytes) => base58.encode(bytes(32)),
	Sui: (bytes) => `0x${hex(bytes(32))}`,
	NEAR: (bytes) => hex(bytes(32)),
	Stellar: coded('xlm', 32),
	Algorand: coded('algo', 32),
	Monero: monero,
	Filecoin: (bytes) => coded('fil', 21)((length) => join([1], bytes(length - 1))),
	TON: (bytes) => base64url.encode(join([0x11, 0], bytes(34))),
	Arweave: (bytes) => base64url.encode(bytes(32)).replace('=', ''),
	Flow: (bytes) => `0x${hex(bytes(8))}`,
	Hedera: (bytes) => `0.0.${Buffer.from(bytes(4)).readUInt32LE()}`,
	ENS: (bytes) => `wallet-${hex(bytes(4))}.eth`,
};

/** Of random bytes. */
export const anyOf = (make: (bytes: Bytes) => string) => make((length) => randomBytes(length));

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The text with one character more, one less, another one, or two neighbours exchanged. `next` gives numbers in [0, 1). */
export function mistyped(text: string, next: () => number): string {
	const below = (count: number) => Math.floor(next() * count);
	for (;;) {
		const at = below(text.length);
		const [before, here, after] = [text.slice(0, at), text[at]!, text.slice(at + 1)];
		const other = letters[below(letters.length)]!;
		const edits = [
			`${before}${other}${here}${after}`,
			`${before}${after}`,
			`${before}${other}${after}`,
			`${before}${after.slice(0, 1)}${here}${after.slice(1)}`,
		];
		const edited = edits[below(edits.length)]!;
		if (edited !== text) return edited;
	}
}
