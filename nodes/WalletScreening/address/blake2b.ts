const initial = `0x6a09e667f3bcc908 0xbb67ae8584caa73b 0x3c6ef372fe94f82b 0xa54ff53a5f1d36f1
	0x510e527fade682d1 0x9b05688c2b3e6c1f 0x1f83d9abfb41bd6b 0x5be0cd19137e2179`
	.split(/\s+/)
	.map(BigInt);
/** The words of the message in the order of each round, as hexadecimal digits; the first two come again at the end. */
const permutations =
	`0123456789abcdef ea489fd61c02b753 b8c052fdae367194 7931dcbe265a40f8 905724afe1bc683d
	2c6a0b834d75fe19 c51fed4a0763928b db7ec13950f4862a 6fe9b308c2d714a5 a2847615fb9e3cd0`.split(/\s+/);
const orders = [...permutations, ...permutations.slice(0, 2)];
/** The places of the columns of a square of four by four, and then of its diagonals. */
const columns = Array.from({ length: 8 }, (_, at): Four => {
	const place = (row: number) => 4 * row + ((at + (at < 4 ? 0 : row)) % 4);
	return [place(0), place(1), place(2), place(3)];
});
type Four = [number, number, number, number];

/** BLAKE2b with 32 bytes and no key (RFC 7693) of at most 128 bytes. Slow: it is for the few addresses that may need it. */
export function blake2b256(message: Buffer): Buffer {
	const block = Buffer.alloc(128);
	block.set(message);
	const words = Array.from({ length: 16 }, (_, at) => block.readBigUInt64LE(8 * at));
	const state = initial.with(0, initial[0]! ^ 0x01010020n);
	const v = BigUint64Array.of(...state, ...initial);
	v[12]! ^= BigInt(message.length);
	v[14] = ~v[14]!;
	for (const order of orders) {
		columns.forEach((places, column) => {
			const [x, y] = [0, 1].map((side) => words[parseInt(order[2 * column + side]!, 16)]!);
			mix(v, places, [x!, 32n, 24n]);
			mix(v, places, [y!, 16n, 63n]);
		});
	}
	const digest = Buffer.alloc(32);
	for (let at = 0; at < 4; at++) digest.writeBigUInt64LE(state[at]! ^ v[at]! ^ v[at + 8]!, 8 * at);
	return digest;
}

/** Half of the function G. An array of 64-bit numbers keeps of each sum what fits. */
function mix(
	v: BigUint64Array,
	[a, b, c, d]: Four,
	[word, first, second]: [bigint, bigint, bigint],
) {
	v[a]! += v[b]! + word;
	v[d] = rotated(v[d]! ^ v[a]!, first);
	v[c]! += v[d]!;
	v[b] = rotated(v[b]! ^ v[c]!, second);
}

const rotated = (value: bigint, by: bigint) => (value >> by) | (value << (64n - by));
