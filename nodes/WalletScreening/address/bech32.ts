const charset = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const checksumLength = 6;

/** By what the checksum gives: BIP-173, and BIP-350 with its other constant. */
const encodings: Record<number, 'Bech32' | 'Bech32m'> = { 1: 'Bech32', 0x2bc830a3: 'Bech32m' };

/** What a Bech32 text holds: `data` in groups of five bits, without the checksum. */
type Bech32 = NonNullable<ReturnType<typeof decodeBech32>>;

/**
 * Decodes Bech32 or Bech32m with any prefix; undefined if the checksum does not fit. Longer texts than the 90 characters of
 * BIP-173 are taken too, because addresses of Cardano and Zcash are longer.
 */
export function decodeBech32(text: string) {
	const small = text.toLowerCase();
	if (text !== small && text !== text.toUpperCase()) return undefined;
	const separator = small.lastIndexOf('1');
	const prefix = small.slice(0, Math.max(0, separator));
	const data = symbolsOf(small.slice(separator + 1));
	if (!/^[!-~]+$/.test(prefix) || !data || data.length < checksumLength) return undefined;
	const codes = [...prefix].map((character) => character.charCodeAt(0));
	const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
	const encoding = encodings[polymod([...expanded, ...data])];
	return encoding && { prefix, data: data.slice(0, -checksumLength), encoding };
}

/**
 * Whether the data is a witness program: version 0 in Bech32 with 20 or 32 bytes, a later one in Bech32m with 2 to 40
 * (BIP-141, BIP-350).
 */
export function isWitness({ data: [version, ...program], encoding }: Bech32): boolean {
	const bytes = bytesIn(program);
	if (version === undefined || bytes === undefined || version > 16) return false;
	return version === 0
		? encoding === 'Bech32' && (bytes === 20 || bytes === 32)
		: encoding === 'Bech32m' && bytes >= 2 && bytes <= 40;
}

/** The values of characters of this charset, which CashAddr has too; undefined if there is any other. */
export function symbolsOf(text: string): number[] | undefined {
	const symbols = [...text].map((character) => charset.indexOf(character));
	return symbols.includes(-1) ? undefined : symbols;
}

/** The whole bytes that groups of five bits hold. */
export function bytesOf(groups: number[]): Buffer {
	const bits = groups.map((group) => group.toString(2).padStart(5, '0')).join('');
	return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** How many whole bytes groups of five bits hold; undefined if what is left over is a group or more, or is not zero. */
export function bytesIn(groups: number[]): number | undefined {
	const leftOver = (groups.length * 5) % 8;
	const isClean = leftOver < 5 && ((groups.at(-1) ?? 0) & ((1 << leftOver) - 1)) === 0;
	return isClean ? (groups.length * 5 - leftOver) / 8 : undefined;
}

function polymod(values: number[]): number {
	return values.reduce((checksum, value) => {
		const top = checksum >>> 25;
		const shifted = ((checksum & 0x1ffffff) << 5) ^ value;
		return generator.reduce((sum, term, bit) => ((top >> bit) & 1 ? sum ^ term : sum), shifted);
	}, 1);
}
