import { crc16, encodeBase58Check, isCaseless } from './codecs';
import { name } from './formats';

/** Hexadecimal digits mean the same in capital and small letters, also in an account of TON; Base58 does not. */
const hexadecimal = /^(0x|0:|-1:)?([0-9a-f]+)$/i;

/** The form under which two spellings of one address are equal. */
export function addressKey(address: string): string {
	const [, prefix = '', digits = ''] = hexadecimal.exec(address) ?? [];
	if (prefix || digits.length >= 40) return hexadecimalKey(prefix, digits.toLowerCase());
	if (name.test(address)) return address.toLowerCase();
	if (!isCaseless(address)) return tonAccount(address) ?? address;
	const small = address.toLowerCase();
	// The prefix of Bitcoin Cash may be left out.
	return small.startsWith('bitcoincash:') ? small.slice('bitcoincash:'.length) : small;
}

function hexadecimalKey(prefix: string, digits: string): string {
	if (prefix.endsWith(':')) return prefix + digits;
	// An address may come without its prefix, and one of 32 bytes without zeros at the start.
	if (digits.length === 40) return `0x${digits}`;
	if (digits.length > 50 && digits.length <= 64) return `0x${digits.padStart(64, '0')}`;
	const isTron = prefix === '' && digits.length === 42 && digits.startsWith('41');
	return isTron ? encodeBase58Check(Buffer.from(digits, 'hex')) : prefix.toLowerCase() + digits;
}

/** Flags of a payment, and not of the account: bounceable or not, on the main network. */
const tags = [0x11, 0x51];

/** The account, as `workchain:hash`, of an address of TON in Base64 of either alphabet, between flags and a checksum (TEP-2). */
export function tonAccount(address: string): string | undefined {
	if (address.length !== 48) return undefined;
	// Of any other character no bits would be made.
	const bytes = Buffer.from(address, 'base64');
	if (bytes.length !== 36 || !tags.includes(bytes[0]!) || crc16(bytes) !== 0) return undefined;
	return `${bytes.readInt8(1)}:${bytes.toString('hex', 2, 34)}`;
}
