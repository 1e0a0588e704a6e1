import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { bech32 } from '@scure/base';
import { parse } from 'csv-parse/sync';

import { checkAddress } from '../../../nodes/WalletScreening/address/check';
import { numbersFrom, seed } from '../../support/random';
import { anyOf, checksummed, mistyped, withChecksum, withoutChecksum } from '../../support/wallets';

const verdict = (address: string) => checkAddress(address).checksum;

/** Addresses that the chains' own documentation or block explorers show. */
test.each([
	['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'valid', 'EVM', 'ETH'],
	['0xd8da6bf26964af9d7eed9e03e53415d37aa96045', 'none', 'EVM', 'BSC'],
	['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96o45', 'invalid', 'EVM', 'ETH'],
	['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'valid', 'Base58Check', 'BTC'],
	['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'valid', 'Base58Check', 'BTC'],
	['LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1', 'valid', 'Base58Check', 'LTC'],
	['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', 'valid', 'Base58Check', 'DOGE'],
	['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'valid', 'Base58Check', 'TRX'],
	['t1U9yhDa5XEjgfnTgZoKddeSiEN1aoLkQxq', 'valid', 'Base58Check', 'ZEC'],
	['KT1BDEn6wobs7tDReKkGheXAhoq278TGaNn5', 'valid', 'Base58Check', 'XTZ'],
	['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'valid', 'XRP Ledger', 'XRP'],
	['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'valid', 'Bech32', 'BTC'],
	['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', 'valid', 'Bech32m', 'BTC'],
	['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'invalid', 'Bech32m', 'BTC'],
	['cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27', 'valid', 'Bech32', 'ATOM'],
	['X-avax1a5h6v9weng8guuah6aamagea0xhsd04mvs2zun', 'valid', 'Bech32', 'AVAX'],
	['bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2', 'valid', 'CashAddr', 'BCH'],
	['QR6M7J9NJLDWWZLG9V7V53UNLR4JKMX6EYLEP8EKG2', 'valid', 'CashAddr', 'BCH'],
	['ecash:pqnqv9lt7e5vjyp0w88zf2af0l92l8rxdg2jj94l5j', 'valid', 'CashAddr', 'XEC'],
	['3P93mVrYnQ4ahaRMYwA2BeWY32eDxTpLVEs', 'valid', 'Waves', 'WAVES'],
	['DsYuxtvGRfN8rncXAndtLUpJm55F77K17RA', 'none', 'Decred', 'DCR'],
	['11111111111111111111111111111111', 'none', 'Solana', 'SOL'],
	['vitalik.eth', 'none', 'Name', undefined],
	['hello', 'none', null, undefined],
])('%s: %s, %s, %s', (address, checksum, format, chain) => {
	const check = checkAddress(address);
	expect(check).toMatchObject({ checksum, format });
	expect(check.chains).toEqual(chain ? expect.arrayContaining([chain]) : []);
	expect(check.findings).toHaveLength(checksum === 'valid' ? 0 : 1);
});

const sanctioned = new Set(
	parse<{ address: string }>(
		readFileSync(join(__dirname, '../../../sandbox/ofac-sanctioned-addresses.csv')),
		{ columns: true },
	).map(({ address }) => address),
);

test('no address on the list of the US Treasury is taken for mistyped', () => {
	const refused = [...sanctioned].filter((address) => verdict(address) === 'invalid');
	expect(refused).toEqual([]);
	expect(sanctioned.size).toBe(641);
});

const many = (make: Parameters<typeof anyOf>[0]) => Array.from({ length: 20 }, () => anyOf(make));

test.each(Object.entries(withChecksum))('%s: 20 addresses have the checksum', (_, make) => {
	const refused = many(make)
		// By chance, a checksum of EIP-55 may need no capital.
		.filter((address) => !/^0x[0-9a-f]+$/.test(address))
		.filter((address) => verdict(address) !== 'valid');
	expect(refused).toEqual([]);
});

test.each(Object.entries(withoutChecksum))('%s: none of 20 is refused', (_, make) => {
	expect(many(make).filter((address) => verdict(address) !== 'none')).toEqual([]);
});

describe(`an address that is mistyped, TEST_SEED=${seed}`, () => {
	// Without those of Monero, whose checksum the nodes do not verify.
	const real = [...sanctioned]
		.filter((one) => one.length !== 95)
		.map((one) => (one.startsWith('0x') ? checksummed(one) : one));
	const some = numbersFrom(seed);
	const sources: Record<string, () => string> = {
		'the list': () => real[Math.floor(some() * real.length)]!,
		...Object.fromEntries(
			Object.entries(withChecksum).map(([name, make]) => [name, () => anyOf(make)]),
		),
	};

	// What no checksum is left for: about one in 4,000 with EIP-55, and addresses that look like Decred's.
	test.each(Object.entries(sources))('of %s is refused, but for few', (_, next) => {
		const missed = Array.from({ length: 100 }, () => mistyped(next(), some)).filter(
			(address) => verdict(address) !== 'invalid',
		);
		expect(missed.length).toBeLessThanOrEqual(3);
	});
});

test.each([
	['less its beginning', (address: string) => address.slice(1)],
	['less its end', (address: string) => address.slice(0, -1)],
	['less a third', (address: string) => address.slice(0, -12)],
	['in small letters', (address: string) => address.toLowerCase()],
	['in capitals', (address: string) => address.toUpperCase()],
	['with a full stop', (address: string) => `${address}.`],
	['in parentheses', (address: string) => `(${address})`],
	['with its chain', (address: string) => `eip155:1:${address}`],
	['as a payment link', (address: string) => `bitcoin:${address}?amount=1`],
	['beside another', (address: string) => `${address}+${address}`],
])('an address %s is refused', (_, change) => {
	for (const name of ['Bitcoin 1', 'Bitcoin 3', 'Tron', 'XRP Ledger', 'Zcash']) {
		const address = change(anyOf(withChecksum[name]!));
		expect(`${address} ${verdict(address)}`).toBe(`${address} invalid`);
	}
});

test('the lists of a check are its own', () => {
	const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
	checkAddress(address).chains.push('X');
	checkAddress('hello').findings.push('X');
	expect(checkAddress(address).chains).not.toContain('X');
	expect(checkAddress('hello').findings).toHaveLength(1);
});

test('a prefix that JavaScript knows too is only a prefix', () => {
	for (const prefix of ['constructor', 'tostring', '__proto__']) {
		const address = bech32.encode(prefix, bech32.toWords(new Uint8Array(20)));
		expect(checkAddress(address)).toMatchObject({ checksum: 'valid', chains: [] });
	}
});

test.each([
	'0x',
	'0xA',
	`0x${'a'.repeat(39)}`,
	`0x${'a'.repeat(41)}`,
	'a'.repeat(41),
	`x${'a'.repeat(40)}`,
])('%s is no EVM address', (address) =>
	expect(checkAddress(address)).toMatchObject({ checksum: 'invalid', format: 'EVM' }),
);

test.each(['bc1', 'BC1QW508D6QEJXTDG', 'addr1qxabc', 'bitcoincash:qr6m7j9', 'bitcoincash:'])(
	'%s is the beginning of an address',
	(address) => expect(verdict(address)).toBe('invalid'),
);

test.each([
	'Alice',
	'0.0.12345',
	'bittrexacct1',
	'rrkah-fqaaa-aaaaa-aaaaq-cai',
	'5506432865724830000L',
])('%s may be an address of a format without a checksum', (address) =>
	expect(verdict(address)).toBe('none'),
);
