import { randomBytes } from 'node:crypto';

import { getCoderByCoinName } from '@ensdomains/address-encoder';
import { blake2b } from '@noble/hashes/blake2';
import { keccak_256 } from '@noble/hashes/sha3';
import { base58, base64url, bech32 } from '@scure/base';

/*
 * Addresses as the libraries of others make them: nothing here is code of the nodes.
 */

type Bytes = (length: number) => Uint8Array;
type Coin = Parameters<typeof getCoderByCoinName>[0];

const join = (...parts: Array<number[] | Uint8Array>) =>
	Uint8Array.from(parts.flatMap((part) => [...part]));

/** By a library of others, from some bytes after those that say what they are. */
const coded =
	(coin: Coin, length: number, ...before: number[]) =>
	(bytes: Bytes) =>
		getCoderByCoinName(coin).encode(join(before, bytes(length)));

/** Of a script of Bitcoin or its like that pays to the hash of a key, or of another script. */
const toKey = (coin: Coin) => (bytes: Bytes) =>
	getCoderByCoinName(coin).encode(join([0x76, 0xa9, 20], bytes(20), [0x88, 0xac]));
const toScript = (coin: Coin) => (bytes: Bytes) =>
	getCoderByCoinName(coin).encode(join([0xa9, 20], bytes(20), [0x87]));

function waves(bytes: Bytes): string {
	const payload = join([1, 'W'.charCodeAt(0)], bytes(20));
	return base58.encode(join(payload, keccak_256(blake2b(payload, { dkLen: 32 })).subarray(0, 4)));
}

function monero(bytes: Bytes): string {
	const payload = join([18], bytes(64));
	return getCoderByCoinName('xmr').encode(join(payload, keccak_256(payload).subarray(0, 4)));
}

/** As EIP-55 writes it. */
export const checksummed = (address: string): string =>
	getCoderByCoinName('eth').encode(Buffer.from(address.slice(2), 'hex'));

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Formats with a checksum: each makes an address of some bytes. */
export const withChecksum: Record<string, (bytes: Bytes) => string> = {
	Ethereum: coded('eth', 20),
	'Bitcoin 1': toKey('btc'),
	'Bitcoin 3': toScript('btc'),
	'Bitcoin bc1q': coded('btc', 20, 0, 20),
	'Bitcoin bc1q, script': coded('btc', 32, 0, 32),
	'Bitcoin bc1p': coded('btc', 32, 0x51, 32),
	'Litecoin L': toKey('ltc'),
	'Litecoin M': toScript('ltc'),
	'Litecoin ltc1': coded('ltc', 20, 0, 20),
	Dogecoin: toKey('doge'),
	Dash: toKey('dash'),
	Zcash: toKey('zec'),
	Tron: coded('trx', 20, 0x41),
	Tezos: coded('xtz', 20, 0, 0),
	Waves: waves,
	'XRP Ledger': coded('xrp', 20, 0),
	'Bitcoin Cash': toKey('bch'),
	'Bitcoin Cash without prefix': (bytes) => toKey('bch')(bytes).replace('bitcoincash:', ''),
	Polkadot: coded('dot', 32),
	Kusama: coded('ksm', 32),
	Cosmos: coded('atom', 20),
	'An unknown prefix': (bytes) => bech32.encode('newchain', bech32.toWords(bytes(20))),
	Chia: coded('xch', 32),
	Cardano: coded('ada', 56, 1),
};

/** Formats without a checksum that the nodes verify. */
export const withoutChecksum: Record<string, (bytes: Bytes) => string> = {
	'Ethereum in small letters': (bytes) => `0x${hex(bytes(20))}`,
	Solana: coded('sol', 32),
	Sui: coded('sui', 32),
	NEAR: (bytes) => hex(bytes(32)),
	Stellar: coded('xlm', 32),
	Algorand: coded('algo', 32),
	Monero: monero,
	Filecoin: coded('fil', 20, 1),
	TON: (bytes) => base64url.encode(join([0x11, 0], bytes(34))),
	Arweave: (bytes) => base64url.encode(bytes(32)).replace('=', ''),
	Flow: coded('flow', 8),
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
