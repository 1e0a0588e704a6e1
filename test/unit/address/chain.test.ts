import {
	chainKey,
	isOtherChainName,
	otherChainOfSpelling,
} from '../../../nodes/WalletScreening/address/chain';

test.each<[string, unknown, unknown, boolean]>([
	['other letters', 'eth', 'ETH', false],
	['characters without width around either', '\u200bETH\ufeff', 'ETH\u2060', false],
	['another one', 'ETH', 'BSC', true],
	['a part of the name', 'ETH', 'ETHW', true],
	['another name of it', 'ethereum', 'ETH', true],
	['white space inside', 'E TH', 'ETH', true],
	['no chain in the report', 'ETH', undefined, true],
	['a blank one asked for', ' \u200b', 'ETH', false],
	['undefined asked for', undefined, 'ETH', false],
])('with %s, the chain %j against %j has another name: %s', (_what, asked, reported, differs) => {
	expect(isOtherChainName(asked, reported)).toBe(differs);
	// Cleaning twice changes nothing more.
	expect(isOtherChainName(chainKey(asked), reported)).toBe(differs);
});

const evm = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

test.each<[address: string, reported: string, other: string | undefined, because: string]>([
	[`eth:${evm}`, 'BSC', 'eth', 'both names are known'],
	[`eip155:1:${evm}`, 'Polygon', 'eip155:1', 'CAIP-2 has a number for each chain'],
	[`did:pkh:eip155:1:${evm}`, 'BSC', 'eip155:1', 'a DID has the name of CAIP-2 in it'],
	[`did:pkh:eip155:1:${evm}`, 'ETH', undefined, 'it is the same chain'],
	[`eth:${evm}`, 'Ethereum Mainnet', undefined, 'a service may have a name of its own'],
	[evm, 'BSC', undefined, 'the spelling names no chain'],
])('%s in a report of %s is of another chain: %s, because %s', (address, reported, other) =>
	expect(otherChainOfSpelling(address, reported)).toBe(other),
);
