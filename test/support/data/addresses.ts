import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns a different address in the form of Ethereum for each number. No two are spellings of one
 * account.
 */
export const numberedAddress = (number: number): string =>
	`0x${number.toString(16).padStart(40, '0')}`;

/** Returns the addresses of the numbers from 0 to `count - 1`. */
export const numberedAddresses = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => numberedAddress(index));

interface ValidAddress {
	chain: string;
	kind: string;
	address: string;
}

/**
 * Valid addresses of more than seventy chains, from documents, test files and explorers. The TSV file
 * has the source of each.
 */
export const validAddresses: ValidAddress[] = readFileSync(join(__dirname, 'addresses.tsv'), 'utf8')
	.trim()
	.split('\n')
	.slice(1)
	.map((line) => {
		const [chain = '', kind = '', address = ''] = line.split('\t');
		return { chain, kind, address };
	});
