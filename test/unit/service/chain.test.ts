import { chainKey, isOtherChain } from '../../../nodes/WalletScreening/service/chain';

test.each<[string, unknown, unknown, boolean]>([
	['the same', 'ETH', 'ETH', false],
	['other letters', 'eth', 'ETH', false],
	['white space around either', ' ETH\t', '\nETH ', false],
	['characters without width around either', '\u200bETH\ufeff', 'ETH\u2060', false],
	['another one', 'ETH', 'BSC', true],
	['a part of the name', 'ETH', 'ETHW', true],
	['white space inside', 'E TH', 'ETH', true],
	['no chain in the report', 'ETH', undefined, true],
	['a chain that is no text', 'ETH', ['ETH'], true],
	['an empty chain in the report', 'ETH', ' ', true],
	['none asked for', '', 'ETH', false],
	['a blank one asked for', ' \u200b', 'ETH', false],
	['undefined asked for', undefined, 'ETH', false],
	['neither', undefined, undefined, false],
])('%s', (_what, asked, reported, differs) => {
	expect(isOtherChain(asked, reported)).toBe(differs);
	// Cleaning twice changes nothing more.
	expect(isOtherChain(chainKey(asked), reported)).toBe(differs);
});

test('a text of any length is compared in no time that grows faster', () => {
	const spaces = ' '.repeat(1_000_000);
	expect(isOtherChain(`${spaces}ETH${spaces}`, 'ETH')).toBe(false);
});
