import { generateKeyPairSync, randomBytes } from 'node:crypto';

import { sha256 } from '@noble/hashes/sha2';
import { base58, createBase58check } from '@scure/base';

import { isPrivateKey } from '../../../nodes/WalletScreening/address/privateKey';
import { anyOf, withChecksum, withoutChecksum } from '../../support/wallets';

const check = createBase58check(sha256);

/** The private and the public key of Ed25519, 32 bytes each. */
function keyPair(): Buffer {
	const { privateKey, publicKey } = generateKeyPairSync('ed25519');
	const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
	return Buffer.concat([secret, publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]);
}

/** Published examples, and one of each chain made by a library of others. */
test.each(
	Object.entries({
		WIF: '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ',
		'WIF of a compressed key': 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617',
		'WIF of Litecoin': check.encode(Uint8Array.of(0xb0, ...randomBytes(32), 1)),
		'WIF of Dogecoin': check.encode(Uint8Array.of(0x9e, ...randomBytes(32))),
		'WIF less two characters': 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP986',
		'WIF with a wrong character': 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98618',
		// BIP-38
		'an encrypted key': '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg',
		// BIP-32
		'an extended key':
			'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
		'a seed of the XRP Ledger': 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
		'a seed of Stellar': 'SAV76USXIJOBMEQXPANUOQM6F5LIOTLPDIDVRJBFFE2MDJXG24TAPUU7',
		'a key pair of Solana': base58.encode(keyPair()),
		'a key of Tezos': 'spsk3Lpx3VuvhfNkUXtcArSvE1z2nMXX3YRy4DYHsnoPmeHxaUm3Fm',
		// NIP-19
		'a key of Nostr': 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5',
		'a key of Nostr in capitals': 'NSEC1VL029MGPSPEDVA04G90VLTKH6FVH240ZQTV9K0T9AF8935KE9LAQSNLFE5',
		'a key of Sui': 'suiprivkey1qzwant3kaegmjy4qxex93s0jzvemekkjmyv3r2sjwgnv2y479pgsywhveae',
		// CIP-5
		'a key of Cardano': `addr_sk1${'q5shngj24323nsrmxv99st02na6srekfctt30ch'.repeat(2)}`,
	}),
)('%s is a private key', (_, key) => expect(isPrivateKey(key)).toBe(true));

test.each([
	// The signature of a transaction of Solana has as many bytes as a key pair.
	base58.encode(randomBytes(64)),
	'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
	// Of Ergo, whose addresses have as many characters as WIF
	'9f4QF8AD1nQ3nJahQVkMj8hFSVVzVom77b52JU7EW71Zexg6N8v',
	'private-key.eth',
	'rrkah-fqaaa-aaaaa-aaaaq-cai',
	'01e3d3f1e4b5f7a6c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d501',
	// Of Ethereum, or an address of NEAR: sanctions lists hold such ones.
	'5be5543ff73456ab9f2d207887e2af87322c651ea1a873c5b25b7ffae456c320',
	'abandon ability able about above absent absorb abstract absurd abuse access accident',
])('%s is none', (text) => expect(isPrivateKey(text)).toBe(false));

test.each(Object.entries({ ...withChecksum, ...withoutChecksum }))(
	'no %s address is one',
	(_, make) => {
		const addresses = Array.from({ length: 30 }, () => anyOf(make));
		expect(addresses.filter(isPrivateKey)).toEqual([]);
	},
);
