import { base58xrp } from '@scure/base';
import {
	checkedPayload,
	decodeBase58,
	decodeBech32,
	decodeCashAddr,
	isChecksummed,
	isGroestlcoin,
	isOneCase,
	isPolkadot,
	isSkycoin,
} from './checksums';
import { type AddressPattern, checksumPatterns, shapes } from './formats';

/** The result of a check of an address, which needs no request. */
interface Check {
	/** `none`: the format has no checksum, or is not known. */
	checksum: 'valid' | 'invalid' | 'none';
	/** The format of the address, or the one that it is meant to have; null if it is not known. */
	format: string | null;
	/** The symbols of chains that use the format, as far as known. */
	chains: string[];
	/** Sentences that a person should know. */
	findings: string[];
}

/**
 * Checks an address by the checksum of its format. It is `valid` if a checksum fits, whatever the chain. It is `invalid` only
 * where that is certain: it has the prefix, the length and the alphabet of a format in `formats.ts`, and no checksum of that
 * format fits; or the checksum fits as soon as one character of a prefix is replaced. All else is `none`. `address` is trimmed.
 */
export function checkAddress(address: string): Check {
	const known = checkKnown(address);
	if (known) return known;
	const meant = checksumPatterns.find((pattern) => isMeant(address, pattern));
	if (meant) return invalid(meant, meant.format === 'EVM' ? wrongLength : wrongChecksum);
	const mended = findMendedPrefix(address);
	if (mended)
		return invalid(mended, `Its beginning is mistyped: with ${mended.prefix} its checksum fits.`);
	return unverified({ format: null, chains: [] });
}

/** Whether a text has a format that the nodes know, with a checksum that fits where there is one. */
export function isOfKnownFormat(text: string): boolean {
	const known = checkKnown(text);
	return known !== undefined && known.checksum !== 'invalid';
}

function checkKnown(address: string): Check | undefined {
	const evm = checkEvm(address);
	if (evm) return evm;
	const verified = verify(address) ?? verifyVariant(address);
	if (verified) return valid(verified);
	const other = formatWithoutChecksum(address);
	return other && unverified(other);
}

type Format = Pick<AddressPattern, 'chains'> & { format: string | null };

/** Checks an address of Ethereum's kind. Without its prefix it may be something else. */
function checkEvm(address: string): Check | undefined {
	const [, prefix = '', digits] = /^(0x|xdc|ronin:)?([0-9a-f]{40})$/i.exec(address) ?? [];
	if (digits === undefined) return undefined;
	const known = {
		format: 'EVM',
		chains: chainsOf('EVM', `${prefix.toLowerCase() || '0x'}${digits}`),
	};
	if (isOneCase(digits)) return unverified(known);
	if (isChecksummed(digits)) return valid(known);
	return prefix === '' ? unverified(known) : invalid(known, wrongCase);
}

/** The format whose checksum fits. */
function verify(address: string): Format | undefined {
	return verifyBase58(address) ?? verifyBech32(address) ?? verifyCashAddr(address);
}

function verifyBase58(address: string): Format | undefined {
	const mayBeRipple = address.startsWith('r') || (address.startsWith('X') && address.length === 47);
	const ripple = mayBeRipple ? decodeBase58(address, base58xrp) : undefined;
	if (ripple && checkedPayload(ripple)) return { format: 'XRP Ledger', chains: ['XRP'] };
	const bytes = decodeBase58(address);
	if (!bytes) return undefined;
	if (checkedPayload(bytes)) return withChains('Base58Check', address);
	return isPolkadot(bytes) ? withChains('Polkadot', address) : undefined;
}

/** Chains whose addresses have the prefix, the length and the alphabet of another format, but a checksum of their own. */
function verifyVariant(address: string): Format | undefined {
	const bytes = address.length <= 35 ? decodeBase58(address) : undefined;
	if (!bytes) return undefined;
	if (isSkycoin(bytes)) return { format: 'Skycoin', chains: ['SKY'] };
	return isGroestlcoin(bytes) ? { format: 'Groestlcoin', chains: ['GRS'] } : undefined;
}

function verifyBech32(address: string): Format | undefined {
	// Avalanche and its like put the letter of a chain before an address.
	const bare = /^[A-Z]-/.test(address) ? address.slice(2) : address;
	const encoding = decodeBech32(bare)?.encoding;
	return encoding && { format: encoding, chains: chainsOf('Bech32', bare.toLowerCase()) };
}

function verifyCashAddr(address: string): Format | undefined {
	const decoded = decodeCashAddr(address);
	return (
		decoded && {
			format: 'CashAddr',
			chains: chainsOf('CashAddr', `${decoded.prefix}:${'q'.repeat(42)}`),
		}
	);
}

const withChains = (format: string, address: string): Format => ({
	format,
	chains: chainsOf(format, address),
});

const hasLengthOf = (address: string, { minLength, maxLength }: AddressPattern) =>
	address.length >= minLength && address.length <= maxLength;

const chainsOf = (format: string, address: string) =>
	checksumPatterns.find(
		(one) => one.format === format && hasLengthOf(address, one) && address.startsWith(one.prefix),
	)?.chains ?? [];

function formatWithoutChecksum(address: string): Format | undefined {
	const shape = shapes.find(({ pattern }) => pattern.test(address));
	if (shape) return shape;
	// An address has capital and small letters, or many ones, as those of programs have. Mistyped Bech32 has neither.
	const isVaried = !isNearlyOneCase(address) || address.includes('111');
	const mayBeSolana = address.length <= 44 && isVaried;
	const isSolana = mayBeSolana && decodeBase58(address)?.length === 32;
	return isSolana ? { format: 'Solana', chains: ['SOL'] } : undefined;
}

function isMeant(address: string, pattern: AddressPattern): boolean {
	if (!hasLengthOf(address, pattern)) return false;
	const { prefix, rest, hasCase } = pattern;
	const start = address.slice(0, prefix.length);
	const others = address.slice(prefix.length);
	const isPrefix = hasCase ? start === prefix : start.toLowerCase() === prefix;
	return isPrefix && rest.test(others) && (hasCase || isNearlyOneCase(others));
}

/** Whether at most one letter is of another case than the others. */
const isNearlyOneCase = (text: string) =>
	[/[a-z]/g, /[A-Z]/g].some((letters) => (text.match(letters) ?? []).length <= 1);

/**
 * Finds the format whose prefix has one character replaced, left out or added at the beginning of an address: that the checksum fits
 * with the right prefix is no accident. One letter is a prefix only where a character stands in its place.
 */
function findMendedPrefix(address: string): AddressPattern | undefined {
	return checksumPatterns.find((pattern) => {
		const { prefix, hasCase } = pattern;
		const text = hasCase ? address : address.toLowerCase();
		const lengths = prefix.length === 1 ? [1] : [-1, 0, 1].map((more) => prefix.length + more);
		return lengths.some((length) => {
			if (!differsInOne(text.slice(0, length), prefix)) return false;
			const mended = prefix + text.slice(length);
			return hasLengthOf(mended, pattern) && isVerified(mended);
		});
	});
}

const isVerified = (address: string) =>
	checkEvm(address)?.checksum === 'valid' || verify(address) !== undefined;

/** Whether one text becomes the other if one character is replaced, left out or added. */
function differsInOne(one: string, other: string): boolean {
	let at = 0;
	while (at < one.length && one[at] === other[at]) at++;
	const rest = one.slice(at + Number(one.length >= other.length));
	return one !== other && rest === other.slice(at + Number(other.length >= one.length));
}

const wrongChecksum = 'Its checksum is wrong: a character is missing, added or mistyped.';
const wrongCase = 'Its capital and small letters do not fit its checksum: one is mistyped.';
const wrongLength = 'An EVM address is 0x and 40 hexadecimal digits, and this one is not.';

// Each check has lists of its own: a later node may change them.
const valid = ({ format, chains }: Format): Check => ({
	checksum: 'valid',
	format,
	chains: [...chains],
	findings: [],
});

const invalid = ({ format, chains }: Format, finding: string): Check => ({
	checksum: 'invalid',
	format,
	chains: [...chains],
	findings: [finding],
});

function unverified({ format, chains }: Format): Check {
	const why = format ? 'this format has no checksum to verify' : 'the format is not known';
	const findings = [`A mistyped character would go unnoticed: ${why}.`];
	return { checksum: 'none', format, chains: [...chains], findings };
}
