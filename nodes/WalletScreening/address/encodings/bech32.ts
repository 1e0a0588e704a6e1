import { bech32, bech32m } from '@scure/base';
import { isOneCase } from '../letterCase';

/* Bech32 and Bech32m, which hold groups of five bits. */

/**
 * The alphabet, in small letters, as a class of a regular expression. CashAddr and Kaspa have the
 * same one.
 */
export const bech32Class = '[02-9ac-hj-np-z]';

const bech32Text = new RegExp(`^[!-~]+1${bech32Class}{6,}$`, 'i');

/** Whether a text has a prefix, a 1 and six characters of a checksum, as in Bech32 (BIP-173). */
export const isBech32Text = (text: string) => bech32Text.test(text) && isOneCase(text);

/**
 * The prefixes whose data is a witness program, with the version in the first group (BIP-173,
 * BIP-350), by chain.
 */
export const segwitPrefixesOfChain = {
	BTC: ['bc', 'tb', 'bcrt'],
	LTC: ['ltc', 'tltc'],
	BTG: ['btg'],
	DGB: ['dgb'],
};
const segwitPrefixes: readonly string[] = Object.values(segwitPrefixesOfChain).flat();

/**
 * The encodings of Bech32. The more likely one comes first, because finding that a checksum does
 * not fit takes longest.
 */
const bech32Encodings = [
	{ encoding: 'Bech32', decode: bech32.decodeUnsafe },
	{ encoding: 'Bech32m', decode: bech32m.decodeUnsafe },
] as const;

/** What a Bech32 text holds. */
interface Bech32Text {
	prefix: string;
	/** Groups of five bits, without the checksum. */
	words: number[];
	encoding: 'Bech32' | 'Bech32m';
}

/**
 * Decodes a Bech32 or Bech32m text: its prefix, and groups of five bits without the checksum;
 * undefined if the checksum does not fit, or the data is no witness program where it has to be one.
 * Texts of over the 90 characters of BIP-173 are taken too, because addresses of Cardano and Zcash
 * are longer.
 */
export function decodeBech32(text: string): Bech32Text | undefined {
	if (!isBech32Text(text)) return undefined;
	for (const { encoding, decode } of bech32Encodings) {
		const decoded = decode(text.toLowerCase(), false);
		if (!decoded) continue;
		const { prefix, words } = decoded;
		const isGood = !segwitPrefixes.includes(prefix) || isWitness(words, encoding);
		return isGood ? { prefix, words, encoding } : undefined;
	}
	return undefined;
}

/**
 * The whole bytes that groups of five bits hold; undefined if what is left over is a group or more,
 * or is not zero.
 */
export const bytesOfWords = (words: number[]) => bech32.fromWordsUnsafe(words) ?? undefined;

/**
 * Whether groups of five bits are a witness program: version 0 with 20 or 32 bytes, a later one
 * with 2 to 40 (BIP-141).
 */
function isWitness([version = 17, ...program]: number[], encoding: string): boolean {
	// If there are no groups, the version is 17, which no address has.
	const length = bytesOfWords(program)?.length ?? 0;
	if (version === 0) return encoding === 'Bech32' && [20, 32].includes(length);
	return encoding === 'Bech32m' && version <= 16 && length >= 2 && length <= 40;
}
