import { getCoderByCoinName } from '@ensdomains/address-encoder';
import { bech32, bech32m } from '@scure/base';
import { sanctionedAsset } from './sanctions';

/** Coins whose addresses the sandbox knows: an address is of the first that decodes it. Tron's takes those of others, too. */
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

/** The nodes send no longer ones; the time to decode Base58 grows with the square of the length. */
const maxLength = 256;

/** An address of Monero has a fixed length, which its decoder does not ask for. */
const monero = /^[48]\w{94}(\w{11})?$/;

const tokens = new Set(['USDC', 'USDT']);

/** By a library that is not that of the nodes. */
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

/** Whether a text keeps the rules of a chain, or is written in Bech32. */
export function isAddress(text: string): boolean {
	if (coinOf(text) !== undefined) return true;
	if (text.length > maxLength) return false;
	return [bech32, bech32m].some((code) => code.decodeUnsafe(text, false) !== undefined);
}

/**
 * The chain of an address for which the client named none (section 4.1). The specification does not show how the service
 * finds it. Here the format decides, and `ETH` is the answer for an unknown one.
 */
export function chainOf(address: string): string {
	// The list of sanctions names such an address under several chains.
	if (/^0x[0-9a-f]{40}$/i.test(address)) return 'ETH';
	const asset = sanctionedAsset(address);
	// It tells apart what a format cannot (BTC, BCH and BSV), but it also names tokens.
	if (asset !== undefined && !tokens.has(asset)) return asset;
	return coinOf(address)?.toUpperCase() ?? 'ETH';
}
