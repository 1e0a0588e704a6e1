import { trimInvisible } from '../shared/text';
import type { Account } from './accounts/account';
import { filecoinAccount, stellarAccount } from './accounts/base32';
import { scriptAccount, substrateAccount, xrpAccount } from './accounts/base58';
import { bech32Account, cashAddrAccount, confluxAccount } from './accounts/bech32';
import { evmAccount, hederaAccount, hexadecimalAccount } from './accounts/hexadecimal';
import { groupedAccount, spellingAccount } from './accounts/spelling';
import { tonAccount, tonRawAccount } from './accounts/ton';
import { isOfKnownFormat } from './checkAddress';
import { splitChain } from './formats';

/**
 * The account that an address names, as one text: the same for each spelling of it, and another one
 * for another account of the chain. Accounts of two chains may have one key: that of 64 hexadecimal
 * digits is an account of NEAR and, with `0x`, one of Sui. Lists, exceptions, comparisons and results
 * of a job find addresses by it. A text of no family below is its own key. Blanks and invisible
 * characters around an address are ignored.
 */
export const addressKey = (address: string): string => accountOf(address).key;

/**
 * What a screening is about, as one text: the account, and the chain and the tag that the spelling
 * names. Only what has the same text is sent once: a wallet may be clean on one chain and not on
 * another.
 *
 * @example 1BpE… is an account of Bitcoin, and of Bitcoin Cash as it was written before.
 * bitcoincash:qpm2… is the same account, but names its chain. So both have one `addressKey`, and
 * each has a `screeningKey` of its own.
 */
export function screeningKey(address: string): string {
	const { key, chain, tag } = accountOf(address);
	return [chain, key, tag].filter((part) => part !== undefined).join(' ');
}

/**
 * The chain that the spelling of an address names, in small letters, where another chain has the
 * same account; undefined for none.
 */
export const chainOfSpelling = (address: string): string | undefined => accountOf(address).chain;

/**
 * The tag that an address holds, in hex with its kind before it; undefined for none. An exchange has
 * one account for many customers, and tells them apart by their tags.
 */
export const tagOfSpelling = (address: string): string | undefined => accountOf(address).tag;

function accountOf(text: string): Account {
	const address = trimInvisible(text);
	for (const find of families) {
		const account = find(address);
		if (account !== undefined) return account;
	}
	return { key: address };
}

/**
 * Each function gives the account of the spellings that it covers. The first that covers an address
 * counts.
 */
const families: Array<(address: string) => Account | undefined> = [
	evmAccount,
	hexadecimalAccount,
	tonRawAccount,
	cashAddrAccount,
	scriptAccount,
	xrpAccount,
	stellarAccount,
	tonAccount,
	substrateAccount,
	filecoinAccount,
	hederaAccount,
	groupedAccount,
	confluxAccount,
	// Before `spellingAccount`, which would take `solana:` for a prefix of Kaspa's kind.
	prefixedAccount,
	spellingAccount,
	// The last, because the end of an address of Nano or Nimiq may look like Bech32.
	bech32Account,
];

/**
 * An address with the name of a chain before it is that address, if its format is known or its
 * spelling is in the table.
 *
 * @example eth:0xd8dA…6045 is 0xd8da…6045, and names the chain eth.
 */
function prefixedAccount(address: string): Account | undefined {
	const split = splitChain(address);
	if (!split) return undefined;
	const { chain, bare } = split;
	const isAddress = isOfKnownFormat(bare) || spellingAccount(bare) !== undefined;
	return isAddress ? { ...accountOf(bare), chain } : undefined;
}
