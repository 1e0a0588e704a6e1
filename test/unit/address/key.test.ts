import fc from 'fast-check';

import { addressKey } from '../../../nodes/WalletScreening/address/key';

const same = (a: string, b: string) => addressKey(a) === addressKey(b);

const caseless = [
	'0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
	// Near
	'98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de',
];

test.each(caseless)('%s is the same address in capital and small letters', (address) => {
	expect(same(address.toLowerCase(), address.toUpperCase())).toBe(true);
});

test.each([
	// As the explorer of Tron shows the contract of USDT
	['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '41A614F803B6FD780986A42C78EC9C7F77E6DED13C'],
	[caseless[0]!, caseless[0]!.slice(2)],
	['vitalik.eth', 'Vitalik.ETH'],
	// Of Starknet, with and without the zero at the start
	[`0x0${'4a'.repeat(31)}5`, `0x${'4a'.repeat(31)}5`],
])('%s is the same address as %s', (a, b) => expect(same(a, b)).toBe(true));

const base58 = [
	'1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
	'9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
];

test.each(base58)('%s is another address in other letters', (address) => {
	for (const other of [address.toLowerCase(), address.toUpperCase()])
		expect(same(address, other)).toBe(false);
});

test.each([
	['0xabc', 'abc'],
	['0xabg', '0XABG'],
])('%s and %s are two', (a, b) => expect(same(a, b)).toBe(false));

// As the documentation of TON shows them
const TON = '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e';

test.each([
	[TON.toUpperCase(), true],
	['EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF', true],
	['UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPuwA', true],
	[TON.replace('0:', '-1:'), false],
	['UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwB', false],
	// Of a test network
	['kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP', false],
])('%s is the account of TON in another spelling: %s', (address, is) =>
	expect(same(address, TON)).toBe(is),
);

const CASH = 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';

test.each([
	[`BITCOINCASH:${CASH.toUpperCase()}`, true],
	[CASH.toUpperCase(), true],
	[`bchtest:${CASH}`, false],
	[`bitcoincash:${CASH.replace('m2', 'M2')}`, false],
	['bitcoincash:', false],
])('%s is a Bitcoin Cash address in another spelling: %s', (address, is) =>
	expect(same(address, CASH)).toBe(is),
);

test('an address with another character, one more or one less is another one', () => {
	const anyAddress = fc.constantFrom(...caseless, ...base58, CASH);
	const anyCharacter = fc.oneof(fc.constantFrom(' ', '0', 'x', ':'), fc.string({ maxLength: 1 }));
	const change = fc.tuple(anyAddress, fc.nat(), anyCharacter, fc.nat(1));
	fc.assert(
		fc.property(change, ([address, at, character, removed]) => {
			const place = at % (address.length + 1);
			const other = address.slice(0, place) + character + address.slice(place + removed);
			if (other.toLowerCase() !== address.toLowerCase()) expect(same(address, other)).toBe(false);
		}),
		{ numRuns: 1000 },
	);
});
