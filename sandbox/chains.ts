import { getCoderByCoinName } from '@ensdomains/address-encoder';
import { bech32, bech32m } from '@scure/base';
import { chainOfSpelling } from '../nodes/WalletScreening/address/key';
import { sanctionedAsset } from './sanctions';

/**
 * The coins whose addresses the sandbox knows. An address belongs to the first coin whose decoder
 * accepts it. The decoder of Tron also accepts addresses of other coins, so those come before it.
 */
const coins = [
	'eth',
	'btc',
	'bch',
	'ltc',
	'doge',
	'dash',
	'zec',
	'xrp',
	'btg',
	'xvg',
	'xtz',
	'trx',
	'sol',
	'xmr',
	'dot',
	'ksm',
	'xlm',
	'algo',
	'sui',
	'fil',
	'hbar',
	'waves',
] as const;

/**
 * The nodes send no longer addresses. The limit keeps Base58 quick, whose time to decode grows with
 * the square of the length.
 */
const maxLength = 256;

/** An address of Monero has a fixed length, which its decoder does not check. */
const monero = /^[48]\w{94}(\w{11})?$/;

/** The assets in the sanctions list that are tokens, not chains. */
const tokens = new Set(['USDC', 'USDT']);

/** The coin of an address, by a library that the nodes do not use. */
function coinOf(address: string) {
	if (address.length > maxLength) return undefined;
	return coins.find((coin) => {
		if (coin === 'xmr' && !monero.test(address)) return false;
		try {
			return getCoderByCoinName(coin).decode(address).length > 0;
		} catch {
			return false;
		}
	});
}

/** Whether a text is an address of a known coin, or valid Bech32. */
export function isAddress(text: string): boolean {
	if (coinOf(text) !== undefined) return true;
	if (text.length > maxLength) return false;
	return [bech32, bech32m].some((code) => code.decodeUnsafe(text, false) !== undefined);
}

/**
 * The chain of an address for which the client named none (section 4.1). The specification does not
 * show how the service finds it. Here the format decides, and `ETH` is the answer for an unknown
 * one.
 */
export function chainOf(address: string): string {
	// The sanctions list has two such addresses under several chains; ETH stands for all of them.
	if (/^0x[0-9a-f]{40}$/i.test(address)) return 'ETH';
	// The list distinguishes chains that share a format: BTC, BCH and BSV. If the spelling names its
	// chain, the list is not asked: it may have the same key under another chain.
	const asset = chainOfSpelling(address) === undefined ? sanctionedAsset(address) : undefined;
	if (asset !== undefined && !tokens.has(asset)) return asset;
	return coinOf(address)?.toUpperCase() ?? 'ETH';
}
