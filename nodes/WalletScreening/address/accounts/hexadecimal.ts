import { encodeBase58Check } from '../encodings/base58';
import { bytesOfHex } from '../encodings/hexadecimal';
import { splitEvm } from '../formats';
import type { Account } from './account';

/* The accounts whose spellings are hexadecimal digits, or a number. */

/**
 * An account of EVM is 40 hexadecimal digits, which mean the same in capital and small letters and
 * with each prefix.
 *
 * @example xdcAC1E…b309 is 0xac1e…b309, and names the chain xdc.
 */
export function evmAccount(address: string): Account | undefined {
	const evm = splitEvm(address);
	if (!evm) return undefined;
	const key = `0x${evm.digits.toLowerCase()}`;
	const namesChain = evm.prefix !== '' && evm.prefix !== '0x';
	return { key, ...(namesChain && { chain: evm.prefix.replace(':', '') }) };
}

/**
 * Hexadecimal digits of other lengths than those of EVM.
 *
 * @example 0x2 is 0x0000…0002, 9879…D6DE is 0x9879…d6de, and 41A6…D13C and 0x41a6…d13c are TR7N…Lj6t.
 */
export function hexadecimalAccount(address: string): Account | undefined {
	const [, prefix = '', text = ''] = /^(0x)?([0-9a-f]+)$/i.exec(address) ?? [];
	const digits = text.toLowerCase();
	// The account of a T address. No other chain leaves out the 22 zeros at the start of an account.
	const isTron = digits.length === 42 && digits.startsWith('41');
	if (isTron) return { key: encodeBase58Check(bytesOfHex(digits)) };
	// An account of Aptos, Sui or Starknet, which may lack zeros at its start after `0x`.
	if (prefix !== '' || digits.length === 64) return { key: `0x${digits.padStart(64, '0')}` };
	// A shorter text may be of another alphabet, which has case.
	return digits.length > 40 ? { key: digits } : undefined;
}

/**
 * The number of an account of Hedera, which may have a checksum (HIP-15), is also the last of the 20
 * bytes that Hedera writes with `0x`.
 *
 * @example 0.0.123-vfmkw is 0x0000…007b, and names the chain hedera.
 */
export function hederaAccount(address: string): Account | undefined {
	const [, number] = /^0\.0\.(\d{1,19})(?:-[a-z]{5})?$/.exec(address) ?? [];
	if (number === undefined) return undefined;
	return { key: `0x${BigInt(number).toString(16).padStart(40, '0')}`, chain: 'hedera' };
}
