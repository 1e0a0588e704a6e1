import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

/**
 * The spelling under which two addresses count as one: `0x…`, `bc1…` and `ltc1…` have no case, all
 * others do.
 */
export function canonical(address: string): string {
	return /^(0x|bc1|ltc1)/i.test(address) ? address.toLowerCase() : address;
}

/**
 * The addresses that the US Treasury has sanctioned, in the order of its list, with the asset it
 * names.
 */
export const sanctionedAddresses = parse<Readonly<{ address: string; asset: string }>>(
	readFileSync(join(__dirname, 'ofac-sanctioned-addresses.csv')),
	{ columns: true },
);

const assetByAddress = new Map(
	sanctionedAddresses.map(({ address, asset }) => [canonical(address), asset]),
);

/** The asset that the list names for an address; `undefined` when the address is not sanctioned. */
export function sanctionedAsset(address: string): string | undefined {
	return assetByAddress.get(canonical(address));
}
