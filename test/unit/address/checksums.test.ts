import { randomBytes } from 'node:crypto';

import { blake2b } from '@noble/hashes/blake2';
import { keccak_256 } from '@noble/hashes/sha3';

import { decodeBase58 } from '../../../nodes/WalletScreening/address/base58';
import { decodeBech32, isWitness } from '../../../nodes/WalletScreening/address/bech32';
import { blake2b256 } from '../../../nodes/WalletScreening/address/blake2b';
import { isCashAddr } from '../../../nodes/WalletScreening/address/cashAddr';
import { isChecksummed } from '../../../nodes/WalletScreening/address/evm';
import { keccak256 } from '../../../nodes/WalletScreening/address/keccak';
import { anyOf, withChecksum } from '../../support/wallets';
import published from './published.json';

/**
 * Vectors of EIP-55, of BIP-173 and BIP-350 (without invalid texts of over 90 characters, which may be addresses of Cardano;
 * not every intact text is a witness program), and of CashAddr, for each length of a hash.
 */
const { eip55, bech32, notBech32, witnesses, notWitnesses, cashAddr } = published;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('Keccak-256 and BLAKE2b are those of another implementation, around the length of a block too', () => {
	for (const length of [0, 1, 22, 40, 127, 128, 134, 135, 136, 137, 272, 300]) {
		const message = randomBytes(length);
		expect(hex(keccak256(message))).toBe(hex(keccak_256(message)));
		if (length <= 128) expect(hex(blake2b256(message))).toBe(hex(blake2b(message, { dkLen: 32 })));
	}
});

test.each(eip55)('%s is a vector of EIP-55', (address) => {
	const digits = address.slice(2);
	expect(isChecksummed(digits)).toBe(true);
	const at = digits.search(/[a-f]/i);
	const [letter] = digits.slice(at);
	const other = letter! < 'a' ? letter!.toLowerCase() : letter!.toUpperCase();
	expect(isChecksummed(digits.slice(0, at) + other + digits.slice(at + 1))).toBe(false);
});

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

test.each(cashAddr)('%s is a vector of CashAddr', (address) => {
	const [prefix, payload] = address.split(':') as [string, string];
	expect(isCashAddr(prefix, payload)).toBe(true);
	expect(isCashAddr(prefix, payload.toUpperCase())).toBe(true);
	const mixed = payload.replace(/[a-z]/, (letter) => letter.toUpperCase());
	expect(isCashAddr(prefix, mixed)).toBe(false);
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
