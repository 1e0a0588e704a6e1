import { blake2b } from '@noble/hashes/blake2';
import { base32nopad } from '@scure/base';

/* Base32, and the checksum of Filecoin in it. */

/** Decodes a text in Base32; undefined for any other. */
export function decodeBase32(text: string): Buffer | undefined {
	try {
		return Buffer.from(base32nopad.decode(text));
	} catch {
		return undefined;
	}
}

/**
 * The 20 bytes in the data of a delegated address of Filecoin that is of Ethereum's kind (FIP-0048);
 * undefined if the four bytes at the end are not the checksum.
 */
export function decodeFilecoinEvm(data: string): Buffer | undefined {
	const bytes = decodeBase32(data.toUpperCase());
	if (bytes?.length !== 24) return undefined;
	const account = bytes.subarray(0, 20);
	// The checksum is also of the protocol, 4, and of the namespace, 10.
	const checksum = blake2b(Uint8Array.of(4, 10, ...account), { dkLen: 4 });
	return bytes.subarray(20).equals(checksum) ? account : undefined;
}
