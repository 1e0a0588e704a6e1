import { base58xrp } from '@scure/base';
import {
	decodeBase58,
	decodeBase58Check,
	encodeBase58Check,
	encodeSubstrate,
	splitSubstrate,
} from '../encodings/base58';
import { mayBeXAddress } from '../formats';
import type { Account } from './account';

/* The accounts whose spellings are Base58. */

/**
 * The chains that wrote the hash of a script with the 3 of Bitcoin before, and write it with a letter
 * of their own today: that letter, and the version in its place.
 */
const scriptForms = [
	{ letter: 'M', version: 0x32, chain: 'litecoin' },
	{ letter: 'P', version: 0x37, chain: 'monacoin' },
	{ letter: 'S', version: 0x3f, chain: 'digibyte' },
];

/** The version of a script's hash in the older form. */
const olderScriptVersion = 5;

/**
 * The address of a script with the letter of its chain is the same account as the older form with 3.
 *
 * @example MPbF…rr2S is 3HP7…jqyT, and names the chain litecoin.
 */
export function scriptAccount(address: string): Account | undefined {
	const form = scriptForms.find(({ letter }) => address.startsWith(letter));
	if (!form || address.length !== 34) return undefined;
	const payload = decodeBase58Check(address);
	if (payload?.length !== 21 || payload[0] !== form.version) return undefined;
	const older = Uint8Array.of(olderScriptVersion, ...payload.subarray(1));
	return { key: encodeBase58Check(older), chain: form.chain };
}

/** The first two bytes of an X-address of the main network. */
const xAddressVersion = 0x0544;

/**
 * An X-address of the XRP Ledger is the same account as the r address in it, and may hold a tag.
 *
 * @example X7Ac…1cqZ is r9cZ…fk59, and X7Ac…WHuh is so with the tag 7.
 */
export function xrpAccount(address: string): Account | undefined {
	if (!mayBeXAddress(address)) return undefined;
	const payload = decodeBase58Check(address, base58xrp);
	// Two bytes are the version, 20 the account, one is 0 without a tag, and eight are for the tag.
	if (payload?.length !== 31 || payload.readUInt16BE() !== xAddressVersion) return undefined;
	const key = encodeBase58Check(Uint8Array.of(0, ...payload.subarray(2, 22)), base58xrp);
	return payload[22] === 0 ? { key } : { key, tag: payload.toString('hex', 22) };
}

/** The network of SS58 that stands for any chain. */
const anySubstrate = Buffer.of(42);

/**
 * An account of Substrate is 32 bytes. Before them, SS58 has the network of a chain, such as 0 for
 * Polkadot and 2 for Kusama, or the one that names none.
 *
 * @example 15oF…6Sp5 is 5Grw…utQY, and names the chain ss58:00.
 */
export function substrateAccount(address: string): Account | undefined {
	// The shortest text is that of zeros on Polkadot.
	if (address.length < 36 || address.length > 50) return undefined;
	const bytes = decodeBase58(address);
	const { network, account } = (bytes && splitSubstrate(bytes)) ?? {};
	if (!network || !account) return undefined;
	const key = encodeSubstrate(Buffer.concat([anySubstrate, account]));
	return network.equals(anySubstrate) ? { key } : { key, chain: `ss58:${network.toString('hex')}` };
}
