import { base58xrp } from '@scure/base';
import { checkedPayload, crc16, decodeBase32, decodeBase58, decodeBech32 } from './checksums';

/**
 * Whether a text is a private key, which its checksum proves: WIF and extended keys of Bitcoin and its like, `nsec` of Nostr, and
 * seeds of Stellar and the XRP Ledger.
 */
export function isPrivateKey(text: string): boolean {
	switch (text.length) {
		case 28:
		case 29:
		case 31:
			return text.startsWith('s') && isRippleSeed(text);
		case 51:
		case 52:
			return isWif(text);
		case 56:
			return text.startsWith('S') && isStellarSeed(text);
		case 63:
			return decodeBech32(text)?.prefix === 'nsec';
		case 111:
		case 112:
			return isExtendedKey(text);
	}
	return false;
}

const payloadOf = (text: string, alphabet?: typeof base58xrp) => {
	const bytes = decodeBase58(text, alphabet);
	return bytes && checkedPayload(bytes);
};

/** WIF has a version from 128 up, 32 bytes, and a 1 if the public key is compressed. */
function isWif(text: string): boolean {
	const payload = payloadOf(text);
	if (!payload || payload[0]! < 0x80) return false;
	return payload.length === 33 || (payload.length === 34 && payload[33] === 1);
}

/** An extended key (BIP-32) has 78 bytes, of which the one before the key is 0 if the key is private. */
function isExtendedKey(text: string): boolean {
	const payload = payloadOf(text);
	return payload?.length === 78 && payload[45] === 0;
}

/** A seed of Stellar (SEP-23) has a version, 32 bytes, and a CRC-16. */
function isStellarSeed(text: string): boolean {
	const bytes = decodeBase32(text);
	return bytes?.[0] === 18 << 3 && crc16(bytes.subarray(0, 33)) === bytes.readUInt16LE(33);
}

/** Versions of a seed, for secp256k1 and for Ed25519. */
const rippleSeeds = ['21', '01e14b'];

function isRippleSeed(text: string): boolean {
	const payload = payloadOf(text, base58xrp);
	return (
		payload !== undefined && rippleSeeds.includes(payload.toString('hex', 0, payload.length - 16))
	);
}

/** Whether a private key is in a text, or anywhere in a value of JSON. The time is linear in the length. */
export function holdsPrivateKey(value: unknown): boolean {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	return (text.match(/\\*[0-9A-Za-z]+/g) ?? []).some((found) => {
		const word = found.replace(/^\\+/, '');
		// JSON may write what stands before a word as \n or \u0020.
		const isEscaped = word !== found;
		return isPrivateKey(word) || (isEscaped && [1, 5].some((at) => isPrivateKey(word.slice(at))));
	});
}
