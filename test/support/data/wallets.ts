import { getCoderByCoinName } from '@ensdomains/address-encoder';
import { blake2b } from '@noble/hashes/blake2';
import { keccak_256 } from '@noble/hashes/sha3';
import { base58, base64url, bech32 } from '@scure/base';
import { StrKey } from '@stellar/stellar-base';
import { Address } from '@ton/core';
import { classicAddressToXAddress, encodeAccountID } from 'ripple-address-codec';

/*
 * Addresses made by libraries of other authors. Nothing in this file uses code of the nodes, so it
 * can test that code.
 */

type Bytes = (length: number) => Uint8Array;
type Coin = Parameters<typeof getCoderByCoinName>[0];

const join = (...parts: Array<number[] | Uint8Array>) =>
	Uint8Array.from(parts.flatMap((part) => [...part]));

/**
 * Returns a function that encodes some bytes as an address of the coin, behind the bytes `before`
 * that say its kind.
 */
const coded =
	(coin: Coin, length: number, ...before: number[]) =>
	(bytes: Bytes) =>
		getCoderByCoinName(coin).encode(join(before, bytes(length)));

/**
 * Encode the scripts of Bitcoin and similar coins that pay to the hash of a key (`toKey`) or of
 * another script (`toScript`).
 */
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

/** Returns the spelling of an Ethereum address whose capital letters are a checksum (EIP-55). */
export const checksummed = (address: string): string =>
	getCoderByCoinName('eth').encode(Buffer.from(address.slice(2), 'hex'));

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/**
 * Formats with a checksum that the nodes verify. Each function makes an address from random bytes.
 */
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

/** Formats without a checksum, or with one that the nodes do not verify. */
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
	Waves: waves,
	Hedera: (bytes) => `0.0.${Buffer.from(bytes(4)).readUInt32LE()}`,
	ENS: (bytes) => `wallet-${hex(bytes(4))}.eth`,
};

const ofHash = (coin: Coin, before: number[], after: number[]) => (hash: Uint8Array) =>
	getCoderByCoinName(coin).encode(join(before, hash, after));
const ofKey = (coin: Coin) => ofHash(coin, [0x76, 0xa9, 20], [0x88, 0xac]);
const ofScript = (coin: Coin) => ofHash(coin, [0xa9, 20], [0x87]);
const ofBytes = (coin: Coin) => ofHash(coin, [], []);
const withoutPrefix = (address: string) => address.replace(/^\w+:/, '');

function tonSpellings(hash: Uint8Array): string[] {
	const account = new Address(0, Buffer.from(hash));
	const friendly = [true, false].flatMap((urlSafe) =>
		[true, false].flatMap((bounceable) =>
			[true, false].map((testOnly) => account.toString({ urlSafe, bounceable, testOnly })),
		),
	);
	return [account.toRawString(), account.toRawString().toUpperCase(), ...friendly];
}

function muxed(key: Uint8Array): string[] {
	const ids = [Buffer.alloc(8), key.subarray(0, 8)];
	return ids.map((id) => StrKey.encodeMed25519PublicKey(Buffer.concat([key, id])));
}

/** By family of addresses: how many bytes an account has, and all spellings `of` one account. */
export const spellings: Record<string, { length: number; of: (account: Uint8Array) => string[] }> =
	{
		'Ethereum, XDC, Ronin': {
			length: 20,
			of(account) {
				const address = getCoderByCoinName('eth').encode(account);
				const digits = address.slice(2);
				const forms = [digits, `0x${digits}`, `xdc${digits}`, `ronin:${digits}`];
				return forms.flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()]);
			},
		},
		'Harmony, IoTeX, Zilliqa': {
			length: 20,
			of: (account) => [
				...(['zil', 'one', 'iotx'] as const).map((coin) => ofBytes(coin)(account)),
				bech32.encode('inj', bech32.toWords(account)),
				`0x${hex(account)}`,
			],
		},
		'Bitcoin Cash, key': {
			length: 20,
			of(hash) {
				const address = ofKey('bch')(hash);
				const forms = [address, withoutPrefix(address)];
				return [ofKey('btc')(hash), ...forms, ...forms.map((form) => form.toUpperCase())];
			},
		},
		'Bitcoin Cash, script': {
			length: 20,
			of: (hash) => [
				ofScript('btc')(hash),
				ofScript('bch')(hash),
				withoutPrefix(ofScript('bch')(hash)),
			],
		},
		'Litecoin, script': {
			length: 20,
			of: (hash) => [ofScript('ltc')(hash), ofScript('btc')(hash)],
		},
		'XRP Ledger': {
			length: 20,
			of(account) {
				const address = encodeAccountID(Buffer.from(account));
				return [address, classicAddressToXAddress(address, false, false)];
			},
		},
		Stellar: {
			length: 32,
			of: (key) => [StrKey.encodeEd25519PublicKey(Buffer.from(key)), ...muxed(key)],
		},
		TON: { length: 32, of: tonSpellings },
		Tron: {
			length: 20,
			of: (account) => [
				ofHash('trx', [0x41], [])(account),
				`41${hex(account)}`,
				`41${hex(account).toUpperCase()}`,
			],
		},
		Nano: {
			length: 32,
			of(account) {
				const address = ofBytes('nano')(account);
				return [address, address.replace('nano_', 'xrb_')];
			},
		},
		'Aptos, Sui, Starknet': {
			length: 32,
			of(account) {
				const digits = hex(account);
				const short = digits.replace(/^0+/, '');
				return [`0x${digits}`, `0x${short}`, `0X${short.toUpperCase()}`];
			},
		},
		'Bitcoin, Bech32': {
			length: 20,
			of(hash) {
				const address = ofHash('btc', [0, 20], [])(hash);
				return [address, address.toUpperCase()];
			},
		},
	};

/** Returns random bytes. `next` returns numbers in [0, 1). */
export const bytesFrom = (length: number, next: () => number) =>
	Uint8Array.from({ length }, () => Math.floor(next() * 256));

/** Makes an address from random bytes. `next` returns numbers in [0, 1). */
export const anyOf = (make: (bytes: Bytes) => string, next: () => number) =>
	make((length) => bytesFrom(length, next));

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Replaces one character of the text. */
export function replaced(text: string, next: () => number): string {
	const at = Math.floor(next() * text.length);
	const others = Array.from(letters).filter((letter) => letter !== text[at]);
	return text.slice(0, at) + others[Math.floor(next() * others.length)]! + text.slice(at + 1);
}

/** Removes one character of the text, or inserts one of its own characters once more. */
export function withoutOneOrWithOneMore(text: string, next: () => number): string {
	const at = Math.floor(next() * text.length);
	if (next() < 0.5) return text.slice(0, at) + text.slice(at + 1);
	const more = text[Math.floor(next() * text.length)]!;
	return text.slice(0, at) + more + text.slice(at);
}
