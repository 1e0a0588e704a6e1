import { bech32, bech32m } from '@scure/base';

import { checkAddress } from '../../../nodes/WalletScreening/address/checkAddress';
import { decodeBase58 } from '../../../nodes/WalletScreening/address/encodings/base58';
import { decodeBech32 } from '../../../nodes/WalletScreening/address/encodings/bech32';
import { decodeCashAddr } from '../../../nodes/WalletScreening/address/encodings/cashAddr';
import { groestl512 } from '../../../nodes/WalletScreening/address/encodings/groestl';
import { isChecksummed } from '../../../nodes/WalletScreening/address/encodings/hexadecimal';
import { numbersFrom, seed } from '../../support/data/random';
import { makeAddress, formatsWithChecksum } from '../../support/data/generatedAddresses';
import published from './published.json';

/**
 * Vectors of EIP-55, of BIP-173 and BIP-350 (without invalid texts of over 90 characters, which may
 * be addresses of Cardano; not every intact text is a witness program), and of CashAddr, for each
 * length of a hash.
 */
const { eip55, bech32: intact, notBech32, witnesses, notWitnesses, cashAddr } = published;

/**
 * Checksums by other rules: EIP-1191 for chains 30 and 31, Zilliqa's own libraries, and a wallet
 * for Wanchain.
 */
const ofVariants = [
	'0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD',
	'0x5aAeb6053F3e94c9b9A09F33669435E7EF1BEaEd',
	'0x9596797E8E36E30662AA2097EB826833164f9Cf9',
	'0x4BAF5faDA8e5Db92C3d3242618c5B47133AE003C',
	'0x448261915a80cdE9BDE7C7a791685200D3A0bf4E',
	'0x5AaEB6053f3e94c9B9a09F33669435e7eF1bEaED',
	'0xb08f432A3346E90e2AB61830Ec227043131f70Ff',
	'0xDed02fD979fC2e55c0243bd2F52df022c40ADa1E',
];

const withOneLetterInTheOtherCase = (digits: string) => {
	const at = digits.search(/[a-f]/i);
	const letter = digits[at]!;
	const other = letter < 'a' ? letter.toLowerCase() : letter.toUpperCase();
	return digits.slice(0, at) + other + digits.slice(at + 1);
};

test.each([...eip55, ...ofVariants])('the case of %s is a checksum', (address) => {
	const digits = address.slice(2);
	expect(isChecksummed(digits)).toBe(true);
	expect(isChecksummed(withOneLetterInTheOtherCase(digits))).toBe(false);
});

describe('Bech32 and Bech32m', () => {
	test.each(Object.entries(intact))('%s is told by its checksum', (encoding, texts) => {
		for (const text of texts) expect(decodeBech32(text)?.encoding).toBe(encoding);
	});

	test.each(notBech32)('%j is neither', (text) => expect(decodeBech32(text)).toBeUndefined());

	test.each(witnesses)('%s is a witness program', (text) =>
		expect(checkAddress(text).checksum).toBe('valid'),
	);

	test.each(notWitnesses)('%s is no witness program', (text) =>
		expect(checkAddress(text).checksum).not.toBe('valid'),
	);

	test('a witness program needs the checksum of its version', () => {
		const words = bech32.toWords(new Uint8Array(20));
		expect(checkAddress(bech32.encode('bc', [1, ...words])).checksum).toBe('invalid');
		expect(checkAddress(bech32m.encode('bc', [0, ...words])).checksum).toBe('invalid');
	});
});

test.each(cashAddr)('%s is a vector of CashAddr', (address) => {
	const [prefix] = address.split(':');
	expect(decodeCashAddr(address)?.prefix).toBe(prefix);
	expect(decodeCashAddr(`x${address}`)).toBeUndefined();
});

test(`a q more before a p at the end is found by the length: the checksum cannot see it (TEST_SEED=${seed})`, () => {
	const next = numbersFrom(seed);
	let address = '';
	while (!address.endsWith('p')) address = makeAddress(formatsWithChecksum['Bitcoin Cash']!, next);
	expect(decodeCashAddr(address)).toBeDefined();
	expect(decodeCashAddr(address.replace(/p$/, 'qp'))).toBeUndefined();
});

test('the digest of nothing is that of the authors of Grøstl', () =>
	expect(groestl512(new Uint8Array()).toString('hex')).toBe(
		'6d3ad29d279110eef3adbd66de2a0345a77baede1557f5d099fce0c03d6dc2ba8e6d4a6633dfbd66053c20faa87d1a11f39a7fbe4a6c2f009801370308fc4ad8',
	));

/** Chains with the letters and the length of Bitcoin, and another checksum. */
test.each([
	['Groestlcoin', 'Fj62rBJi8LvbmWu2jzkaUX1NFXLEqDLoZM'],
	['Groestlcoin', '31inaRqambLsd9D7Ke4USZmGEVd3PHkh7P'],
	['Skycoin', 'R6aHqKWSQfvpdo2fGSrq4F1RYXkBWR9HHJ'],
	['Skycoin', '2GgFvqoyk9RjwVzj8tqfcXVXB4orBwoc9qv'],
])('%s: %s is valid', (format, address) =>
	expect(checkAddress(address)).toMatchObject({ checksum: 'valid', format }),
);

test.each([
	['', 'it is empty'],
	['0', 'the alphabet lacks it'],
	['O', 'the alphabet lacks it'],
	['I', 'the alphabet lacks it'],
	['l', 'the alphabet lacks it'],
	['1 ', 'a blank is in it'],
	['1'.repeat(129), 'it is too long for an address'],
])('%j is no Base58, because %s', (text) => expect(decodeBase58(text)).toBeUndefined());
