import { base32nopad } from '@scure/base';
import { decodeBase32, decodeFilecoinEvm } from '../encodings/base32';
import { crc16 } from '../encodings/crc16';
import { isMuxedStellar } from '../formats';
import { type Account, evmKey } from './account';

/* The accounts whose spellings are Base32. */

/**
 * A muxed account of Stellar, with M, holds an account, with G (SEP-23). In both, a version of one
 * byte comes first, and a CRC-16 last.
 *
 * @example MA7Q…CJUQ is GA7Q…VSGZ.
 */
export function stellarAccount(address: string): Account | undefined {
	if (!isMuxedStellar(address)) return undefined;
	const bytes = decodeBase32(address);
	if (bytes?.[0] !== 12 << 3 || crc16(bytes.subarray(0, -2)) !== bytes.readUInt16LE(41))
		return undefined;
	const account = Buffer.concat([Uint8Array.of(6 << 3), bytes.subarray(1, 33), Buffer.alloc(2)]);
	account.writeUInt16LE(crc16(account.subarray(0, -2)), 33);
	return { key: base32nopad.encode(account) };
}

/**
 * A delegated address of Filecoin, with f410f or, on a test network, t410f, holds the 20 bytes that
 * Filecoin also writes with `0x` (FIP-0048).
 *
 * @example f410fkkld…amxa is 0x5296…cfef, and names the chain fil:f.
 */
export function filecoinAccount(address: string): Account | undefined {
	const [, network, data = ''] = /^([ft])410f([a-z2-7]{39})$/.exec(address) ?? [];
	const account = decodeFilecoinEvm(data);
	return account && { key: evmKey(account), chain: `fil:${network}` };
}
