/** Bounceable or not, on the main network: flags of a payment, and not of the account. */
const tags = [0x11, 0x51];

/**
 * The account of TON that an address stands for, as `workchain:hash`; undefined for any other text. One account has three
 * spellings: this one, and two in Base64 of either alphabet, between flags and a checksum (TEP-2).
 */
export function tonAccount(address: string): string | undefined {
	if (/^(0|-1):[0-9a-f]{64}$/i.test(address)) return address.toLowerCase();
	const bytes = Buffer.from(/^[\w+/-]{48}$/.test(address) ? address : '', 'base64');
	if (bytes.length !== 36 || !tags.includes(bytes[0]!) || crc16(bytes) !== 0) return undefined;
	return `${bytes.readInt8(1)}:${bytes.toString('hex', 2, 34)}`;
}

/** CRC-16 of XMODEM; 0 if the bytes end with their own. */
function crc16(bytes: Buffer): number {
	let crc = 0;
	for (const byte of bytes) {
		crc ^= byte << 8;
		for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
	}
	return crc;
}
