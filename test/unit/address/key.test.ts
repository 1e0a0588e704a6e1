import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { classicAddressToXAddress } from 'ripple-address-codec';

import {
	addressKey,
	chainOfSpelling,
	screeningKey,
	tagOfSpelling,
} from '../../../nodes/WalletScreening/address/key';
import { trimInvisible } from '../../../nodes/WalletScreening/shared/text';
import { numbersFrom, seed } from '../../support/data/random';
import {
	makeAddress,
	makeBytes,
	addressFamilies,
	formatsWithChecksum,
	formatsWithoutChecksum,
} from '../../support/data/generatedAddresses';

const evm = 'd8da6bf26964af9d7eed9e03e53415d37aa96045';
const XRP = 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59';
const TON = '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e';
const nano = '3t6k35gi95xu6tergt6p69ck76ogmitsa8mnijtpxm9fkcm736xtoncuohr3';
/** Alice of Substrate's documents, on the network that stands for any, and on Polkadot. */
const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const aliceOnPolkadot = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5';
const filecoin = 'f410fkkld55ioe7qg24wvt7fu6pbknb56ht7pt4zamxa';
const conflux = 'cfx:aarc9abycue0hhzgyrr53m6cxedgccrmmyybjgh4xg';
const xWithTag = (tag: number) => classicAddressToXAddress(XRP, tag, false);
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const longZero = '0x000000000000000000000000000000000000007b';
const kaspa = 'kaspa:qpauqsvk7yf9unexwmxsnmg547mhyga37csh0kj53q6xxgl24ydxjsgzthw5j';

const same = (a: string, b: string) => addressKey(a) === addressKey(b);

/** Random bytes of an account. One in four begins with a zero, which some chains may leave out. */
const accountOf = (length: number, next: () => number) => {
	const bytes = makeBytes(length, next);
	if (bytes[1]! % 4 === 0) bytes[0] = 0;
	return bytes;
};

const perFamily = 850;

test.each(Object.entries(addressFamilies))(
	`%s: all spellings that other libraries write have one key, and no two accounts share one (TEST_SEED=${seed})`,
	(_, { length, spell }) => {
		const next = numbersFrom(seed);
		const keys = new Set<string>();
		for (let count = 0; count < perFamily; count++) {
			const all = spell(accountOf(length, next));
			const own = new Set(all.map(addressKey));
			expect([...own].map((key) => [key, all])).toHaveLength(1);
			keys.add([...own][0]!);
		}
		expect(keys.size).toBe(perFamily);
	},
);

test(`over all formats, no two addresses share a key, and a key is its own key (TEST_SEED=${seed})`, () => {
	const next = numbersFrom(seed);
	const makers = Object.values({ ...formatsWithChecksum, ...formatsWithoutChecksum });
	const addresses = makers.flatMap((make) =>
		Array.from({ length: 300 }, () => makeAddress(make, next)),
	);
	const keys = addresses.map(addressKey);
	expect(new Set(keys).size).toBe(new Set(addresses).size);
	expect(keys.map(addressKey)).toEqual(keys);
});

/** The examples of the doc comments: what each family makes of a spelling. */
test.each<[family: string, spelling: string, key: string, chain?: string]>([
	[
		'evmAccount',
		'xdcAC1EC44E4F0CA7D172B7803F6836DE87FB72B309',
		'0xac1ec44e4f0ca7d172b7803f6836de87fb72b309',
		'xdc',
	],
	['hexadecimalAccount', '0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c', tron],
	['hexadecimalAccount', '0x2', `0x${'2'.padStart(64, '0')}`],
	[
		'hexadecimalAccount',
		'98793CD91A3F870FB126F66285808C7E094AFCFC4EDA8A970F6648CDF0DBD6DE',
		'0x98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de',
	],
	[
		'hexadecimalAccount',
		'41A614F803B6FD780986A42C78EC9C7F77E6DED13C',
		'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
	],
	['tonRawAccount', TON.toUpperCase(), TON],
	[
		'bech32Account',
		'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
		'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
	],
	['bech32Account', 'one1mrdxhunfvjhe6lhdncp72dq46da2jcz9zy7kww', `0x${evm}`, 'one'],
	[
		'cashAddrAccount',
		'qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
		'1PQPheJQSauxRPTxzNMUco1XmoCyPoEJCp',
		'bitcoincash',
	],
	// Both are in the tests of Cashtab.
	...[
		'ECASH:QZ2708636SNQHSXU8WNLKA78H6FDP77AR59JRF5035',
		'etoken:qz2708636snqhsxu8wnlka78h6fdp77ar5tv2tzg4r',
	].map((address): [string, string, string] => [
		'cashAddrAccount',
		address,
		'ecash:0:95e79f51d4260bc0dc3ba7fb77c7be92d0fbdd1d',
	]),
	['prefixedAccount', `eth:0x${evm}`, `0x${evm}`, 'eth'],
	['prefixedAccount', `eip155:1:0x${evm}`, `0x${evm}`, 'eip155:1'],
	[
		'prefixedAccount',
		'bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
		'1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
		'bitcoin',
	],
	[
		'prefixedAccount',
		'BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
		'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
		'bitcoin',
	],
	// An address in the QR code of a wallet, and others of formats without a checksum here.
	['prefixedAccount', `nano:nano_${nano}`, `nano_${nano}`, 'nano'],
	['prefixedAccount', `did:pkh:eip155:1:0x${evm}`, `0x${evm}`, 'eip155:1'],
	['prefixedAccount', 'hedera:mainnet:0.0.123', longZero, 'hedera:mainnet'],
	['prefixedAccount', `xrpl:0:${xWithTag(7)}`, XRP, 'xrpl:0'],
	['prefixedAccount', 'eth:Vitalik.eth', 'vitalik.eth', 'eth'],
	['prefixedAccount', `ton:${TON}`, TON, 'ton'],
	['evmAccount', `ronin:${evm}`, `0x${evm}`, 'ronin'],
	['prefixedAccount', `ronin:0x${evm}`, `0x${evm}`, 'ronin'],
	['prefixedAccount', 'customer:0xA', 'customer:0xA'],
	// Both look like a format without case.
	[
		'prefixedAccount',
		'solana:7CrrnVuvNGhNLXvXRaLzRut4qUaXtfSSvytrvwdNALhR',
		'7CrrnVuvNGhNLXvXRaLzRut4qUaXtfSSvytrvwdNALhR',
		'solana',
	],
	[
		'spellingAccount',
		'NQ4296CJ2H01LSG2PRRACH3E7684K330Q37A',
		'NQ4296CJ2H01LSG2PRRACH3E7684K330Q37A',
	],
	['no family', `\ufeff 0x${evm}\u200b `, `0x${evm}`],
	[
		'scriptAccount',
		'MPbFK994R4FnTTcmgFbAgSv3dqSDrRrr2S',
		'3HP71Fj6TwQMexLsaNbprofeK8qmr6jqyT',
		'litecoin',
	],
	['xrpAccount', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', XRP],
	['xrpAccount', xWithTag(7), XRP],
	[
		'stellarAccount',
		'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
		'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
	],
	['tonAccount', 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPrHF', TON],
	[
		'groupedAccount',
		'NCVUSX-AGEXYT-D4GPSY-S5AJML-A5HFQP-5Q4MB4-JZRG',
		'NCVUSXAGEXYTD4GPSYS5AJMLA5HFQP5Q4MB4JZRG',
	],
	[
		'groupedAccount',
		'NQ74 D40G N3M0 9EJD ET56 UPLR 02VC X6DU 8G1E',
		'NQ74D40GN3M09EJDET56UPLR02VCX6DU8G1E',
	],
	['spellingAccount', `xrb_${nano}`, `nano_${nano}`],
	[
		'confluxAccount',
		'CFX:TYPE.USER:AARC9ABYCUE0HHZGYRR53M6CXEDGCCRMMYYBJGH4XG',
		'0x1a2f80341409639ea6a35bbcab8299066109aa55',
		'cfx',
	],
	['substrateAccount', alice, alice],
	['substrateAccount', aliceOnPolkadot, alice, 'ss58:00'],
	// In the tests of polkadot-js, this is the account 66cd…111b on the network 255.
	[
		'substrateAccount',
		'yGF4JP7q5AK46d1FPCEm9sYQ4KooSjHMpyVAjLnsCSWVafPnf',
		'5EPVmMWUHarMKmqkChMNWc2nyR7C7KHTv4pJcFD7KuDEWMFy',
		'ss58:7fc0',
	],
	['filecoinAccount', filecoin, '0x52963ef50e27e06d72d59fcb4f3c2a687be3cfef', 'fil:f'],
	[
		'filecoinAccount',
		filecoin.replace('f', 't'),
		'0x52963ef50e27e06d72d59fcb4f3c2a687be3cfef',
		'fil:t',
	],
	['prefixedAccount', `polkadot:${aliceOnPolkadot}`, alice, 'polkadot'],
	['hederaAccount', '0.0.123-vfmkw', longZero, 'hedera'],
	['spellingAccount', kaspa.toUpperCase(), kaspa],
	['spellingAccount', 'Vitalik.ETH', 'vitalik.eth'],
	['none', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
])('%s: %s has the key %s', (_family, spelling, key, ...[chain]) => {
	expect(addressKey(spelling)).toBe(key);
	expect(chainOfSpelling(spelling)).toBe(chain);
});

/** The spellings are those of documents and explorers of the chains. */
test.each<[because: string, first: string, second: string]>([
	[
		'XDC writes xdc for 0x',
		'0xAc1ec44E4f0ca7D172B7803f6836De87Fb72b309',
		'xdcac1ec44e4f0ca7d172b7803f6836de87fb72b309',
	],
	[
		'Ronin writes ronin: for 0x',
		'ronin:d8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
		'0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	],
	[
		'Bitcoin Cash has a legacy form',
		'1Gh65iEev35yZneSTGwESBJiAcZ4HxgEAn',
		'bitcoincash:qzkpa3zwfux205tjk7qr76pkm6rlku4npyzg7nvppv',
	],
	[
		'Litecoin writes scripts with 3 or M',
		'3HP71Fj6TwQMexLsaNbprofeK8qmr6jqyT',
		'MPbFK994R4FnTTcmgFbAgSv3dqSDrRrr2S',
	],
	[
		'DigiByte writes scripts with 3 or S',
		'39DhKYVmaBkEtr4rgbKxV53Ry7rRvzdLM2',
		'SUpgRqnUked4Kz9t6veScLq4UNo9G8Ezt8',
	],
	['Substrate writes the network before the account', alice, aliceOnPolkadot],
	['Kusama is another network', aliceOnPolkadot, 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F'],
	[
		'Filecoin has a form of its own for accounts of EVM',
		filecoin,
		'0x52963EF50e27e06D72D59fcB4F3c2a687BE3cfEf',
	],
	[
		'Conflux wrote accounts with 0x before (CIP-37)',
		'cfx:aak2rra2njvd77ezwjvx04kkds9fzagfe6ku8scz91',
		'0x1386b4185a223ef49592233b69291bbe5a80c527',
	],
	[
		'the test network of Conflux has the same accounts',
		'cfxtest:aak2rra2njvd77ezwjvx04kkds9fzagfe6d5r8e957',
		'0x1386b4185a223ef49592233b69291bbe5a80c527',
	],
	[
		'an X-address without a tag is its classic address',
		'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
		'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ',
	],
	[
		'Tron has a hexadecimal form',
		'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
		'41A614F803B6FD780986A42C78EC9C7F77E6DED13C',
	],
	[
		'a muxed account of Stellar holds its account (SEP-23)',
		'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
		'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
	],
	[
		'CashTokens writes z for an account that takes tokens',
		'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
		'bitcoincash:zr6m7j9njldwwzlg9v7v53unlr4jkmx6eycnjehshe',
	],
	[
		'TRON writes 0x before it in its JSON-RPC',
		tron,
		'0x41A614F803B6FD780986A42C78EC9C7F77E6DED13C',
	],
	['a DID names the chain before an account (did:pkh)', `did:pkh:eip155:1:0x${evm}`, `0x${evm}`],
	['a tag tells customers of one account apart', XRP, xWithTag(7)],
	['a tag tells customers of one account apart', xWithTag(7), xWithTag(8)],
	['Hedera may add a checksum (HIP-15)', '0.0.123-vfmkw', '0.0.123'],
	['Hedera writes the number in 20 bytes, too', '0.0.123', longZero],
	[
		'Conflux may name the type of the account (CIP-37)',
		'CFX:TYPE.USER:AARC9ABYCUE0HHZGYRR53M6CXEDGCCRMMYYBJGH4XG',
		conflux,
	],
	[
		'NEM may write hyphens',
		'NCVUSX-AGEXYT-D4GPSY-S5AJML-A5HFQP-5Q4MB4-JZRG',
		'NCVUSXAGEXYTD4GPSYS5AJMLA5HFQP5Q4MB4JZRG',
	],
	[
		'Nimiq may write blanks',
		'NQ74 D40G N3M0 9EJD ET56 UPLR 02VC X6DU 8G1E',
		'NQ74D40GN3M09EJDET56UPLR02VCX6DU8G1E',
	],
	['names of ENS have no case', 'vitalik.eth', 'Vitalik.ETH'],
	[
		'hexadecimal digits have no case',
		'98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de',
		'98793CD91A3F870FB126F66285808C7E094AFCFC4EDA8A970F6648CDF0DBD6DE',
	],
])('%s: %s and %s are one account', (_because, first, second) =>
	expect(same(first, second)).toBe(true),
);

/** Each first spelling names its chain. The second is of another chain, or may be. */
test.each<[because: string, first: string, second: string]>([
	[
		'the legacy form is also that of Bitcoin',
		'bitcoincash:qzkpa3zwfux205tjk7qr76pkm6rlku4npyzg7nvppv',
		'1Gh65iEev35yZneSTGwESBJiAcZ4HxgEAn',
	],
	[
		'3 is also a script of Bitcoin',
		'MPbFK994R4FnTTcmgFbAgSv3dqSDrRrr2S',
		'3HP71Fj6TwQMexLsaNbprofeK8qmr6jqyT',
	],
	['0x may be of Ethereum', `ronin:${evm}`, `0x${evm}`],
	['0x may be of Ethereum', `xdc${evm}`, `0x${evm}`],
	['5 stands for any network', aliceOnPolkadot, alice],
	['0x may be of Ethereum', filecoin, '0x52963ef50e27e06d72d59fcb4f3c2a687be3cfef'],
	['t is a test network', filecoin, filecoin.replace('f', 't')],
	[
		'cfxtest is a test network',
		'cfx:aak2rra2njvd77ezwjvx04kkds9fzagfe6ku8scz91',
		'cfxtest:aak2rra2njvd77ezwjvx04kkds9fzagfe6d5r8e957',
	],
	['0x may be of Ethereum', conflux, '0x1a2f80341409639ea6a35bbcab8299066109aa55'],
	[
		'3 is also a script of Bitcoin',
		'SUpgRqnUked4Kz9t6veScLq4UNo9G8Ezt8',
		'39DhKYVmaBkEtr4rgbKxV53Ry7rRvzdLM2',
	],
	['Ronin is not XDC', `ronin:${evm}`, `xdc${evm}`],
	['0x may be of Ethereum', '0.0.123', longZero],
	['a tag may be of another customer', xWithTag(7), XRP],
	['a tag may be of another customer', xWithTag(7), xWithTag(8)],
])('%s: %s and %s are screened each', (_because, first, second) =>
	expect(screeningKey(first)).not.toBe(screeningKey(second)),
);

test('spellings that name one chain, or no chain, are screened once', () => {
	const cashAddr = 'qzkpa3zwfux205tjk7qr76pkm6rlku4npyzg7nvppv';
	for (const [first, ...others] of [
		[`0x${evm}`, evm, `0X${evm.toUpperCase()}`],
		[`ronin:${evm}`, `RONIN:${evm.toUpperCase()}`],
		[cashAddr, `bitcoincash:${cashAddr}`, cashAddr.toUpperCase()],
		[tron, '41A614F803B6FD780986A42C78EC9C7F77E6DED13C'],
		[tron, '0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
		['0.0.123', '0.0.123-vfmkw'],
	] as Array<[string, ...string[]]>)
		for (const other of others) expect(screeningKey(other)).toBe(screeningKey(first));
});

test('only an address with a tag has one', () => {
	expect(tagOfSpelling(xWithTag(7))).toBe('010700000000000000');
	for (const address of [XRP, xWithTag(7).slice(1), classicAddressToXAddress(XRP, false, false)])
		expect(tagOfSpelling(address)).toBeUndefined();
});

test.each([
	['a test network', XRP, classicAddressToXAddress(XRP, false, true)],
	[
		'a chain of Cosmos without accounts of EVM',
		`0x${evm}`,
		bech32.encode('osmo', bech32.toWords(Buffer.from(evm, 'hex'))),
	],
	['a wrong checksum', alice, `${aliceOnPolkadot.slice(0, -1)}6`],
	['a wrong checksum', '0x52963ef50e27e06d72d59fcb4f3c2a687be3cfef', `${filecoin.slice(0, -1)}b`],
	['a wrong checksum', '0x1a2f80341409639ea6a35bbcab8299066109aa55', `${conflux.slice(0, -1)}h`],
	['another workchain', TON, TON.replace('0:', '-1:')],
	['a wrong checksum', TON, 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwB'],
	[
		'another chain of the same hash',
		'1Efd9z9GRVJK2r73nUpFmBnsKUmfXNm2y2',
		'ecash:qz2708636snqhsxu8wnlka78h6fdp77ar59jrf5035',
	],
	[
		'a hash of a key or a script',
		'1Gh65iEev35yZneSTGwESBJiAcZ4HxgEAn',
		'3HP71Fj6TwQMexLsaNbprofeK8qmr6jqyT',
	],
	[
		'the case of Base58',
		'1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
		'1a1zp1ep5qgefi2dmptftl5slmv7divfna',
	],
	['too few digits to be an account', '0xabc', 'abc'],
	['a digit that is none', '0xabg', '0XABG'],
])('%s makes another account', (_, a, b) => expect(same(a, b)).toBe(false));

test('an address with another character, one more or one less is another one', () => {
	const originals = [
		'0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
		'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
		'9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
		'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
		XRP,
		TON,
		aliceOnPolkadot,
		filecoin,
		conflux,
	];
	const anyCharacter = fc.oneof(fc.constantFrom(' ', '0', 'x', ':'), fc.string({ maxLength: 1 }));
	const change = fc.tuple(fc.constantFrom(...originals), fc.nat(), anyCharacter, fc.nat(1));
	fc.assert(
		fc.property(change, ([address, at, character, removed]) => {
			const place = at % (address.length + 1);
			const other = address.slice(0, place) + character + address.slice(place + removed);
			const isSame = trimInvisible(other).toLowerCase() === address.toLowerCase();
			if (!isSame) expect(same(address, other)).toBe(false);
		}),
		{ numRuns: 1000 },
	);
});
