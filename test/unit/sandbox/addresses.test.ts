import { isAddress } from '../../../sandbox/addresses';
import { chainOf } from '../../../sandbox/chains';
import { sanctionedAddresses } from '../../../sandbox/sanctions';
import { scenarios } from '../../../sandbox/scenarios';
import { anyOf, withChecksum } from '../../support/wallets';

test('takes every sanctioned address and every test address', () => {
	const listed = [...sanctionedAddresses, ...scenarios].map(({ address }) => address);
	expect(listed.filter((address) => !isAddress(address))).toEqual([]);
});

test('refuses an address with a character too many, and what is no address', () => {
	const { 'Bitcoin Cash without prefix': _, ...known } = withChecksum;
	// By a digit that Base58 does not have: any 32 bytes in that are an address of Solana.
	const mistyped = Object.values(known).map((make) => `${anyOf(make)}0`);
	const others = ['', 'hello', '0x', '0xabc', 'name', '1', 'x'.repeat(1_000)];
	expect([...mistyped, ...others].filter(isAddress)).toEqual([]);
});

test.each([
	['ETH', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
	['TRX', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
	// The list of sanctions says BCH, and the format would be that of BTC.
	['BCH', '18M8bJWMzWHDBMxoLqjHHAffdRy4SrzkfB'],
	// It is listed under ARB, BSC and ETH.
	['ETH', '0x4f47bc496083c727c5fbe3ce9cdf2b0f6496270c'],
])('without a chain, the report is on %s for %s', (chain, address) => {
	expect(chainOf(address)).toBe(chain);
});
