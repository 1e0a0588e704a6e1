/*
 * Grøstl-512 for messages of up to 119 bytes, which are one block. Only Groestlcoin needs it: its
 * addresses with 3 have the version of Bitcoin's, so that nothing but this checksum tells them from
 * mistyped ones. This is our own code, because neither `@noble/hashes` nor `@scure/base` has it.
 * `checksums.test.ts` holds it against a digest of its authors and against addresses of Groestlcoin.
 * https://www.groestl.info/Groestl.pdf, sections 3.3 to 3.6
 */

const rounds = 14;
/** Bytes: eight rows in sixteen columns. */
const blockLength = 128;

/** The number of columns by which each row moves, in each of the two permutations. */
const shiftsOfP = [0, 1, 2, 3, 4, 5, 6, 11];
const shiftsOfQ = [1, 3, 5, 11, 0, 2, 4, 6];

/** The first row of the matrix that multiplies a column. Each later row moves right by one. */
const factors = [2, 2, 3, 4, 5, 3, 5, 7];

const doubled = (byte: number) => (byte << 1) ^ (byte & 0x80 ? 0x11b : 0);

/** The S-box of AES. */
function substitutions(): number[] {
	const box = [0x63];
	// `power` runs through the powers of 3, and `inverse` through their inverses (FIPS 197).
	let [power, inverse] = [1, 1];
	do {
		power ^= doubled(power);
		for (const shift of [1, 2, 4]) inverse = (inverse ^ (inverse << shift)) & 0xff;
		if (inverse & 0x80) inverse ^= 0x09;
		const twice = inverse | (inverse << 8);
		box[power] = 0x63 ^ [0, 4, 5, 6, 7].reduce((sum, shift) => sum ^ ((twice >> shift) & 0xff), 0);
	} while (power !== 1);
	return box;
}

function times(factor: number, byte: number): number {
	const [twice, four] = [doubled(byte), doubled(doubled(byte))];
	return (factor & 1 ? byte : 0) ^ (factor & 2 ? twice : 0) ^ (factor & 4 ? four : 0);
}

/**
 * The words that a byte, once it is substituted, adds to its column: for the upper and the lower
 * four rows, by row and byte.
 */
let tables: { upper: Int32Array; lower: Int32Array } | undefined;

function makeTables() {
	const box = substitutions();
	const wordsFrom = (first: number) =>
		Int32Array.from({ length: 8 * 256 }, (_, at) => {
			const [row, byte] = [at >> 8, box[at & 0xff]!];
			// The row `first + next` of the matrix is `factors`, moved right by as many places.
			return [0, 1, 2, 3].reduce(
				(word, next) => (word << 8) | times(factors[(row - first - next + 8) % 8]!, byte),
				0,
			);
		});
	return { upper: wordsFrom(0), lower: wordsFrom(4) };
}

/** A block as words of four bytes: the upper and the lower four rows of each column. */
type Block = Int32Array;

function permute(block: Block, isQ: boolean): Block {
	const { upper, lower } = (tables ??= makeTables());
	const shifts = isQ ? shiftsOfQ : shiftsOfP;
	let state = block;
	for (let round = 0; round < rounds; round++) {
		const before = state.map((word, at) => {
			const constant = ((at >> 1) << 4) ^ round;
			const isLower = at % 2 === 1;
			if (isQ) return ~word ^ (isLower ? constant : 0);
			return word ^ (isLower ? 0 : constant << 24);
		});
		state = new Int32Array(block.length);
		for (let at = 0; at < block.length; at += 2) {
			for (let row = 0; row < 8; row++) {
				const from = (at + 2 * shifts[row]! + (row >> 2)) % block.length;
				const entry = (row << 8) | ((before[from]! >>> (24 - 8 * (row & 3))) & 0xff);
				state[at]! ^= upper[entry]!;
				state[at + 1]! ^= lower[entry]!;
			}
		}
	}
	return state;
}

const xor = (one: Block, other: Block) => one.map((word, at) => word ^ other[at]!);

/** The digest of up to 119 bytes. */
export function groestl512(message: Uint8Array): Buffer {
	const padded = Buffer.alloc(blockLength);
	padded.set(message);
	padded[message.length] = 0x80;
	// A padded message ends with the number of its blocks.
	padded[blockLength - 1] = 1;
	const block = Int32Array.from({ length: blockLength / 4 }, (_, at) => padded.readInt32BE(4 * at));
	const start = new Int32Array(block.length);
	start[start.length - 1] = 512;
	const chained = xor(xor(permute(xor(start, block), false), permute(block, true)), start);
	const digest = Buffer.alloc(blockLength);
	for (const [at, word] of xor(permute(chained, false), chained).entries())
		digest.writeInt32BE(word, 4 * at);
	return digest.subarray(blockLength / 2);
}
