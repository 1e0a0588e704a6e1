import { randomBytes } from 'node:crypto';

import { blake2b } from '@noble/hashes/blake2';
import { keccak_256 } from '@noble/hashes/sha3';

import { checkedPayload, decodeBase58 } from '../../../nodes/WalletScreening/address/base58';
import { decodeBech32, isWitness } from '../../../nodes/WalletScreening/address/bech32';
import { blake2b256 } from '../../../nodes/WalletScreening/address/blake2b';
import { isCashAddr } from '../../../nodes/WalletScreening/address/cashAddr';
import { isChecksummed } from '../../../nodes/WalletScreening/address/evm';
import { keccak256 } from '../../../nodes/WalletScreening/address/keccak';
import { anyOf, withChecksum } from '../../support/wallets';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('Keccak-256', () => {
	test.each([
		['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
		['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
	])('of %j is the published one', (text, digest) =>
		expect(hex(keccak256(Buffer.from(text)))).toBe(digest),
	);

	test('is that of another implementation, around the length of a block too', () => {
		for (const length of [1, 40, 134, 135, 136, 137, 272, 300]) {
			const message = randomBytes(length);
			expect(hex(keccak256(message))).toBe(hex(keccak_256(message)));
		}
	});
});

test('BLAKE2b with 32 bytes is that of another implementation', () => {
	for (const length of [0, 1, 22, 127, 128]) {
		const message = randomBytes(length);
		expect(hex(blake2b256(message))).toBe(hex(blake2b(message, { dkLen: 32 })));
	}
});

/** https://eips.ethereum.org/EIPS/eip-55 */
const eip55 = [
	'0x52908400098527886E0F7030069857D2E4169EE7',
	'0x8617E340B3D01FA5F11F306F4090FD50E238070D',
	'0xde709f2102306220921060314715629080e2fb77',
	'0x27b1fdb04752bbc536007a920d24acb045561c26',
	'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	'0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	'0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
	'0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

test.each(eip55)('%s is a vector of EIP-55', (address) => {
	const digits = address.slice(2);
	expect(isChecksummed(digits)).toBe(true);
	const at = digits.search(/[a-f]/i);
	const [letter] = digits.slice(at);
	const other = letter! < 'a' ? letter!.toLowerCase() : letter!.toUpperCase();
	expect(isChecksummed(digits.slice(0, at) + other + digits.slice(at + 1))).toBe(false);
});

/** BIP-173 and BIP-350: valid texts of any prefix. */
const bech32 = {
	Bech32: [
		'A12UEL5L',
		'a12uel5l',
		'an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs',
		'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw',
		`11${'q'.repeat(82)}c8247j`,
		'split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w',
		'?1ezyfcl',
	],
	Bech32m: [
		'A1LQFN3A',
		'a1lqfn3a',
		'an83characterlonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11sg7hg6',
		'abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx',
		`11${'l'.repeat(82)}ludsr8`,
		'split1checkupstagehandshakeupstreamerranterredcaperredlc445v',
		'?1v759aa',
	],
};

/** BIP-173 and BIP-350: invalid texts. A text of over 90 characters is not among them: it may be an address of Cardano. */
const notBech32 = [
	...[' 1nwldj5', '\u007f1axkwrx', '\u00801eym55h', ' 1xj0phk', '\u007f1g6xzxy', '\u00801vctc34'],
	...['pzry9x0s0muk', '1pzry9x0s0muk', 'x1b4n0q5v', 'li1dgmt3', 'de1lg7wt\u00ff', 'A1G7SGD8'],
	...['10a06t8', '1qzzfhee', 'qyrz8wqd2c9m', '1qyrz8wqd2c9m', 'y1b0jsk6g', 'lt1igcx5c0'],
	...['in1muywd', 'mm1crxm3i', 'au1s5cgom', 'M1VUXWEZ', '16plkw9', '1p2gdwpf'],
	...['tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq'],
	...['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
];

/** BIP-350: addresses of witness programs. */
const witnesses = [
	'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
	'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
	'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
	'BC1SW50QGDZ25J',
	'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
	'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
	'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
	'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
];

/** BIP-350: an intact checksum, and yet no witness program. */
const notWitnesses = [
	'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
	'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf',
	'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
	'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
	'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47',
	'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
	'bc1pw5dgrnzv',
	'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
	'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
	'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
	'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j',
	'bc1gmk9yu',
];

describe('Bech32 and Bech32m', () => {
	test.each(Object.entries(bech32))('%s is told by its checksum', (encoding, texts) => {
		for (const text of texts) expect(decodeBech32(text)?.encoding).toBe(encoding);
	});

	test.each(notBech32)('%j is neither', (text) => expect(decodeBech32(text)).toBeUndefined());

	test.each([
		[true, witnesses],
		[false, notWitnesses],
	])('whether the data is a witness program: %s', (is, texts) => {
		for (const text of texts)
			expect(`${text} ${isWitness(decodeBech32(text)!)}`).toBe(`${text} ${is}`);
	});
});

/** https://reference.cash/protocol/blockchain/encoding/cashaddr: each length of a hash. */
const cashAddresses = [
	'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
	'bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t',
	'pref:pr6m7j9njldwwzlg9v7v53unlr4jkmx6ey65nvtks5',
	'bitcoincash:q9adhakpwzztepkpwp5z0dq62m6u5v5xtyj7j3h2ws4mr9g0',
	'prefix:09adhakpwzztepkpwp5z0dq62m6u5v5xtyj7j3h2p29kc2lp',
	'bitcoincash:qgagf7w02x4wnz3mkwnchut2vxphjzccwxgjvvjmlsxqwkcw59jxxuz',
	'bitcoincash:qvch8mmxy0rtfrlarg7ucrxxfzds5pamg73h7370aa87d80gyhqxq5nlegake',
	'bchtest:pnq8zwpj8cq05n7pytfmskuk9r4gzzel8qtsvwz79zdskftrzxtar994cgutavfklvmgm6ynej',
	'bitcoincash:qh3krj5607v3qlqh5c3wq3lrw3wnuxw0sp8dv0zugrrt5a3kj6ucysfz8kxwv2k53krr7n933jfsunqex2w82sl',
	'bitcoincash:qmvl5lzvdm6km38lgga64ek5jhdl7e3aqd9895wu04fvhlnare5937w4ywkq57juxsrhvw8ym5d8qx7sz7zz0zvcypqscw8jd03f',
];

test.each(cashAddresses)('%s is a vector of CashAddr', (address) => {
	const [prefix, payload] = address.split(':') as [string, string];
	expect(isCashAddr(prefix, payload)).toBe(true);
	expect(isCashAddr(prefix, payload.toUpperCase())).toBe(true);
	expect(
		isCashAddr(
			prefix,
			payload.replace(/[a-z]/, (letter) => letter.toUpperCase()),
		),
	).toBe(false);
	expect(isCashAddr(`${prefix}x`, payload)).toBe(false);
});

test('a q more before a p at the end is found by the length: the checksum cannot see it', () => {
	const address = () => anyOf(withChecksum['Bitcoin Cash']!).split(':')[1]!;
	let payload = address();
	while (!payload.endsWith('p')) payload = address();
	expect(isCashAddr('bitcoincash', payload)).toBe(true);
	expect(isCashAddr('bitcoincash', payload.replace(/p$/, 'qp'))).toBe(false);
});

/** https://github.com/bitcoin/bitcoin/blob/master/src/test/data/base58_encode_decode.json */
test.each([
	['61', '2g'],
	['626262', 'a3gV'],
	['73696d706c792061206c6f6e6720737472696e67', '2cFupjhnEsSn59qHXstmK2ffpLv2'],
	['00eb15231dfceb60925886b67d065299925915aeb172c06647', '1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L'],
	['00000000000000000000', '1111111111'],
])('%s is %s in Base58', (bytes, text) => expect(hex(decodeBase58(text)!)).toBe(bytes));

test.each(['', '0', 'O', 'I', 'l', '1 ', '1'.repeat(129)])('%j is no Base58', (text) =>
	expect(decodeBase58(text)).toBeUndefined(),
);

test('Base58Check gives the version and the hash', () => {
	const payload = (text: string, alphabet: 'bitcoin' | 'ripple') =>
		checkedPayload(decodeBase58(text, alphabet)!)?.toString('hex');
	// The address of the first block, and ACCOUNT_ZERO and ACCOUNT_ONE of the XRP Ledger.
	expect(payload('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'bitcoin')).toBe(
		'0062e907b15cbf27d5425399ebf6f0fb50ebb88f18',
	);
	expect(payload('rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'ripple')).toBe('00'.repeat(21));
	expect(payload('rrrrrrrrrrrrrrrrrrrrBZbvji', 'ripple')).toBe(`${'00'.repeat(20)}01`);
	expect(payload('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'bitcoin')).toBeUndefined();
	expect(payload('2g', 'bitcoin')).toBeUndefined();
});
