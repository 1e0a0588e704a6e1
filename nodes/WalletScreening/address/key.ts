import { base32nopad, base58xrp } from '@scure/base';
import { trimInvisible } from '../shared/text';
import {
	bytesOfHex,
	bytesOfWords,
	checkedPayload,
	crc16,
	decodeBase32,
	decodeBase58,
	decodeBech32,
	decodeCashAddr,
	encodeBase58Check,
	isOneCase,
} from './checksums';

/**
 * The account that an address names, as one text: the same for each spelling of it, and another one for another account. Lists,
 * exceptions, comparisons and results of a job find addresses by it. A text of no family below is its own key.
 */
export function addressKey(address: string): string {
	for (const keyIn of families) {
		const key = keyIn(address);
		if (key !== undefined) return key;
	}
	return address;
}

/** Each function gives the key of the spellings that it covers. The first that covers an address counts. */
const families: Array<(address: string) => string | undefined> = [
	hexadecimalKey,
	cashAddrKey,
	base58Key,
	stellarKey,
	tonKey,
	groupedKey,
	spellingKey,
	// Bech32 comes last, because the end of an address of Nano may look like it.
	bech32Key,
];

/**
 * Hexadecimal digits mean the same in capital and small letters. An address of EVM has `0x`, `xdc`, `ronin:` or nothing before 40
 * digits. Those of Aptos, Sui and Starknet may lack zeros at the start. On Tron, 41 and 40 digits are the account of a T address. The
 * raw form of TON has a workchain before 64 digits.
 */
function hexadecimalKey(address: string): string | undefined {
	const [, prefix = '', text = ''] = /^(0x|xdc|ronin:|0:|-1:)?([0-9a-f]+)$/i.exec(address) ?? [];
	const digits = text.toLowerCase();
	switch (prefix.toLowerCase()) {
		case '0:':
		case '-1:':
			return digits.length === 64 ? prefix + digits : undefined;
		case 'xdc':
		case 'ronin:':
			return digits.length === 40 ? `0x${digits}` : undefined;
		case '0x':
			return digits.length === 40 ? `0x${digits}` : `0x${digits.padStart(64, '0')}`;
	}
	if (digits.length === 40 || digits.length === 64) return `0x${digits}`;
	if (digits.length === 42 && digits.startsWith('41')) return encodeBase58Check(bytesOfHex(digits));
	return digits.length > 40 ? digits : undefined;
}

/** Chains whose Bech32 text holds the 20 bytes that the chain also writes with `0x`. */
const evmPrefixes = ['evmos', 'inj', 'io', 'one', 'zil'];

/** Bech32 has no case. */
function bech32Key(address: string): string | undefined {
	if (!isOneCase(address) || !/^[!-~]+1[02-9ac-hj-np-z]{6,}$/i.test(address)) return undefined;
	const small = address.toLowerCase();
	if (!evmPrefixes.includes(small.slice(0, small.lastIndexOf('1')))) return small;
	const decoded = decodeBech32(small);
	const bytes = decoded && bytesOfWords(decoded.words);
	return bytes?.length === 20 ? `0x${Buffer.from(bytes).toString('hex')}` : small;
}

/** Bitcoin Cash: the legacy form of a hash of 20 bytes, with which its CashAddr begins after a version of q, p, z or r. */
function cashAddrKey(address: string): string | undefined {
	const decoded = decodeCashAddr(address);
	if (!decoded) return undefined;
	const { prefix, bytes } = decoded;
	const [version = 0] = bytes;
	const isLegacy = prefix === 'bitcoincash' && bytes.length === 21 && version >> 3 <= 3;
	if (!isLegacy) return `${prefix}:${address.toLowerCase().replace(/^.*:/, '')}`;
	// Kinds 2 and 3 are 0 and 1 with tokens: the same account.
	return encodeBase58Check(Uint8Array.of(version & 8 ? 5 : 0, ...bytes.subarray(1)));
}

/** Versions of a script's hash on Litecoin. */
const [litecoinM, litecoin3] = [0x32, 0x05];

/** Litecoin: the form with 3 of one with M. XRP Ledger: the r address in an X-address without a tag. */
function base58Key(address: string): string | undefined {
	if (address.startsWith('M') && address.length === 34) {
		const bytes = decodeBase58(address);
		const payload = bytes && checkedPayload(bytes);
		if (payload?.length !== 21 || payload[0] !== litecoinM) return undefined;
		return encodeBase58Check(Uint8Array.of(litecoin3, ...payload.subarray(1)));
	}
	if (address.startsWith('X') && address.length === 47) {
		const bytes = decodeBase58(address, base58xrp);
		const payload = bytes && checkedPayload(bytes);
		// Two bytes say what it is, 20 are the account, one is 0 without a tag, and eight are for the tag.
		if (payload?.length !== 31 || payload.readUInt16BE() !== 0x0544 || payload[22] !== 0)
			return undefined;
		return encodeBase58Check(Uint8Array.of(0, ...payload.subarray(2, 22)), base58xrp);
	}
	return undefined;
}

/** Stellar (SEP-23): the account inside a muxed one, with G. A version of one byte comes first, and a CRC-16 last. */
function stellarKey(address: string): string | undefined {
	if (!/^M[A-Z2-7]{68}$/.test(address)) return undefined;
	const bytes = decodeBase32(address);
	if (bytes?.[0] !== 12 << 3 || crc16(bytes.subarray(0, -2)) !== bytes.readUInt16LE(41))
		return undefined;
	const account = Buffer.concat([Uint8Array.of(6 << 3), bytes.subarray(1, 33), Buffer.alloc(2)]);
	account.writeUInt16LE(crc16(account.subarray(0, -2)), 33);
	return base32nopad.encode(account);
}

/** TON (TEP-2): the raw form of an address in Base64 of either alphabet, between flags, which are no part of the account, and a checksum. */
function tonKey(address: string): string | undefined {
	if (address.length !== 48) return undefined;
	// Node makes no bits of any other character.
	const bytes = Buffer.from(address, 'base64');
	if (bytes.length !== 36 || crc16(bytes) !== 0) return undefined;
	// An address is bounceable or not, and perhaps only for a test network.
	const isAddress = [0x11, 0x51].includes(bytes[0]! & 0x7f);
	return isAddress ? `${bytes.readInt8(1)}:${bytes.toString('hex', 2, 34)}` : undefined;
}

/** Wallets of NEM group an address by hyphens, and wallets of Nimiq by spaces. */
function groupedKey(address: string): string | undefined {
	const isGrouped = /^(?:(?=[NTM])(?:[A-Z2-7]{6}-){6}[A-Z2-7]{3,4}|NQ\d\d(?: [0-9A-Z]{4}){8})$/;
	return isGrouped.test(address) ? address.replace(/[- ]/g, '') : undefined;
}

/** The spellings of a family that differ only in what is left out, and in case. */
interface Spelling {
	pattern: RegExp;
	/** The key, with the groups of the pattern. */
	key: string;
	hasCase: boolean;
}

const spellings: Spelling[] = [
	// Nano had another name before.
	{ pattern: /^(?:nano|xrb)_([13][13-9a-km-uw-z]{59})$/i, key: 'nano_$1', hasCase: false },
	// An address of Conflux may hold its type.
	{ pattern: /^(cfx\w*):(?:type\.\w+:)?(\w{42})$/i, key: '$1:$2', hasCase: false },
	// An account of Hedera may have a checksum (HIP-15).
	{ pattern: /^(\d+\.\d+\.\d+)-[a-z]{5}$/, key: '$1', hasCase: true },
	// Kaspa and its like have a prefix before an alphabet without case.
	{ pattern: /^([a-z]+:[02-9ac-hj-np-z]{42,})$/i, key: '$1', hasCase: false },
	// Names have no case.
	{ pattern: /^([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})$/i, key: '$1', hasCase: false },
];

function spellingKey(address: string): string | undefined {
	const spelling = spellings.find(({ pattern }) => pattern.test(address));
	if (!spelling) return undefined;
	const key = address.replace(spelling.pattern, spelling.key);
	return spelling.hasCase ? key : key.toLowerCase();
}

/** The key of a chain, which is the same for each spelling of its name; empty for a value that names none. */
export function chainKey(chain: unknown): string {
	return typeof chain === 'string' ? trimInvisible(chain).toLowerCase() : '';
}

/** Whether a report is not of the chain that was asked for, if one was: an address may be clean on one and not on another. */
export function isOtherChain(requested: unknown, reported: unknown): boolean {
	return chainKey(requested) !== '' && chainKey(requested) !== chainKey(reported);
}
