import { createPrivateKey, createPublicKey } from 'crypto';
import { base58xrp } from '@scure/base';
import { checkedPayload, decodeBase58 } from './codecs';
import { base58Digit } from './formats';

/** Of Bitcoin and its like (WIF, BIP-38, BIP-32), Tezos and Stellar. WIF may lack a character, or have one too many. */
const likeKey = new RegExp(
	`^(?:${[
		`[5-7KLQTXc]${base58Digit}{49,52}|6P${base58Digit}{56}|[A-Za-z]{0,2}p(?:rv|v)${base58Digit}{90,120}`,
		`(?:sp|p2|ed)e?sk${base58Digit}{48,100}|S[A-Z2-7]{55}`,
	].join('|')})$`,
);
/** Bech32 with a prefix that names a secret: of Cardano, Nostr, Sui, Zcash. */
const secretBech32 =
	/^(?:(?:[a-z]+_)*x?sk|usk[a-z]*|nsec|[a-z]*prv|[a-z]*privkey)1[02-9ac-hj-np-z]{38,}$/i;

/** Whether a text is a private key. Recovery phrases have blanks, and no address has. */
export function isPrivateKey(text: string): boolean {
	if (likeKey.test(text) || secretBech32.test(text) || isKeyPair(text)) return true;
	// A seed of the XRP Ledger.
	const seed = text.startsWith('s') && text.length < 32 && decodeBase58(text, base58xrp);
	return Boolean(seed && checkedPayload(seed));
}

/** An Ed25519 key in DER, without its 32 bytes (RFC 8410). */
const der = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Whether a text is a key pair of Solana: its second half is the public key of the first. In a signature it is not. */
function isKeyPair(text: string): boolean {
	const bytes = text.length > 85 && text.length < 89 ? decodeBase58(text) : undefined;
	if (bytes?.length !== 64) return false;
	const key = Buffer.concat([der, bytes.subarray(0, 32)]);
	const pair = createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
	const ofFirst = pair.export({ format: 'der', type: 'spki' }).subarray(-32);
	return ofFirst.equals(bytes.subarray(32));
}
