import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';

import { checkAddress } from '../../../nodes/WalletScreening/address/checkAddress';
import { numbersFrom, seed } from '../../support/data/random';
import {
	makeAddress,
	checksummed,
	replaceCharacter,
	formatsWithChecksum,
	formatsWithoutChecksum,
	removeOrInsertCharacter,
} from '../../support/data/generatedAddresses';
import published from './published.json';

const verdict = (address: string) => checkAddress(address).checksum;

/** The example of the doc comment: an address for each pass. */
test.each<[pass: string, address: string, checksum: string, format: string | null]>([
	['checkEvm', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'valid', 'EVM'],
	['checkEvm', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', 'none', 'EVM'],
	['checkEvm', '0xd8da6BF26964aF9D7eEd9e03E53415D37aA96045', 'invalid', 'EVM'],
	['checkByChecksum', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'valid', 'Base58Check'],
	['checkByOtherHash', '31inaRqambLsd9D7Ke4USZmGEVd3PHkh7P', 'valid', 'Groestlcoin'],
	['checkWithoutChecksum', 'So11111111111111111111111111111111111111112', 'none', 'Solana'],
	['checkByResemblance', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'invalid', 'Base58Check'],
	['checkByPrefix', 'lA1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'invalid', 'Base58Check'],
	['no pass', 'Customer', 'none', null],
])('%s: %s is %s, of the format %s', (_pass, address, checksum, format) =>
	expect(checkAddress(address)).toMatchObject({ checksum, format }),
);

/**
 * Addresses that the chains' own documentation or block explorers show, parts of them, and texts
 * that may be others.
 */
test.each(published.addresses)('%s: %s, %s, %s', (address, checksum, format, chain) => {
	const check = checkAddress(address!);
	expect(check).toMatchObject({ checksum, format });
	expect(check.chains).toEqual(chain ? expect.arrayContaining([chain]) : []);
	expect(check.findings).toHaveLength(checksum === 'valid' ? 0 : 1);
});

const list = readFileSync(join(__dirname, '../../../sandbox/ofac-sanctioned-addresses.csv'));
const rows = parse<{ address: string }>(list, { columns: true });
const sanctioned = new Set(rows.map(({ address }) => address));

test('no address on the list of the US Treasury is taken for mistyped', () => {
	const refused = [...sanctioned].filter((address) => verdict(address) === 'invalid');
	expect(refused).toEqual([]);
	expect(sanctioned.size).toBe(641);
});

test.each([
	...Object.entries(formatsWithChecksum).map(([name, make]) => [name, 'valid', make] as const),
	...Object.entries(formatsWithoutChecksum).map(([name, make]) => [name, 'none', make] as const),
])(`%s: the checksum of 20 addresses is %s (TEST_SEED=${seed})`, (_, expected, make) => {
	const next = numbersFrom(seed);
	const others = Array.from({ length: 20 }, () => makeAddress(make, next))
		// By chance, all letters of an EIP-55 checksum may have the same case; such a text counts as
		// without checksum.
		.filter((address) => !/^0x([0-9a-f]+|[0-9A-F]+)$/.test(address) || expected === 'none')
		.filter((address) => verdict(address) !== expected);
	expect(others).toEqual([]);
});

/** Its prefix is not known, so nothing tells that it is meant to be Bech32. */
const { 'An unknown prefix': _, ...known } = formatsWithChecksum;

// A few wrong addresses have no letter left for a checksum: about one in 4,000 with EIP-55.
test.each(Object.entries(known))(
	`an address of %s in which a character is replaced is refused (TEST_SEED=${seed})`,
	(_, make) => {
		const next = numbersFrom(seed);
		const wrong = Array.from({ length: 100 }, () =>
			replaceCharacter(makeAddress(make, next), next),
		);
		expect(wrong.filter((one) => verdict(one) !== 'invalid').length).toBeLessThanOrEqual(1);
	},
);

test.each([
	'Bitcoin bc1q',
	'Bitcoin bc1p',
	'Litecoin ltc1',
	'Cardano',
	'Cosmos',
	'Bitcoin Cash',
	'Ethereum',
])(`an address of %s with a character more or less is refused (TEST_SEED=${seed})`, (name) => {
	const make = formatsWithChecksum[name]!;
	const next = numbersFrom(seed);
	const wrong = Array.from({ length: 100 }, () =>
		removeOrInsertCharacter(makeAddress(make, next), next),
	)
		// By chance, all letters that are left have one case: then nothing tells that it is an address.
		.filter((address) => !/^0x([0-9a-f]+|[0-9A-F]+)$/.test(address))
		// Bech32 does not notice a q more or less before a final p (BIP 350), and Cosmos has accounts
		// of several lengths.
		.filter((address) => name !== 'Cosmos' || !address.endsWith('p'));
	expect(wrong.filter((one) => verdict(one) !== 'invalid')).toEqual([]);
});

test(`of 10,000 addresses of the list in which a character is replaced, at most one in 1,000 passes (TEST_SEED=${seed})`, () => {
	// The list is tried without those of Monero, whose checksum the nodes do not compute, and a
	// hexadecimal one, which has none.
	const all = [...sanctioned].filter(({ length }) => length !== 95 && length !== 64);
	const intact = all.map((one) => (one.startsWith('0x') ? checksummed(one) : one));
	const next = numbersFrom(seed);
	const wrong = Array.from({ length: 10_000 }, () =>
		replaceCharacter(intact[Math.floor(next() * intact.length)]!, next),
	);
	expect(wrong.filter((one) => verdict(one) !== 'invalid').length).toBeLessThanOrEqual(10);
});

test.each([
	['b', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bd1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
	[
		'no 0',
		'0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
		'xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	],
	[
		'an O',
		'0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
		'Oxd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	],
	['l', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'lA1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
	[
		'two s',
		'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
		'bitcoincassh:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
	],
])('a prefix with %s is told from that of another chain by the checksum', (_, right, wrong) => {
	expect(verdict(right)).toBe('valid');
	expect(checkAddress(wrong)).toMatchObject({
		checksum: 'invalid',
		findings: [expect.stringMatching(/^Its beginning is mistyped: with \S+ its checksum fits\.$/)],
	});
});

test('a check has a list of chains of its own: a later node may change it', () => {
	const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
	checkAddress(address).chains.push('X');
	expect(checkAddress(address).chains).not.toContain('X');
});
