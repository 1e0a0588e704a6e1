import { getCoderByCoinName } from '@ensdomains/address-encoder';
import { bech32, bech32m } from '@scure/base';

/** Coins whose addresses the sandbox knows, beside all that are written in Bech32: the frequent ones first. */
const coins = [
	...(['eth', 'btc', 'trx', 'bch', 'ltc', 'doge', 'dash', 'zec', 'xrp', 'sol'] as const),
	...(['btg', 'xvg', 'xtz', 'dot', 'ksm', 'xlm', 'algo', 'sui', 'fil', 'hbar', 'waves'] as const),
];

/** The nodes send no longer ones; the time to decode Base58 grows with the square of the length. */
const longest = 256;

/** An address of Monero has a fixed length, which its decoder does not ask for. */
const monero = /^[48]\w{94}(\w{11})?$/;

/** Whether a text is an address, by the rules of its chain: the library is not that of the nodes. */
export function isAddress(text: string): boolean {
	if (text.length > longest) return false;
	return (
		coins.some((coin) => decodes(() => getCoderByCoinName(coin).decode(text))) ||
		bech32.decodeUnsafe(text, false) !== undefined ||
		bech32m.decodeUnsafe(text, false) !== undefined ||
		(monero.test(text) && decodes(() => getCoderByCoinName('xmr').decode(text)))
	);
}

function decodes(decode: () => unknown): boolean {
	try {
		decode();
		return true;
	} catch {
		return false;
	}
}
