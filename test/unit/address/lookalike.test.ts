import { createLookalikeFinder } from '../../../nodes/WalletScreening/address/lookalike';
import { ethereum } from '../../support/data/knownAddresses';

const BTC = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const CASH = 'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2';
const TEZOS = 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb';
const find = createLookalikeFinder([ethereum, ethereum.toLowerCase(), BTC, SEGWIT, CASH, TEZOS]);

test.each([
	[`0xD8d${'0'.repeat(33)}6045`, ethereum, 'case does not count in hexadecimal digits'],
	['1A1xxxxxxxxxxxxxxxxxxxxxxxxxxxxfNa', null, 'the fourth character from the end differs'],
	['1A1xxxxxxxxxxxxxxxxxxxxxxxxxxxvfNa', BTC, 'the first three and the last four are the same'],
	['bc1qw5xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxf3t4', SEGWIT, 'the prefix does not count'],
	[
		'bc1qx5xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxf3t4',
		null,
		'the second character after the prefix differs',
	],
	['qr6xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxekg2', CASH, 'the prefix may be left out'],
	[`eth:0xd8d${'0'.repeat(33)}6045`, ethereum, 'the name of a chain does not count (EIP-3770)'],
	[`eip155:1:0xd8d${'0'.repeat(33)}6045`, ethereum, 'the name of a chain does not count (CAIP-10)'],
	[`bitcoin:1A1${'x'.repeat(28)}vfNa`, BTC, 'the scheme of a link does not count (BIP-21)'],
	[`bitcoincash:qr6${'x'.repeat(35)}ekg2`, CASH, 'a prefix of the format is no chain'],
	[`ronin:D8d${'0'.repeat(33)}6045`, ethereum, 'case does not count behind a prefix of EVM either'],
	[`0xd8d${'0'.repeat(33)}6046`, null, 'the last character differs'],
	['tz1aaaxxxxxxxxxxxxxxxxxxxxxxxxxCjcjb', null, 'all accounts of Tezos begin with tz1'],
	['tz1VSUxxxxxxxxxxxxxxxxxxxxxxxxxCjcjb', TEZOS, 'it shares what follows tz1'],
	['tz1vsuxxxxxxxxxxxxxxxxxxxxxxxxxCjcjb', null, 'case counts in Base58'],
	['vitalik.eth', null, 'it shares nothing with any'],
])('%s looks like %s, because %s', (address, known, _because) => {
	expect(find(address)).toBe(known);
});

test.each([
	[ethereum, 'it is written alike'],
	[ethereum.toLowerCase(), 'the case is only a checksum'],
	[BTC, 'it is written alike'],
	[SEGWIT, 'it is written alike'],
	[SEGWIT.toUpperCase(), 'Bech32 has no case'],
	[CASH, 'it is written alike'],
	[CASH.slice(12), 'the prefix may be left out'],
	[`eth:${ethereum}`, 'an address with the name of a chain is that address'],
])('%s is the known address itself, because %s', (address) => expect(find(address)).toBeNull());

test('a known address that looks like another known one is found, too', () => {
	const other = `0xd8d${'0'.repeat(33)}6045`;
	expect(createLookalikeFinder([ethereum, other])(ethereum)).toBe(other);
});

test('a known address may have the name of a chain', () => {
	const other = `0xd8d${'0'.repeat(33)}6045`;
	expect(createLookalikeFinder([`eth:${ethereum}`])(other)).toBe(`eth:${ethereum}`);
});

test('short texts, which share their ends by chance, and no known addresses find nothing', () => {
	expect(createLookalikeFinder(['alicebob'])('aliebob')).toBeNull();
	expect(createLookalikeFinder(['alicbob'])('alicbob')).toBeNull();
	expect(createLookalikeFinder([])(ethereum)).toBeNull();
});
