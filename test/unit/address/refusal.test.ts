import { findRefusal } from '../../../nodes/WalletScreening/address/refusal';
import { ethereum, privateKey } from '../../support/data/knownAddresses';
import { validAddresses } from '../../support/data/addresses';

test.each(validAddresses)('$chain, $kind: $address is sent', ({ address }) =>
	expect(findRefusal(address)).toBeUndefined(),
);

test.each([
	['EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPrHF', 'TON in the standard Base64'],
	['EQAeAfZjbZ3xUoCo6MwFVWQVyq2xXrpZE2yJ3VwDoYi/NiIR', 'TON: what is beside the / is no other'],
	['one1collective.treasury.sputnik-dao.near', 'a name of NEAR that begins as one of Harmony'],
	['terra1-recovery-committee-multisig.eth', 'a name that begins as an address of Terra'],
	['terra1recverytreasuryfund.near', 'a name with a dot, though all else fits Bech32 of Terra'],
	['rewardsdistributions.near', 'a name with a dot, though all else fits the XRP Ledger'],
	['rainbowcatsguardiansponge2.eth', 'a name with a dot, though it has a digit as addresses have'],
	['1confirmationfundwatchers.eth', 'a name with a dot, though all else fits Bitcoin'],
	['rewardsdistributionspayment', 'a word: in an address so long there is a capital or a digit'],
	['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'a prefix is no other thing beside'],
	['eip155:1:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'a chain before an address is CAIP-10'],
	['eth:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'a chain before an address is EIP-3770'],
	['kaspa:qpauqsvk7yf9unexwmxsnmg547mhyga37csh0kj53q6xxgl24ydxjsgzthw5j', 'a prefix is no chain'],
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
])('%s is sent, because: %s', (text) => expect(findRefusal(text)).toBeUndefined());

const XRP = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

const monero =
	'44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';

describe('a text is refused, whatever the option Check Addresses is, if it', () => {
	test.each<[problem: string, text: string, because: string]>([
		['is empty', '', 'nothing could be screened'],
		['is longer than 256 characters', 'a'.repeat(257), 'it is one character too long'],
		['contains a space, line break or invisible character', '0xA 0xB', 'a space splits it'],
		['contains a space, line break or invisible character', '0xA\u200bB', 'U+200B is invisible'],
	])('%s: %s, because %s', (problem, text) => {
		expect(findRefusal(text)).toMatchObject({ problem });
		expect(findRefusal(text, { checkAddresses: false })).toMatchObject({ problem });
	});

	test.each<[text: string, because: string]>([
		['0', 'it is the number of an empty cell'],
		['25.50', 'it is an amount with decimals'],
		['-1,000,000.5', 'a number may have a sign and commas'],
		['1.0961E47', 'a spreadsheet makes this of a long address of digits'],
		['1.0E7', 'an exponent may have one digit'],
		['100USDT', 'an amount may have its unit behind it'],
		['€25', 'an amount may have its unit before it'],
		['12345678901234567890', 'it has digits only, and no checksum that fits'],
	])('is a number or an amount: %s, because %s', (text) => {
		const problem = 'is a number or an amount, not an address';
		expect(findRefusal(text)).toMatchObject({ problem });
		expect(findRefusal(text, { checkAddresses: false })).toMatchObject({ problem });
	});

	test.each<[text: string, because: string]>([
		['2026-11-26T12:00:00Z', 'ISO 8601 in UTC'],
		['2026-11-26T12:00:00.000+01:00', 'ISO 8601 with milliseconds and an offset'],
		['20261126T120000Z', 'ISO 8601 in its basic form'],
		['2026-11-26', 'ISO 8601, the day only'],
		['26.11.2026', 'a date as Germans write it'],
		['11/26/2026', 'a date as Americans write it'],
		['12:30', 'a time of day'],
	])('is a date or a time: %s, which is %s', (text) => {
		const problem = 'is a date or a time, not an address';
		expect(findRefusal(text)).toMatchObject({ problem });
		expect(findRefusal(text, { checkAddresses: false })).toMatchObject({ problem });
	});
});

describe('a text is refused only with Check Addresses if it', () => {
	test.each<[text: string, because: string]>([
		[`${XRP}:12345`, 'a tag of the XRP Ledger stands behind it'],
		[`${XRP}?dt=12345`, 'a tag is in the query of a link'],
		[`${ethereum},${ethereum}`, 'there are two addresses'],
		[`"${ethereum}"`, 'it stands in quotation marks'],
		[`https://etherscan.io/address/${ethereum}`, 'it is the link of an explorer'],
		['bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?amount=1', 'BIP-21 allows an amount'],
		['GDA74MK7VP345QKZMYIQQK65ZVXCJLW6HM4CSW5XPQAQTQ3PGY5MMJMN:memo1', 'Stellar has memos'],
		[`${monero}:1`, 'an address without a checksum is found by its form'],
	])('contains an address and something else: %s, because %s', (text) => {
		expect(findRefusal(text)?.problem).toBe('contains an address and something else');
		expect(findRefusal(text, { checkAddresses: false })).toBeUndefined();
	});

	test.each<[problem: string, text: string, because: string]>([
		['is missing the 0x prefix', ethereum.slice(2), 'its case is an EIP-55 checksum'],
		['is not a valid address', ethereum.replace('d8dA', 'd8da'), 'EIP-55 wants a capital A'],
		['is not a valid address', ethereum.replace('A', '\u0410'), 'one A is Cyrillic'],
		[
			'is not a valid address',
			'rhb9cjawyb4rj91vrwn96dkukg4bwdtyth',
			'a database made its capitals small: its digits show that it is no word',
		],
		['is not a valid address', `eth:${ethereum.replace('d8dA', 'd8da')}`, 'also behind a chain'],
		[
			'is not a valid address',
			'1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
			'the address of the first block ends with a',
		],
	])('%s: %s, because %s', (problem, text) => {
		expect(findRefusal(text)?.problem).toBe(problem);
		expect(findRefusal(text, { checkAddresses: false })).toBeUndefined();
	});
});

test('a refusal repeats nothing of the text', () => {
	const { problem, advice } = findRefusal(ethereum.replace('d8dA', 'd8da'))!;
	expect(problem + advice).not.toContain('d8da');
});

test('a private key is refused anywhere in a text, whatever the option is', () => {
	for (const text of [
		privateKey,
		`key: ${privateKey}`,
		`bitcoin:${privateKey}?x=1`,
		`${'a '.repeat(500)}${privateKey}`,
	])
		for (const checkAddresses of [true, false])
			expect(findRefusal(text, { checkAddresses })).toMatchObject({ kind: 'secret' });
});
