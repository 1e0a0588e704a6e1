import { sha256 } from '@noble/hashes/sha2';
import { base58, createBase58check } from '@scure/base';

import {
	containsPrivateKey,
	isPrivateKey,
	removeNestedPrivateKeys,
	removePrivateKeys,
} from '../../../nodes/WalletScreening/address/privateKey';
import { numbersFrom, seed } from '../../support/data/random';
import {
	makeAddress,
	formatsWithChecksum,
	formatsWithoutChecksum,
} from '../../support/data/generatedAddresses';

const check = createBase58check(sha256);
const random = numbersFrom(seed);
const bytesOf = (length: number) => Uint8Array.from({ length }, () => 256 * random());

/** Published examples, and one of each chain made by a library of others. */
const keys = {
	WIF: '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ',
	'WIF of a compressed key': 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617',
	'WIF of Litecoin': check.encode(Uint8Array.of(0xb0, ...bytesOf(32), 1)),
	'WIF of Dogecoin': check.encode(Uint8Array.of(0x9e, ...bytesOf(32))),
	// BIP-32
	'an extended key':
		'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
	'a seed of the XRP Ledger': 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
	'a seed of the XRP Ledger for Ed25519': 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2',
	'a seed of Stellar': 'SAV76USXIJOBMEQXPANUOQM6F5LIOTLPDIDVRJBFFE2MDJXG24TAPUU7',
	// NIP-19
	'a key of Nostr': 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5',
	'a key of Nostr in capitals': 'NSEC1VL029MGPSPEDVA04G90VLTKH6FVH240ZQTV9K0T9AF8935KE9LAQSNLFE5',
};

test.each(Object.entries(keys))('%s is a private key', (_, key) =>
	expect(isPrivateKey(key)).toBe(true),
);

test.each([
	[base58.encode(bytesOf(64)), 'the signature of a transaction of Solana has 64 bytes'],
	[
		'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
		'it is an extended public key',
	],
	[
		'9f4QF8AD1nQ3nJahQVkMj8hFSVVzVom77b52JU7EW71Zexg6N8v',
		'an address of Ergo has as many characters as WIF',
	],
	['private-key.eth', 'it is a name'],
	['rrkah-fqaaa-aaaaa-aaaaq-cai', 'it is an account of the Internet Computer'],
	[
		'5be5543ff73456ab9f2d207887e2af87322c651ea1a873c5b25b7ffae456c320',
		'it may be an address of NEAR, which sanctions lists have, as well as a key of Ethereum',
	],
	[
		'abandon ability able about above absent absorb abstract absurd abuse access accident',
		'the words of a seed are only words',
	],
])('%s is none, because %s', (text) => expect(isPrivateKey(text)).toBe(false));

test.each(Object.entries({ ...formatsWithChecksum, ...formatsWithoutChecksum }))(
	`no %s address is one (TEST_SEED=${seed})`,
	(_, make) => {
		const next = numbersFrom(seed);
		const addresses = Array.from({ length: 30 }, () => makeAddress(make, next));
		expect(addresses.filter(isPrivateKey)).toEqual([]);
	},
);

describe.each(Object.entries(keys))('%s is found', (_, key) => {
	test.each<[string, unknown]>([
		['in a longer text', `key: ${key}, of Bob`],
		['in a link', `bitcoin:${key}?label=x`],
		['in an object', { customer: { wallets: [{ wallet: key }] } }],
		['as a name', { [key]: 1 }],
		['after a line break', { note: `key:\n${key}\n` }],
		['in the text of JSON', JSON.stringify({ note: `key:\n${key}` })],
		['in JSON within JSON', { body: JSON.stringify({ note: `\u0001${key}` }) }],
		['after a backslash', { path: `C:\\${key}` }],
	])('%s', (_where, value) => expect(containsPrivateKey(value)).toBe(true));
});

test('a value without a text holds no private key', () => {
	for (const value of [undefined, null, 7, true, {}, []])
		expect(containsPrivateKey(value)).toBe(false);
});

test.each([
	{ before: '', after: '', because: 'a text may be a key' },
	{ before: 'my key: ', after: ', old', because: 'a sentence may quote one' },
	{ before: '"\\n', after: '"', because: 'JSON writes a line break with a letter' },
	{ before: '"\\u0020', after: '"', because: 'JSON may write a character as its number' },
])('a key is removed from $before…$after: $because', ({ before, after }) => {
	for (const key of Object.values(keys))
		expect(removePrivateKeys(before + key + after)).toBe(`${before}(private key removed)${after}`);
});

test('a private key is removed from a value of JSON at any depth, and all else stays', () => {
	const key = keys.WIF;
	const value = { n: 1.5, list: [null, { [key]: `a\n${key}\u0001${key}` }], text: '"\\' };
	expect(removeNestedPrivateKeys(value)).toEqual({
		n: 1.5,
		list: [
			null,
			{ '(private key removed)': 'a\n(private key removed)\u0001(private key removed)' },
		],
		text: '"\\',
	});
	expect(removeNestedPrivateKeys(key)).toBe('(private key removed)');
	const harmless = { list: [1] };
	expect(removeNestedPrivateKeys(harmless)).toBe(harmless);
});
