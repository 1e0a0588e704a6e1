import { addressKey, screeningKey } from '../address/key';
import { groupBy } from '../shared/maps';
import type { Result } from './results';

/**
 * Returns a function that finds the results of an address, in any spelling of its account. Two of the addresses may be
 * one account on two chains, as 1BpE… and bitcoincash:qpm2… are. Then a result counts only for the
 * address whose spelling names the same chain.
 */
export function createResultFinder(
	addresses: string[],
	results: Result[],
): (address: string) => Result[] {
	const resultsOfAccount = groupByAddress(results, addressKey);
	const distinct = new Map(addresses.map((address) => [screeningKey(address), address])).values();
	const addressesOfAccount = groupBy([...distinct], addressKey);
	return (address) => {
		const account = addressKey(address);
		const ofAccount = resultsOfAccount.get(account) ?? [];
		const isOnOneChain = addressesOfAccount.get(account)?.length === 1;
		if (isOnOneChain) return ofAccount;
		const screening = screeningKey(address);
		return ofAccount.filter((result) => screeningKey(result.address!) === screening);
	};
}

/**
 * Groups results by a key of their address. A result that names no address is a group of its own.
 */
export function groupByAddress(
	results: Result[],
	keyOf: (address: string) => string,
): Map<string | Result, Result[]> {
	return groupBy(results, (result) => (result.address ? keyOf(result.address) : result));
}
