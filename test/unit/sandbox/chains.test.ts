import { assetOf, chainOf } from '../../../sandbox/chains';

describe('chain of an address', () => {
	it.each([
		['ETH', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
		['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
		['BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
		['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
		['BTC', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
		['LTC', 'ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea'],
		['LTC', 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9'],
		['BCH', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
		['TRX', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
		['XRP', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
		['DASH', 'XnPFsRWTaSgiVauosEwQ6dEitGYXgwznz2'],
		['DOGE', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
		[
			'XMR',
			'888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H',
		],
		['SOL', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
	])('is %s for %s', (chain, address) => {
		expect(chainOf(address)).toBe(chain);
	});

	it.each([
		['BCH where the format is that of BTC', 'BCH', '18M8bJWMzWHDBMxoLqjHHAffdRy4SrzkfB'],
		[
			'ETH for 0x… listed under ARB, BSC and ETH',
			'ETH',
			'0x4f47bc496083c727c5fbe3ce9cdf2b0f6496270c',
		],
		['ETH for 0x… listed under a token', 'ETH', '0x175d44451403Edf28469dF03A9280c1197ADb92c'],
		['BTC for 1… listed under a token too', 'BTC', '1CF46Rfbp97absrs7zb7dFfZS6qBXUm9EP'],
		[
			'XMR for a transaction hash',
			'XMR',
			'5be5543ff73456ab9f2d207887e2af87322c651ea1a873c5b25b7ffae456c320',
		],
	])('follows the list: %s', (_case, chain, address) => {
		expect(chainOf(address)).toBe(chain);
	});

	it('is ETH for an unknown format', () => {
		expect(chainOf('no such thing')).toBe('ETH');
	});
});

describe('asset of a balance', () => {
	it.each([
		['BNB', 'BSC'],
		['ETH', 'ARB'],
		['TRX', 'TRX'],
		['ETH', 'ethereum mainnet'],
	])('is %s on chain %s', (asset, chain) => {
		expect(assetOf(chain, '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')).toBe(asset);
	});
});
