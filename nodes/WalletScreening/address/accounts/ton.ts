import { crc16 } from '../encodings/crc16';
import { isRawTon } from '../formats';
import type { Account } from './account';

/* An account of TON, which is spelled in hexadecimal digits or in Base64. */

/**
 * The digits in the raw form of an account of TON have no case.
 *
 * @example 0:CA6E…2A3E is 0:ca6e…2a3e.
 */
export function tonRawAccount(address: string): Account | undefined {
	return isRawTon(address) ? { key: address.toLowerCase() } : undefined;
}

/**
 * An address of TON (TEP-2) is Base64 of either alphabet: flags, which are no part of the account,
 * then what the raw form has, then a CRC-16.
 *
 * @example EQDK…PrHF is 0:ca6e…2a3e.
 */
export function tonAccount(address: string): Account | undefined {
	if (address.length !== 48) return undefined;
	// Node skips all other characters.
	const bytes = Buffer.from(address, 'base64');
	if (bytes.length !== 36 || crc16(bytes) !== 0) return undefined;
	// An address is bounceable or not, and perhaps only for a test network.
	const isAddress = [0x11, 0x51].includes(bytes[0]! & 0x7f);
	if (!isAddress) return undefined;
	return { key: `${bytes.readInt8(1)}:${bytes.toString('hex', 2, 34)}` };
}
