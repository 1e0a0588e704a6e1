import { ethereum } from '../data/knownAddresses';

/** Returns an exception of a policy in JSON, for one address on one chain. */
export const exception = (given: object = {}) => ({
	address: ethereum,
	chain: 'ETH',
	until: '2026-12-31',
	reason: 'Known',
	approvedBy: 'MLRO',
	...given,
});
