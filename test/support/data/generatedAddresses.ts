import { getCoderByCoinName } from '@ensdomains/address-encoder';
import { blake2b } from '@noble/hashes/blake2';
import { keccak_256 } from '@noble/hashes/sha3';
import { base32nopad, base58, base64url, bech32 } from '@scure/base';
import { StrKey } from '@stellar/stellar-base';
import { Address } from '@ton/core';
import { classicAddressToXAddress, encodeAccountID } from 'ripple-address-codec';

/*
 * Addresses that other authors' libraries make. Nothing in this file uses code of the nodes, so it
 * can test that code.
 */

/** Returns `length` random bytes. */
type RandomBytes = (length: number) => Uint8Array;
/** Makes an address from random bytes. */
type MakeAddress = (bytes: RandomBytes) => string;
type Coin = Parameters<typeof getCoderByCoinName>[0];
type Part = number[] | Uint8Array;

const concat = (...parts: Part[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Encodes bytes as an address of a coin. In many coins, the first byte is the kind of address. */
const encode = (coin: Coin, ...parts: Part[]) => getCoderByCoinName(coin).encode(concat(...parts));

/** Encodes an address that pays to the hash of a key (P2PKH), for Bitcoin or a coin like it. */
const encodeKeyHash = (coin: Coin, hash: Uint8Array) =>
	encode(coin, [0x76, 0xa9, 20], hash, [0x88, 0xac]);
/** Encodes an address that pays to the hash of a script (P2SH), for Bitcoin or a coin like it. */
const encodeScriptHash = (coin: Coin, hash: Uint8Array) => encode(coin, [0xa9, 20], hash, [0x87]);

function makeWaves(bytes: RandomBytes): string {
	const payload = concat([1, 'W'.charCodeAt(0)], bytes(20));
	const checksum = keccak_256(blake2b(payload, { dkLen: 32 })).subarray(0, 4);
	return base58.encode(concat(payload, checksum));
}

function makeMonero(bytes: RandomBytes): string {
	const payload = concat([18], bytes(64));
	return encode('xmr', payload, keccak_256(payload).subarray(0, 4));
}

/** Returns the spelling of an Ethereum address whose capital letters are a checksum (EIP-55). */
export const checksummed = (address: string): string =>
	getCoderByCoinName('eth').encode(Buffer.from(address.slice(2), 'hex'));

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const withoutPrefix = (address: string) => address.replace(/^\w+:/, '');

/** Formats with a checksum that the nodes verify. */
export const formatsWithChecksum: Record<string, MakeAddress> = {
	Ethereum: (bytes) => encode('eth', bytes(20)),
	'Bitcoin 1': (bytes) => encodeKeyHash('btc', bytes(20)),
	'Bitcoin 3': (bytes) => encodeScriptHash('btc', bytes(20)),
	'Bitcoin bc1q': (bytes) => encode('btc', [0, 20], bytes(20)),
	'Bitcoin bc1q, script': (bytes) => encode('btc', [0, 32], bytes(32)),
	'Bitcoin bc1p': (bytes) => encode('btc', [0x51, 32], bytes(32)),
	'Litecoin L': (bytes) => encodeKeyHash('ltc', bytes(20)),
	'Litecoin M': (bytes) => encodeScriptHash('ltc', bytes(20)),
	'Litecoin ltc1': (bytes) => encode('ltc', [0, 20], bytes(20)),
	Dogecoin: (bytes) => encodeKeyHash('doge', bytes(20)),
	Dash: (bytes) => encodeKeyHash('dash', bytes(20)),
	Zcash: (bytes) => encodeKeyHash('zec', bytes(20)),
	Tron: (bytes) => encode('trx', [0x41], bytes(20)),
	Tezos: (bytes) => encode('xtz', [0, 0], bytes(20)),
	'XRP Ledger': (bytes) => encode('xrp', [0], bytes(20)),
	'Bitcoin Cash': (bytes) => encodeKeyHash('bch', bytes(20)),
	'Bitcoin Cash without prefix': (bytes) => withoutPrefix(encodeKeyHash('bch', bytes(20))),
	Polkadot: (bytes) => encode('dot', bytes(32)),
	Kusama: (bytes) => encode('ksm', bytes(32)),
	Cosmos: (bytes) => encode('atom', bytes(20)),
	'An unknown prefix': (bytes) => bech32.encode('newchain', bech32.toWords(bytes(20))),
	Chia: (bytes) => encode('xch', bytes(32)),
	Cardano: (bytes) => encode('ada', [1], bytes(56)),
};

/** Formats without a checksum, or with one that the nodes do not verify. */
export const formatsWithoutChecksum: Record<string, MakeAddress> = {
	'Ethereum in small letters': (bytes) => `0x${hex(bytes(20))}`,
	Solana: (bytes) => encode('sol', bytes(32)),
	Sui: (bytes) => encode('sui', bytes(32)),
	NEAR: (bytes) => hex(bytes(32)),
	Stellar: (bytes) => encode('xlm', bytes(32)),
	Algorand: (bytes) => encode('algo', bytes(32)),
	Monero: makeMonero,
	Filecoin: (bytes) => encode('fil', [1], bytes(20)),
	TON: (bytes) => base64url.encode(concat([0x11, 0], bytes(34))),
	Arweave: (bytes) => base64url.encode(bytes(32)).replace('=', ''),
	Flow: (bytes) => encode('flow', bytes(8)),
	Waves: makeWaves,
	Hedera: (bytes) => `0.0.${Buffer.from(bytes(4)).readUInt32LE()}`,
	ENS: (bytes) => `wallet-${hex(bytes(4))}.eth`,
};

function spellTon(hash: Uint8Array): string[] {
	const account = new Address(0, Buffer.from(hash));
	const friendly = [true, false].flatMap((urlSafe) =>
		[true, false].flatMap((bounceable) =>
			[true, false].map((testOnly) => account.toString({ urlSafe, bounceable, testOnly })),
		),
	);
	return [account.toRawString(), account.toRawString().toUpperCase(), ...friendly];
}

/** Makes two muxed addresses of a Stellar account: each has an ID in it. */
function spellMuxed(key: Uint8Array): string[] {
	const ids = [Buffer.alloc(8), key.subarray(0, 8)];
	return ids.map((id) => StrKey.encodeMed25519PublicKey(Buffer.concat([key, id])));
}

/** Encodes an account for a network of Substrate (SS58). The prefix has one byte or two. */
function encodeSubstrate(network: number[], account: Uint8Array): string {
	const payload = concat(network, account);
	const checksum = blake2b(concat(Buffer.from('SS58PRE'), payload)).subarray(0, 2);
	return base58.encode(concat(payload, checksum));
}

/** Encodes an account of EVM as a delegated address of Filecoin (FIP-0048). */
function encodeDelegated(account: Uint8Array): string {
	const checksum = blake2b(concat([4, 10], account), { dkLen: 4 });
	return `410f${base32nopad.encode(concat(account, checksum)).toLowerCase()}`;
}

interface AddressFamily {
	/** The number of bytes of an account. */
	length: number;
	/** Returns all spellings of an account. */
	spell: (account: Uint8Array) => string[];
}

/** Families of addresses in which an account has several spellings. */
export const addressFamilies: Record<string, AddressFamily> = {
	'Ethereum, XDC, Ronin': {
		length: 20,
		spell(account) {
			const address = encode('eth', account);
			const digits = address.slice(2);
			const forms = [digits, `0x${digits}`, `xdc${digits}`, `ronin:${digits}`];
			return forms.flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()]);
		},
	},
	'Harmony, IoTeX, Zilliqa, chains of Ethermint': {
		length: 20,
		spell: (account) => [
			...(['zil', 'one', 'iotx', 'kava'] as const).map((coin) => encode(coin, account)),
			...['canto', 'crc', 'dym', 'evmos', 'ex', 'haqq', 'inj', 'zeta'].map((prefix) =>
				bech32.encode(prefix, bech32.toWords(account)),
			),
			`0x${hex(account)}`,
		],
	},
	Filecoin: {
		length: 20,
		spell: (account) => [
			...['f', 't'].map((network) => network + encodeDelegated(account)),
			`0x${hex(account)}`,
		],
	},
	'Polkadot, Kusama, others of Substrate': {
		length: 32,
		// Prefix 42 stands for any network, and 5 for Astar. The two bytes encode 7391, for Unique.
		spell: (account) => [
			encode('dot', account),
			encode('ksm', account),
			...[[42], [5], [0x77, 0xdc]].map((network) => encodeSubstrate(network, account)),
		],
	},
	'Bitcoin Cash, key': {
		length: 20,
		spell(hash) {
			const address = encodeKeyHash('bch', hash);
			const forms = [address, withoutPrefix(address)];
			return [encodeKeyHash('btc', hash), ...forms, ...forms.map((form) => form.toUpperCase())];
		},
	},
	'Bitcoin Cash, script': {
		length: 20,
		spell: (hash) => [
			encodeScriptHash('btc', hash),
			encodeScriptHash('bch', hash),
			withoutPrefix(encodeScriptHash('bch', hash)),
		],
	},
	'Litecoin, script': {
		length: 20,
		spell: (hash) => [encodeScriptHash('ltc', hash), encodeScriptHash('btc', hash)],
	},
	'DigiByte and Monacoin, script': {
		length: 20,
		spell: (hash) => (['dgb', 'mona', 'btc'] as const).map((coin) => encodeScriptHash(coin, hash)),
	},
	'XRP Ledger': {
		length: 20,
		spell(account) {
			const address = encodeAccountID(Buffer.from(account));
			return [address, classicAddressToXAddress(address, false, false)];
		},
	},
	Stellar: {
		length: 32,
		spell: (key) => [StrKey.encodeEd25519PublicKey(Buffer.from(key)), ...spellMuxed(key)],
	},
	TON: { length: 32, spell: spellTon },
	Tron: {
		length: 20,
		spell: (account) => [
			encode('trx', [0x41], account),
			`41${hex(account)}`,
			`41${hex(account).toUpperCase()}`,
		],
	},
	Nano: {
		length: 32,
		spell(account) {
			const address = encode('nano', account);
			return [address, address.replace('nano_', 'xrb_')];
		},
	},
	'Aptos, Sui, Starknet': {
		length: 32,
		spell(account) {
			const digits = hex(account);
			const short = digits.replace(/^0+/, '');
			return [`0x${digits}`, `0x${short}`, `0X${short.toUpperCase()}`];
		},
	},
	'Bitcoin, Bech32': {
		length: 20,
		spell(hash) {
			const address = encode('btc', [0, 20], hash);
			return [address, address.toUpperCase()];
		},
	},
};

/* In the functions below, `next` returns a random number in [0, 1). */

export const makeBytes = (length: number, next: () => number) =>
	Uint8Array.from({ length }, () => Math.floor(next() * 256));

export const makeAddress = (make: MakeAddress, next: () => number) =>
	make((length) => makeBytes(length, next));

const lettersAndDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Replaces one character of the text. */
export function replaceCharacter(text: string, next: () => number): string {
	const at = Math.floor(next() * text.length);
	const others = Array.from(lettersAndDigits).filter((letter) => letter !== text[at]);
	return text.slice(0, at) + others[Math.floor(next() * others.length)]! + text.slice(at + 1);
}

/** Removes one character of the text, or inserts a copy of one. */
export function removeOrInsertCharacter(text: string, next: () => number): string {
	const at = Math.floor(next() * text.length);
	if (next() < 0.5) return text.slice(0, at) + text.slice(at + 1);
	const inserted = text[Math.floor(next() * text.length)]!;
	return text.slice(0, at) + inserted + text.slice(at);
}
