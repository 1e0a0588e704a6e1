import { checkedPayload, decodeBase58 } from './base58';
import { tonAccount } from './ton';

/** Hexadecimal digits mean the same in capital and small letters; Base58 does not. */
const hexadecimal = /^(?:0x[0-9a-f]+|[0-9a-f]{40,})$/i;

/** A name of ENS and its like: they are the same in capital and small letters. */
const domain = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{3,}$/i;

/** Bech32 with any prefix, in capital or in small letters. Base58 is shorter, or has both. */
const bech32 = /^(?:[a-z_]+1[02-9ac-hj-np-z]{38,}|[A-Z_]+1[02-9AC-HJ-NP-Z]{38,})$/;

/** A Bitcoin Cash address in capital or in small letters; its prefix may be left out. */
const cash =
	/^(?:bitcoincash:)?([qp][02-9ac-hj-np-z]{41})$|^(?:BITCOINCASH:)?([QP][02-9AC-HJ-NP-Z]{41})$/;

/** The form under which two spellings of one address are equal. */
export function addressKey(address: string): string {
	if (hexadecimal.test(address)) return hexadecimalKey(address.toLowerCase());
	if (domain.test(address)) return address.toLowerCase();
	if (bech32.test(address)) return address.toLowerCase();
	const [, small, capital] = cash.exec(address) ?? [];
	return (
		(small ?? capital)?.toLowerCase() ?? tronAccount(address) ?? tonAccount(address) ?? address
	);
}

/** An address may come without its prefix, and one of 32 bytes without zeros at the start. */
function hexadecimalKey(text: string): string {
	const [, digits = ''] = /^(?:0x)?([0-9a-f]+)$/.exec(text) ?? [];
	if (digits.length === 40) return `0x${digits}`;
	const isLong = digits.length > 50 && digits.length <= 64;
	return isLong ? `0x${digits.padStart(64, '0')}` : text;
}

/** The hexadecimal form of a Tron address: 0x41, its version, and 20 bytes. */
function tronAccount(address: string): string | undefined {
	const bytes = /^T\w{33}$/.test(address) ? decodeBase58(address) : undefined;
	return bytes?.[0] === 0x41 ? checkedPayload(bytes)?.toString('hex') : undefined;
}
