import { trimInvisible } from '../shared/text';
import { chainOfSpelling } from './key';

/*
 * Whether a report is of another chain than was asked for: an address may be clean on one and not on
 * another. There are two rules, because there are two ways to ask:
 *
 *     the user named the chain          `isOtherChainName`       every other name counts
 *     the spelling of the address did   `otherChainOfSpelling`   a name counts if it is known to mean
 *                                                                another chain
 */

/** The key of a chain, the same for each spelling of its name; empty if there is none. */
export function chainKey(chain: unknown): string {
	return typeof chain === 'string' ? trimInvisible(chain).toLowerCase() : '';
}

/**
 * Whether a report has another name for its chain than the one that was asked for, or none; false if
 * none was asked for. Two names of one chain, such as ETH and Ethereum, are other names, too: to take
 * one for the other by mistake would make an all-clear of a report of another chain.
 */
export function isOtherChainName(requested: unknown, reported: unknown): boolean {
	return chainKey(requested) !== '' && chainKey(requested) !== chainKey(reported);
}

/**
 * The names of chains that share accounts with another chain, each line of one chain: its symbol,
 * its name, and what stands before or in its addresses (EIP-3770, CAIP-2, SS58). Only names that mean
 * no other chain are here.
 */
const chains = `
btc bitcoin
bch bitcoincash
xec ecash
ltc litecoin
dgb digibyte
mona monacoin
dot polkadot ss58:00
ksm kusama ss58:02
eth ethereum eip155:1
oeth optimism opmainnet eip155:10
bnb bsc bnbsmartchain binancesmartchain eip155:56
xdc xdcnetwork eip155:50
matic pol polygon eip155:137
ron ronin eip155:2020
base eip155:8453
arb1 arbitrum arbitrumone eip155:42161
avax avalanche eip155:43114`;

const chainOfName = new Map(
	chains
		.trim()
		.split('\n')
		.flatMap((line, chain) => line.split(' ').map((name) => [name, chain] as const)),
);

/** Finds the chain that a name certainly means: the number of its line. */
const findChain = (name: unknown) => chainOfName.get(chainKey(name).replace(/[\s_-]/g, ''));

/**
 * The chain that the spelling of an address names, in small letters, if a report is certainly of
 * another one. Undefined also if one of the two names is not known: services name chains in their own
 * words.
 *
 * @example Of bitcoincash:qpm2… it is bitcoincash for a report of BTC, and undefined for one of BCH.
 */
export function otherChainOfSpelling(address: string, reported: unknown): string | undefined {
	const spelled = chainOfSpelling(address);
	const [asked, answered] = [findChain(spelled), findChain(reported)];
	const isOther = asked !== undefined && answered !== undefined && asked !== answered;
	return isOther ? spelled : undefined;
}
