import { otherChainOfSpelling } from '../../../nodes/WalletScreening/address/chainNames';

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
