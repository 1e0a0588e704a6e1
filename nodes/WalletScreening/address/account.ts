import { checkedPayload, decodeBase58 } from './base58';
import { bytesOf, decodeBech32, symbolsOf } from './bech32';
import { segwitChains } from './formats';
import { addressKey } from './key';

/**
 * The form under which the addresses of one account are equal, on any chain and in any format: the same key spends from all of
 * them. A report of one is still no report of another.
 */
export const accountKey = (address: string) =>
	accountOf(address)?.toString('hex') ?? addressKey(address);

const cash = /^(?:[a-z]+:)?([qp][02-9ac-hj-np-z]{41})$/i;

/** The hash of a key or of a script, or a key, that an address holds. */
function accountOf(address: string): Buffer | undefined {
	const [, digits] = /^(?:0x|xdc|ronin:|(?:0x)?41)?([0-9a-f]{40})$/i.exec(address) ?? [];
	if (digits) return Buffer.from(digits, 'hex');
	const [, payload] = cash.exec(address) ?? [];
	// A version before it, a checksum of eight symbols after it.
	if (payload) return bytesOf(symbolsOf(payload.toLowerCase())!.slice(0, -8)).subarray(1, 21);
	const bech32 = decodeBech32(address.replace(/^[CPX]-(?=avax1)/i, ''));
	if (bech32 && segwitChains.has(bech32.prefix)) return keyHashIn(bech32.data);
	if (bech32) return bytesOf(bech32.data);
	return ofRipple(decodeBase58(address, 'ripple')) ?? hashIn(decodeBase58(address));
}

/** Version 0 with 20 bytes holds the hash of a key (BIP-141), as an address that begins with 1. */
function keyHashIn([version, ...program]: number[]): Buffer | undefined {
	const bytes = bytesOf(program);
	return version === 0 && bytes.length === 20 ? bytes : undefined;
}

/** Of Base58Check the 20 bytes at the end, of SS58 the 32 before its checksum. */
function hashIn(bytes: Buffer | undefined): Buffer | undefined {
	if (bytes?.length === 35 || bytes?.length === 36) return bytes.subarray(-34, -2);
	const payload = bytes && checkedPayload(bytes);
	return payload && payload.length <= 23 ? payload.subarray(-20) : undefined;
}

/** An X-address has another version, and a tag after the account. */
function ofRipple(bytes: Buffer | undefined): Buffer | undefined {
	const payload = bytes && checkedPayload(bytes);
	return payload?.subarray(payload.length === 31 ? 2 : 1).subarray(0, 20);
}
