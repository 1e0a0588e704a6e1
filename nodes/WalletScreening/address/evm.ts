import { keccak256 } from './keccak';

/** Whether the case of 40 hexadecimal digits is their checksum (EIP-55). */
export function isChecksummed(digits: string): boolean {
	const small = digits.toLowerCase();
	const hash = keccak256(Buffer.from(small)).toString('hex');
	return [...small].every(
		(digit, at) => digits[at] === (hash[at]! >= '8' ? digit.toUpperCase() : digit),
	);
}
