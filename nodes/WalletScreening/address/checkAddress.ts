import { base58xrp } from '@scure/base';
import {
	checkedPayload,
	decodeBase58,
	isGroestlcoin,
	isSkycoin,
	splitSubstrate,
} from './encodings/base58';
import { decodeBech32 } from './encodings/bech32';
import { decodeCashAddr } from './encodings/cashAddr';
import { isChecksummed } from './encodings/hexadecimal';
import {
	type AddressPattern,
	addressShapes,
	checksumPatterns,
	mayBeXAddress,
	splitChain,
	splitEvm,
} from './formats';
import { isNearlyOneCase, isOneCase } from './letterCase';

/** The result of a check of an address, which needs no request. */
export interface AddressCheck {
	/** `none`: the node verifies no checksum of it, or its format is not known. */
	checksum: 'valid' | 'invalid' | 'none';
	/** The format of the address, or the one that it is meant to have; null if it is not known. */
	format: string | null;
	/** The symbols of chains that use the format, as far as known. */
	chains: string[];
	/** Sentences that a person should know. */
	findings: string[];
}

/**
 * Checks an address by the checksum of its format. It is `valid` if the checksum of any chain fits.
 * It is `invalid` only where that is certain: then it is mistyped. All else is `none`. `address` is
 * trimmed.
 *
 * @example The first pass that applies decides:
 *
 *     address                                      pass                  checksum
 *     0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045   checkEvm              valid
 *     0xd8da6bf26964af9d7eed9e03e53415d37aa96045   checkEvm              none: one case
 *     0xd8da6BF26964aF9D7eEd9e03E53415D37aA96045   checkEvm              invalid: a small letter
 *     1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa           checkByChecksum       valid: Bitcoin
 *     31inaRqambLsd9D7Ke4USZmGEVd3PHkh7P           checkByOtherHash      valid: Groestlcoin
 *     So11111111111111111111111111111111111111112  checkWithoutChecksum  none: Solana
 *     1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb           checkByResemblance    invalid: ends with b
 *     lA1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa           checkByPrefix         invalid: begins with l
 *     Customer                                     -                     none: no known format
 *
 * A text with the name of a chain before it, as eth:0xd8dA…6045, is checked without that, too.
 */
export function checkAddress(address: string): AddressCheck {
	const passes = [...passesForKnown, ...passesForMistyped];
	const bare = splitChain(address)?.bare;
	return (
		firstCheck(passes, address) ??
		(bare === undefined ? undefined : firstCheck(passes, bare)) ??
		createUnverifiedCheck({ format: null, chains: [] })
	);
}

/**
 * Whether a text has a format that the nodes know, with a checksum that fits where there is one.
 */
export function isOfKnownFormat(text: string): boolean {
	const known = firstCheck(passesForKnown, text);
	return known !== undefined && known.checksum !== 'invalid';
}

/** Checks the addresses that it applies to; undefined leaves an address to the next pass. */
type Pass = (address: string) => AddressCheck | undefined;

/** The passes for addresses of a known format, in their order. */
const passesForKnown: readonly Pass[] = [
	checkEvm,
	checkByChecksum,
	checkByOtherHash,
	checkWithoutChecksum,
];

/** The passes for what is certainly a mistyped address, in their order. They come after the others. */
const passesForMistyped: readonly Pass[] = [checkByResemblance, checkByPrefix];

function firstCheck(passes: readonly Pass[], address: string): AddressCheck | undefined {
	for (const check of passes) {
		const result = check(address);
		if (result) return result;
	}
	return undefined;
}

/** The format of an address, if it is known, and the chains that use it. */
interface Format {
	format: string | null;
	chains: readonly string[];
}

/** Checks an address of Ethereum's kind. Without its prefix it may be something else. */
function checkEvm(address: string): AddressCheck | undefined {
	const evm = splitEvm(address);
	if (!evm) return undefined;
	const { prefix, digits } = evm;
	const known = createFormat('EVM', `${prefix || '0x'}${digits}`);
	if (isOneCase(digits)) return createUnverifiedCheck(known);
	if (isChecksummed(digits)) return createValidCheck(known);
	return prefix === '' ? createUnverifiedCheck(known) : createInvalidCheck(known, wrongCase);
}

/** Checks an address whose checksum fits. */
function checkByChecksum(address: string): AddressCheck | undefined {
	const format = findFormatByChecksum(address);
	return format && createValidCheck(format);
}

/** Finds the format whose checksum fits. Those of `checkByOtherHash` are not among them. */
function findFormatByChecksum(address: string): Format | undefined {
	return findBase58Format(address) ?? findBech32Format(address) ?? findCashAddrFormat(address);
}

function findBase58Format(address: string): Format | undefined {
	const mayBeXrp = address.startsWith('r') || mayBeXAddress(address);
	const xrp = mayBeXrp ? decodeBase58(address, base58xrp) : undefined;
	if (xrp && checkedPayload(xrp)) return { format: 'XRP Ledger', chains: ['XRP'] };
	const bytes = decodeBase58(address);
	if (!bytes) return undefined;
	if (checkedPayload(bytes)) return createFormat('Base58Check', address);
	return splitSubstrate(bytes) ? createFormat('Polkadot', address) : undefined;
}

function findBech32Format(address: string): Format | undefined {
	// Avalanche and its like put the letter of a chain before an address.
	const bare = /^[A-Z]-/.test(address) ? address.slice(2) : address;
	const encoding = decodeBech32(bare)?.encoding;
	return encoding && { format: encoding, chains: findChains('Bech32', bare.toLowerCase()) };
}

function findCashAddrFormat(address: string): Format | undefined {
	const decoded = decodeCashAddr(address);
	if (!decoded) return undefined;
	// The prefix names the chain, also where it was left out: decoding finds which one it was.
	const prefix = `${decoded.prefix}:`;
	const pattern = checksumPatterns.find(
		(one) => one.format === 'CashAddr' && one.prefix === prefix,
	);
	return { format: 'CashAddr', chains: pattern?.chains ?? [] };
}

const createFormat = (format: string, address: string): Format => ({
	format,
	chains: findChains(format, address),
});

const hasLengthOf = (address: string, { minLength, maxLength }: AddressPattern) =>
	address.length >= minLength && address.length <= maxLength;

const findChains = (format: string, address: string) =>
	checksumPatterns.find(
		(one) => one.format === format && hasLengthOf(address, one) && address.startsWith(one.prefix),
	)?.chains ?? [];

/**
 * Checks an address whose format has the prefix, the length and the alphabet of another one, and
 * whose own kind of checksum fits. An address of Groestlcoin that begins with 3 looks like one of
 * Bitcoin, but its checksum is made with another hash.
 */
function checkByOtherHash(address: string): AddressCheck | undefined {
	const bytes = address.length <= 35 ? decodeBase58(address) : undefined;
	if (!bytes) return undefined;
	if (isSkycoin(bytes)) return createValidCheck({ format: 'Skycoin', chains: ['SKY'] });
	if (isGroestlcoin(bytes)) return createValidCheck({ format: 'Groestlcoin', chains: ['GRS'] });
	return undefined;
}

/** Checks an address of a format without a checksum. */
function checkWithoutChecksum(address: string): AddressCheck | undefined {
	const shape = addressShapes.find(({ pattern }) => pattern.test(address));
	if (shape) return createUnverifiedCheck(shape);
	// An address has capital and small letters, or the digit 1 three times in a row, as those of
	// programs have. Mistyped Bech32 has neither.
	const isVaried = !isNearlyOneCase(address) || address.includes('111');
	const mayBeSolana = address.length <= 44 && isVaried;
	const isSolana = mayBeSolana && decodeBase58(address)?.length === 32;
	if (!isSolana) return undefined;
	return createUnverifiedCheck({ format: 'Solana', chains: ['SOL'] });
}

/**
 * Checks a text that has the prefix, the length and, but for one character, the alphabet of a
 * format in `formats.ts`. No checksum of that format fits, because an earlier pass would have found
 * it.
 */
function checkByResemblance(address: string): AddressCheck | undefined {
	const pattern = checksumPatterns.find((one) => resembles(address, one));
	if (!pattern) return undefined;
	const isEvm = pattern.format === 'EVM';
	return createInvalidCheck(pattern, isEvm ? describeEvm(pattern.prefix) : wrongChecksum);
}

function resembles(address: string, pattern: AddressPattern): boolean {
	if (!hasLengthOf(address, pattern)) return false;
	const { prefix, afterPrefix, hasCase } = pattern;
	const start = address.slice(0, prefix.length);
	const end = address.slice(prefix.length);
	const hasPrefix = hasCase ? start === prefix : start.toLowerCase() === prefix;
	return hasPrefix && afterPrefix.test(end) && (hasCase || isNearlyOneCase(end));
}

/**
 * Checks a text that begins with the prefix of a format, but for one character that is replaced,
 * left out or added: that the checksum fits with the right prefix is no accident.
 */
function checkByPrefix(address: string): AddressCheck | undefined {
	const pattern = checksumPatterns.find((one) => hasTypoInPrefix(address, one));
	if (!pattern) return undefined;
	const finding = `Its beginning is mistyped: with ${pattern.prefix} its checksum fits.`;
	return createInvalidCheck(pattern, finding);
}

function hasTypoInPrefix(address: string, pattern: AddressPattern): boolean {
	const { prefix, hasCase } = pattern;
	const text = hasCase ? address : address.toLowerCase();
	// In a prefix of one letter, only a replaced letter counts.
	const lengths = prefix.length === 1 ? [1] : [-1, 0, 1].map((more) => prefix.length + more);
	return lengths.some((length) => {
		if (!differsInOne(text.slice(0, length), prefix)) return false;
		const corrected = prefix + text.slice(length);
		return hasLengthOf(corrected, pattern) && hasValidChecksum(corrected);
	});
}

/**
 * Whether the checksum of an address with a corrected prefix fits. One of `checkByOtherHash` does
 * not count: an address of Groestlcoin, whose beginning was corrected to the 3 of Bitcoin,
 * would be called a mistyped one of Bitcoin.
 */
const hasValidChecksum = (address: string) =>
	checkEvm(address)?.checksum === 'valid' || findFormatByChecksum(address) !== undefined;

/** Whether one text becomes the other if one character is replaced, left out or added. */
function differsInOne(one: string, other: string): boolean {
	let at = 0;
	while (at < one.length && one[at] === other[at]) at++;
	if (one === other) return false;
	const [rest, otherRest] = [one.slice(at), other.slice(at)];
	const isReplaced = rest.slice(1) === otherRest.slice(1);
	const isAdded = rest.slice(1) === otherRest;
	const isLeftOut = rest === otherRest.slice(1);
	return isReplaced || isAdded || isLeftOut;
}

const wrongChecksum = 'Its checksum is wrong: a character is missing, added or mistyped.';
const wrongCase = 'Its capital and small letters do not fit its checksum: one is mistyped.';
const describeEvm = (prefix: string) =>
	`An EVM address is ${prefix} and 40 hexadecimal digits, and this one is not.`;

// Each check has lists of its own: a later node may change them.
const createValidCheck = ({ format, chains }: Format): AddressCheck => ({
	checksum: 'valid',
	format,
	chains: [...chains],
	findings: [],
});

const createInvalidCheck = ({ format, chains }: Format, finding: string): AddressCheck => ({
	checksum: 'invalid',
	format,
	chains: [...chains],
	findings: [finding],
});

function createUnverifiedCheck({ format, chains }: Format): AddressCheck {
	const why = format
		? 'the node has no checksum to verify in this spelling'
		: 'the format is not known';
	const findings = [`A mistyped character would go unnoticed: ${why}.`];
	return { checksum: 'none', format, chains: [...chains], findings };
}
