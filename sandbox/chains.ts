import { sanctionedAsset } from './sanctions';

const base58 = '[1-9A-HJ-NP-Za-km-z]';

// The first match counts: nearly every base58 address would also pass for one of Solana.
const formats: ReadonlyArray<readonly [chain: string, format: RegExp]> = [
	['ETH', /^0x[0-9a-f]{40}$/i],
	['BTC', /^bc1[0-9a-z]{8,87}$/i],
	['LTC', /^ltc1[0-9a-z]{8,87}$/i],
	['BCH', /^(bitcoincash:)?[qp][0-9a-z]{41}$/],
	['XMR', new RegExp(`^[48]${base58}{94}$`)],
	['TRX', new RegExp(`^T${base58}{33}$`)],
	['BTC', new RegExp(`^[13]${base58}{24,33}$`)],
	['LTC', new RegExp(`^[LM]${base58}{25,33}$`)],
	['DASH', new RegExp(`^X${base58}{33}$`)],
	['DOGE', new RegExp(`^D${base58}{33}$`)],
	['ZEC', new RegExp(`^t[13]${base58}{33}$`)],
	['XRP', new RegExp(`^r${base58}{24,34}$`)],
	['SOL', new RegExp(`^${base58}{32,44}$`)],
];

const tokens = new Set(['USDC', 'USDT']);

function chainOfFormat(address: string): string {
	return formats.find(([, format]) => format.test(address))?.[0] ?? 'ETH';
}

/**
 * The chain of an address for which the client named none (section 4.1). The specification does not
 * show how the service finds it. Here the format decides, and `ETH` is the answer for an unknown one.
 */
export function chainOf(address: string): string {
	const asset = sanctionedAsset(address);
	// The list tells apart what a format cannot (BTC, BCH and BSV), but it also names tokens, and one
	// `0x…` address under several chains.
	return asset === undefined || tokens.has(asset) || /^0x/i.test(address)
		? chainOfFormat(address)
		: asset;
}

/** The symbol of the asset in which a balance on `chain` is given. */
export function assetOf(chain: string, address: string): string {
	if (chain === 'BSC') return 'BNB';
	if (chain === 'ARB') return 'ETH';
	return /^[A-Z]{2,5}$/.test(chain) ? chain : chainOf(address);
}
