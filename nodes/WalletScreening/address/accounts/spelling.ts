import { bech32Class } from '../encodings/bech32';
import { isGroupedNimiq } from '../formats';
import type { Account } from './account';

/* The accounts whose spellings differ only in case, or in what is left out. Nothing is decoded. */

/** Base32 in groups of six, the first of which begins with the letter of a network. */
const groupedNem = /^(?=[NTM])(?:[A-Z2-7]{6}-){6}[A-Z2-7]{3,4}$/;

/**
 * Wallets of NEM group an address by hyphens, and wallets of Nimiq by spaces.
 *
 * @example NCVUSX-AGEXYT-…-JZRG is NCVUSXAGEXYT…JZRG, and NQ74 D40G … 8G1E is NQ74D40G…8G1E.
 */
export function groupedAccount(address: string): Account | undefined {
	const isGrouped = groupedNem.test(address) || isGroupedNimiq(address);
	return isGrouped ? { key: address.replace(/[- ]/g, '') } : undefined;
}

/** The spellings of a family that differ only in what is left out, and in case. */
interface Spelling {
	pattern: RegExp;
	/** The key, with the groups of the pattern. */
	key: string;
	hasCase: boolean;
}

const spellings: Spelling[] = [
	// Nano had another name before.
	{ pattern: /^(?:nano|xrb)_([13][13-9a-km-uw-z]{59})$/i, key: 'nano_$1', hasCase: false },
	// Kaspa and its like have a prefix before an alphabet without case.
	{ pattern: new RegExp(`^([a-z]+:${bech32Class}{42,})$`, 'i'), key: '$1', hasCase: false },
	// Nimiq has capitals only.
	{ pattern: /^(NQ\d\d[0-9A-Z]{32})$/, key: '$1', hasCase: true },
	// Names have no case.
	{ pattern: /^([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})$/i, key: '$1', hasCase: false },
];

/**
 * The account of a spelling in the table.
 *
 * @example
 *
 *     spelling                    key
 *     xrb_3t6k…ohr3               nano_3t6k…ohr3
 *     KASPA:QPAU…HW5J             kaspa:qpau…hw5j
 *     Vitalik.ETH                 vitalik.eth
 */
export function spellingAccount(address: string): Account | undefined {
	const spelling = spellings.find(({ pattern }) => pattern.test(address));
	if (!spelling) return undefined;
	const key = address.replace(spelling.pattern, spelling.key);
	return { key: spelling.hasCase ? key : key.toLowerCase() };
}
