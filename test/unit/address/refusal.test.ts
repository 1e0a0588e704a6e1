import { refusalOf } from '../../../nodes/WalletScreening/address/refusal';
import { validAddresses } from '../../support/addresses';

test.each(validAddresses)('$chain, $kind: $address is sent', ({ address }) =>
	expect(refusalOf(address)).toBeUndefined(),
);

test.each([
	['EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPrHF', 'TON in the standard Base64'],
	['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'a prefix is no other thing beside'],
	['eip155:1:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'a chain before an address is CAIP-10'],
	['eth:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'a chain before an address is EIP-3770'],
	['dac17f958d2ee523a2206206994597c13d831ec7.factory.bridge.near', 'an account of NEAR'],
	['eth-0xdac17f958d2ee523a2206206994597c13d831ec7.omft.near', 'an account of NEAR'],
	['-1:5555555555555555555555555555555555555555555555555555555555555555', 'TON: digits only'],
	['11111111111111111111111111111111', 'Solana: digits only'],
	['111111111111111111122FBCKGA', 'Bitcoin: its checksum fits, though it looks like an amount'],
	['0.0.2024', 'Hedera: three numbers, as a date has'],
	['1.2.356', 'BitShares: three numbers'],
	['86646-64', 'Pascal: a number and its checksum'],
	['5506432865724830000L', 'Lisk: a number and one letter'],
	['vitalik.eth', 'a name: the service may know it'],
	['Customer', 'a word: the service judges'],
	['0xd8dA…6045', 'a shortened address: the service judges'],
	['0xA', 'short: the service judges'],
	['0xd8da6bf26964af9d7eed9e03e53415d37aa9604', 'EVM in one case: nothing is assumed of it'],
])('%s is sent, because: %s', (text) => expect(refusalOf(text)).toBeUndefined());

const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const XRP = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

/** Texts that are refused whatever the option Check Addresses is, and those that are refused only with it. */
test.each([
	['', 'is empty', 'always'],
	['a'.repeat(257), 'is longer than 256 characters', 'always'],
	['0xA 0xB', 'contains a space, line break or invisible character', 'always'],
	['0xA\u200bB', 'contains a space, line break or invisible character', 'always'],
	['0', 'is a number or an amount, not an address', 'always'],
	['25.50', 'is a number or an amount, not an address', 'always'],
	['-1,000,000.5', 'is a number or an amount, not an address', 'always'],
	['1.0961E47', 'is a number or an amount, not an address', 'always'],
	['1.0E7', 'is a number or an amount, not an address', 'always'],
	['100USDT', 'is a number or an amount, not an address', 'always'],
	['€25', 'is a number or an amount, not an address', 'always'],
	['12345678901234567890', 'is a number or an amount, not an address', 'always'],
	['2026-11-26T12:00:00Z', 'is a date or a time, not an address', 'always'],
	['2026-11-26T12:00:00.000+01:00', 'is a date or a time, not an address', 'always'],
	['20261126T120000Z', 'is a date or a time, not an address', 'always'],
	['2026-11-26', 'is a date or a time, not an address', 'always'],
	['26.11.2026', 'is a date or a time, not an address', 'always'],
	['11/26/2026', 'is a date or a time, not an address', 'always'],
	['12:30', 'is a date or a time, not an address', 'always'],
	[`${XRP}:12345`, 'contains an address and something else', 'checked'],
	[`${XRP}?dt=12345`, 'contains an address and something else', 'checked'],
	[`${ETH},${ETH}`, 'contains an address and something else', 'checked'],
	[`"${ETH}"`, 'contains an address and something else', 'checked'],
	[`https://etherscan.io/address/${ETH}`, 'contains an address and something else', 'checked'],
	[
		'bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?amount=1',
		'contains an address and something else',
		'checked',
	],
	[
		'GDA74MK7VP345QKZMYIQQK65ZVXCJLW6HM4CSW5XPQAQTQ3PGY5MMJMN:memo1',
		'contains an address and something else',
		'checked',
	],
	[
		'44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A:1',
		'contains an address and something else',
		'checked',
	],
	[ETH.slice(2), 'is missing the 0x prefix', 'checked'],
	[ETH.replace('d8dA', 'd8da'), 'is not a valid address', 'checked'],
	[ETH.replace('A', '\u0410'), 'is not a valid address', 'checked'],
	['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'is not a valid address', 'checked'],
])('%s is refused: it %s (%s)', (text, what, when) => {
	expect(refusalOf(text)).toMatchObject({ what });
	expect(refusalOf(text, { checks: false })?.what).toBe(when === 'always' ? what : undefined);
});

test('a refusal repeats nothing of the text', () => {
	const { what, advice } = refusalOf(ETH.replace('d8dA', 'd8da'))!;
	expect(what + advice).not.toContain('d8da');
});

test('a private key is refused anywhere in a text, whatever the option is', () => {
	const wif = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';
	for (const text of [wif, `key: ${wif}`, `bitcoin:${wif}?x=1`, `${'a '.repeat(500)}${wif}`])
		for (const checks of [true, false])
			expect(refusalOf(text, { checks })).toMatchObject({ isSecret: true });
});
