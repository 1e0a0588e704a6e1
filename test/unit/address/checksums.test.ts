import { bech32, bech32m } from '@scure/base';

import { checkAddress } from '../../../nodes/WalletScreening/address/check';
import {
	decodeBase58,
	decodeBech32,
	isCashAddr,
	isChecksummed,
} from '../../../nodes/WalletScreening/address/codecs';
import { anyOf, withChecksum } from '../../support/wallets';
import published from './published.json';

/**
 * Vectors of EIP-55, of BIP-173 and BIP-350 (without invalid texts of over 90 characters, which may be addresses of Cardano;
 * not every intact text is a witness program), and of CashAddr, for each length of a hash.
 */
const { eip55, bech32: intact, notBech32, witnesses, notWitnesses, cashAddr } = published;

test.each(eip55)('%s is a vector of EIP-55', (address) => {
	const digits = address.slice(2);
	expect(isChecksummed(digits)).toBe(true);
	const at = digits.search(/[a-f]/i);
	const [letter] = digits.slice(at);
	const other = letter! < 'a' ? letter!.toLowerCase() : letter!.toUpperCase();
	expect(isChecksummed(digits.slice(0, at) + other + digits.slice(at + 1))).toBe(false);
});

describe('Bech32 and Bech32m', () => {
	test.each(Object.entries(intact))('%s is told by its checksum', (encoding, texts) => {
		for (const text of texts) expect(decodeBech32(text)?.encoding).toBe(encoding);
	});

	test.each(notBech32)('%j is neither', (text) => expect(decodeBech32(text)).toBeUndefined());

	test.each([
		['valid', witnesses],
		['invalid', notWitnesses],
	])('as a witness program an address is %s', (checksum, texts) => {
		for (const text of texts)
			expect(`${text} ${checkAddress(text).checksum}`).toBe(`${text} ${checksum}`);
	});

	test('a witness program needs the checksum of its version', () => {
		const words = bech32.toWords(new Uint8Array(20));
		expect(checkAddress(bech32.encode('bc', [1, ...words])).checksum).toBe('invalid');
		expect(checkAddress(bech32m.encode('bc', [0, ...words])).checksum).toBe('invalid');
	});
});

test.each(cashAddr)('%s is a vector of CashAddr', (address) => {
	const [prefix, payload] = address.split(':') as [string, string];
	expect(isCashAddr(prefix, payload)).toBe(true);
	expect(isCashAddr(`${prefix}x`, payload)).toBe(false);
});

test('a q more before a p at the end is found by the length: the checksum cannot see it', () => {
	const address = () => anyOf(withChecksum['Bitcoin Cash']!).split(':')[1]!;
	let payload = address();
	while (!payload.endsWith('p')) payload = address();
	expect(isCashAddr('bitcoincash', payload)).toBe(true);
	expect(isCashAddr('bitcoincash', payload.replace(/p$/, 'qp'))).toBe(false);
});

test.each(['', '0', 'O', 'I', 'l', '1 ', '1'.repeat(129)])('%j is no Base58', (text) =>
	expect(decodeBase58(text)).toBeUndefined(),
);
