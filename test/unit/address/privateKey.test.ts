import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { runInNewContext } from 'node:vm';

import { sha256 } from '@noble/hashes/sha2';
import { base58, createBase58check } from '@scure/base';

import {
	holdsPrivateKey,
	isPrivateKey,
	listsPrivateKey,
	withoutPrivateKeys,
	withoutRefused,
} from '../../../nodes/WalletScreening/address/privateKey';
import { anyOf, withChecksum, withoutChecksum } from '../../support/wallets';

const check = createBase58check(sha256);

/** The private and the public key of Ed25519, 32 bytes each. */
function keyPair(): Buffer {
	const { privateKey, publicKey } = generateKeyPairSync('ed25519');
	const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
	return Buffer.concat([secret, publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]);
}
const phrase =
	'abandon ability able about above absent absorb abstract absurd abuse access accident';

/** Published examples, and one of each chain made by a library of others. */
const keys = {
	WIF: '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ',
	'WIF of a compressed key': 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617',
	'WIF of Litecoin': check.encode(Uint8Array.of(0xb0, ...randomBytes(32), 1)),
	'WIF of Dogecoin': check.encode(Uint8Array.of(0x9e, ...randomBytes(32))),
	'WIF less a character': 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP9861',
	'WIF with a wrong character': 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98618',
	'an extended key, BIP-32':
		'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
	'a seed of the XRP Ledger': 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
	'a seed of Stellar': 'SAV76USXIJOBMEQXPANUOQM6F5LIOTLPDIDVRJBFFE2MDJXG24TAPUU7',
	'a key pair of Solana': base58.encode(keyPair()),
	'WIF of Dogecoin with a wrong character': 'QX5ijDaMc3R8QhfpE4vua3mkhxPWHygkwF1WFxr1HgUiF3t7Wk55',
	'a key of Tezos': 'spsk3Lpx3VuvhfNkUXtcArSvE1z2nMXX3YRy4DYHsnoPmeHxaUm3Fm',
	// NIP-19
	'a key of Nostr': 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5',
	'a recovery phrase, BIP-39': `${'abandon '.repeat(11)}about`,
	'a recovery phrase with numbers': phrase.replace(/\w+/g, (word) => `7. ${word}`),
};

test.each(Object.entries(keys))('%s is a private key, and is taken out of a text', (_, key) => {
	expect(isPrivateKey(key)).toBe(true);
	const item = { text: ` ${key}\n`, list: [{ key }], name: 'Alice' };
	const masked = withoutPrivateKeys(item);
	expect(JSON.stringify(masked)).not.toContain(key);
	expect(masked).toMatchObject({ name: 'Alice' });
});

test('a private key is taken out of a sentence', () => {
	const wif = keys['WIF of a compressed key'];
	expect(withoutPrivateKeys(`The item has no field '${wif}', or (${wif}).`)).toBe(
		"The item has no field '(private key removed)', or ((private key removed)).",
	);
});

test.each([
	`seed: ${phrase}.`,
	phrase.replaceAll(' ', '-'),
	JSON.stringify([...keyPair()]),
	`{"privateKey":"0x${'4c0883a6'.repeat(8)}"}`,
	'suiprivkey1qzwant3kaegmjy4qxex93s0jzvemekkjmyv3r2sjwgnv2y479pgsywhveae',
	// Keys with the word that names them: of Aptos (AIP-80), Cardano (CIP-5) and EOS
	`ed25519-priv-0x${'4c0883a6'.repeat(8)}`,
	`addr_sk1${'q5shngj24323nsrmxv99st02na6srekfctt30ch'.repeat(2)}`,
	'PVT_K1_2vGGZzpnwJJzzE1sYcyiModLZ6JzHjLzCEaGgDhVLaN1rT9LsA',
	`sk:${'4c0883a6'.repeat(8)}`,
	'NSEC1VL029MGPSPEDVA04G90VLTKH6FVH240ZQTV9K0T9AF8935KE9LAQSNLFE5',
	`0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045:${'4c0883a6'.repeat(8)}`,
	// As Stacks exports it
	`${'4c0883a6'.repeat(8)}01`,
	// In pieces
	`${keys.WIF.slice(0, 30)}\n${keys.WIF.slice(30)}`,
	'4c 08 83 a6 '.repeat(8),
	'4c0883a6'.repeat(16),
	// Nearly whole, or with signs in it
	keys.WIF.replace('8', '0'),
	keys['WIF of a compressed key'].slice(0, -2),
	`${keys.WIF.slice(0, 20)}.${keys.WIF.slice(20)}`,
	`${keys['a seed of Stellar']}7`,
	keys['a seed of the XRP Ledger'].replace('o', '0'),
	base58.encode(keyPair()).slice(1),
	// In other languages
	'papel pez pollo razón león árbol ocho rápido ángel noche mundo café',
	'가격 가끔 가난 가능 가득 가르침 가뭄 가방 가상 가슴 가운데 가을',
	'的一是在不了有和人这中大',
])('an address field must not hold %s', (text) => {
	expect(holdsPrivateKey(text)).toBe(true);
	const item = { text, list: text.split(/[ \n,]/), name: 'Alice' };
	const left = JSON.stringify(withoutRefused(item));
	expect(left).toContain('Alice');
	for (const part of text.split(/[ \n,]/)) if (part.length > 5) expect(left).not.toContain(part);
});

test.each([
	// The signature of a transaction of Solana has as many bytes as a key pair.
	base58.encode(randomBytes(64)),
	'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
	'The service did not answer within thirty seconds, so that nothing is known of the address',
	'Payment for order seven hundred from Acme paid with wire transfer today only',
])('%s is none', (text) => {
	expect(isPrivateKey(text)).toBe(false);
	expect(withoutPrivateKeys(text)).toBe(text);
});

test.each(Object.entries({ ...withChecksum, ...withoutChecksum }))(
	'no %s address is one',
	(_, make) => {
		for (let count = 0; count < 30; count++) {
			const address = anyOf(make);
			expect(`${address} ${holdsPrivateKey(address)}`).toBe(`${address} false`);
		}
	},
);

test.each([
	'private-key.eth',
	'rrkah-fqaaa-aaaaa-aaaaq-cai',
	'-1:3333333333333333333333333333333333333333333333333333333333333333',
	'01e3d3f1e4b5f7a6c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d501',
])('%s is an address', (text) => expect(holdsPrivateKey(text)).toBe(false));

test('names and accounts in a list are no phrase and no bytes', () => {
	const names = 'alice.eth bob.eth carol.eth dave.eth erin.eth frank.eth grace.eth'.split(' ');
	const accounts = Array.from({ length: 40 }, (_, index) => `0.0.${index}`);
	expect([listsPrivateKey(names), listsPrivateKey(accounts)]).toEqual([false, false]);
});

test('an object of another realm is masked too, as n8n gives them to expressions', () => {
	const item: unknown = runInNewContext('({ key: "' + keys.WIF + '" })');
	expect(withoutPrivateKeys(item)).toEqual({ key: '(private key removed)' });
});

test('what has no key, is no JSON, or too deep for it, stays as it is', () => {
	const item = { list: [{ name: 'Alice' }] };
	expect(withoutPrivateKeys(item)).toBe(item);
	const date = new Date(0);
	expect(withoutPrivateKeys({ date }).date).toBe(date);
	let deep: unknown = 'x';
	for (let level = 0; level < 100_000; level++) deep = { one: deep, again: deep };
	expect(() => withoutPrivateKeys(deep)).not.toThrow();
});
