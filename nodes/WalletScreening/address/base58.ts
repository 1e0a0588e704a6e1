import { createHash } from 'crypto';

const bitcoin = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** The same characters in the order of the XRP Ledger. */
const ripple = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

const alphabets = { bitcoin, ripple };
/** No longer text is an address or a key; the time to decode one grows with the square of its length. */
const longest = 128;

/** The bytes that a text stands for in Base58; undefined if it contains any other character. */
export function decodeBase58(
	text: string,
	alphabet: keyof typeof alphabets = 'bitcoin',
): Buffer | undefined {
	const characters = alphabets[alphabet];
	if (text === '' || text.length > longest) return undefined;
	/** Least significant byte first. */
	const bytes: number[] = [];
	for (const character of text) {
		let carry = characters.indexOf(character);
		if (carry < 0) return undefined;
		for (let at = 0; at < bytes.length; at++) {
			carry += bytes[at]! * 58;
			bytes[at] = carry & 0xff;
			carry >>= 8;
		}
		if (carry > 0) bytes.push(carry);
	}
	// Each zero at the start stands for a byte.
	for (let at = 0; text[at] === characters[0]; at++) bytes.push(0);
	return Buffer.from(bytes.reverse());
}

/** What Base58Check protects, version first; undefined if the four bytes at the end are not its checksum. */
export function checkedPayload(bytes: Buffer): Buffer | undefined {
	const payload = bytes.subarray(0, -4);
	const isIntact = sha256(sha256(payload)).subarray(0, 4).equals(bytes.subarray(-4));
	return bytes.length > 4 && isIntact ? payload : undefined;
}

function sha256(bytes: Buffer): Buffer {
	return createHash('sha256').update(bytes).digest();
}
