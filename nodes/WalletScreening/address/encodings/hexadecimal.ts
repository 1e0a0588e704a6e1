import { keccak_256 } from '@noble/hashes/sha3';
import { sha256 } from '../../shared/sha256';

/* Hexadecimal digits, and the checksum in the capital letters of those of Ethereum's kind. */

/** The bytes that hexadecimal digits stand for. */
export const bytesOfHex = (digits: string) => Buffer.from(digits, 'hex');

/** Says whether the letter at a place of 40 hexadecimal digits is a capital. */
type IsCapital = (at: number) => boolean;

/** EIP-55: a letter is a capital if the digit at its place in the Keccak-256 hash is 8 or more. */
function eip55(message: string): IsCapital {
	const digest = keccak_256(message);
	return (at) => (digest[at >> 1]! & (at % 2 === 0 ? 0x80 : 0x08)) !== 0;
}

/** Wanchain has capital letters where EIP-55 has small ones. */
function wanchain(digits: string): IsCapital {
	const isCapital = eip55(digits);
	return (at) => !isCapital(at);
}

/** EIP-1191 puts the ID of the chain before the address. */
const eip1191 = (chainId: number) => (digits: string) => eip55(`${chainId}0x${digits}`);

/** Zilliqa looks at each sixth bit of a hash of the bytes. */
function zilliqa(digits: string): IsCapital {
	const digest = sha256(bytesOfHex(digits));
	return (at) => (digest[(6 * at) >> 3]! & (0x80 >> ((6 * at) & 7))) !== 0;
}

/** How chains make a checksum of capital letters. Each takes the digits in small letters. */
const capitalRules: Array<(digits: string) => IsCapital> = [
	eip55,
	wanchain,
	// Rootstock, and its test network.
	eip1191(30),
	eip1191(31),
	zilliqa,
];

/** Whether the case of 40 digits is a checksum of EIP-55, EIP-1191, Wanchain or Zilliqa. */
export function isChecksummed(digits: string): boolean {
	const small = digits.toLowerCase();
	return capitalRules.some((rule) => {
		const isCapital = rule(small);
		return Array.from(small).every(
			(digit, at) => digits[at] === (isCapital(at) ? digit.toUpperCase() : digit),
		);
	});
}
