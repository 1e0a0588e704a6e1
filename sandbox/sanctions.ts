import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { addressKey } from '../nodes/WalletScreening/address/key';

/**
 * The addresses that the US Treasury has sanctioned, in the order of its list, with the asset it
 * names.
 */
export const sanctionedAddresses = parse<Readonly<{ address: string; asset: string }>>(
	readFileSync(join(__dirname, 'ofac-sanctioned-addresses.csv')),
	{ columns: true },
);

const assetByKey = new Map(
	sanctionedAddresses.map(({ address, asset }) => [addressKey(address), asset]),
);

/**
 * The asset that the list names for the account of an address, in whichever spelling; `undefined`
 * when the account is not sanctioned.
 */
export function sanctionedAsset(address: string): string | undefined {
	return assetByKey.get(addressKey(address));
}
