import { chainKey, isOtherChain } from '../../../nodes/WalletScreening/address/chain';

test.each<[string, unknown, unknown, boolean]>([
	['other letters', 'eth', 'ETH', false],
	['characters without width around either', '\u200bETH\ufeff', 'ETH\u2060', false],
	['another one', 'ETH', 'BSC', true],
	['a part of the name', 'ETH', 'ETHW', true],
	['white space inside', 'E TH', 'ETH', true],
	['no chain in the report', 'ETH', undefined, true],
	['a blank one asked for', ' \u200b', 'ETH', false],
	['undefined asked for', undefined, 'ETH', false],
])('with %s, the chain %j against %j is another one: %s', (_what, asked, reported, differs) => {
	expect(isOtherChain(asked, reported)).toBe(differs);
	// Cleaning twice changes nothing more.
	expect(isOtherChain(chainKey(asked), reported)).toBe(differs);
});
