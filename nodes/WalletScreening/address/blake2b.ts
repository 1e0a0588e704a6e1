const initial = [
	0x6a09e667f3bcc908n,
	0xbb67ae8584caa73bn,
	0x3c6ef372fe94f82bn,
	0xa54ff53a5f1d36f1n,
	0x510e527fade682d1n,
	0x9b05688c2b3e6c1fn,
	0x1f83d9abfb41bd6bn,
	0x5be0cd19137e2179n,
];
const orders = [
	'0123456789abcdef',
	'ea489fd61c02b753',
	'b8c052fdae367194',
	'7931dcbe265a40f8',
	'905724afe1bc683d',
	'2c6a0b834d75fe19',
	'c51fed4a0763928b',
	'db7ec13950f4862a',
	'6fe9b308c2d714a5',
	'a2847615fb9e3cd0',
	'0123456789abcdef',
	'ea489fd61c02b753',
];
const columns = [
	[0, 4, 8, 12],
	[1, 5, 9, 13],
	[2, 6, 10, 14],
	[3, 7, 11, 15],
	[0, 5, 10, 15],
	[1, 6, 11, 12],
	[2, 7, 8, 13],
	[3, 4, 9, 14],
];

/** BLAKE2b with 32 bytes and no key (RFC 7693) of at most 128 bytes. Slow: it is for the few addresses that may need it. */
export function blake2b256(message: Buffer): Buffer {
	const block = Buffer.alloc(128);
	block.set(message);
	const words = Array.from({ length: 16 }, (_, at) => block.readBigUInt64LE(8 * at));
	const state = initial.with(0, initial[0]! ^ 0x01010020n);
	const v = [...state, ...initial];
	v[12]! ^= BigInt(message.length);
	v[14] = wrap(~v[14]!);
	for (const order of orders) {
		columns.forEach(([a, b, c, d], column) => {
			const [x, y] = [0, 1].map((side) => words[parseInt(order[2 * column + side]!, 16)]!);
			mix(v, [a!, b!, c!, d!], [x!, 32n, 24n]);
			mix(v, [a!, b!, c!, d!], [y!, 16n, 63n]);
		});
	}
	const digest = Buffer.alloc(32);
	for (let at = 0; at < 4; at++) digest.writeBigUInt64LE(state[at]! ^ v[at]! ^ v[at + 8]!, 8 * at);
	return digest;
}

/** Half of the function G. */
function mix(
	v: bigint[],
	[a, b, c, d]: [number, number, number, number],
	[word, first, second]: [bigint, bigint, bigint],
): void {
	v[a] = wrap(v[a]! + v[b]! + word);
	v[d] = rotated(v[d]! ^ v[a], first);
	v[c] = wrap(v[c]! + v[d]);
	v[b] = rotated(v[b]! ^ v[c], second);
}

const wrap = (value: bigint) => BigInt.asUintN(64, value);
const rotated = (value: bigint, by: bigint) => wrap((value >> by) | (value << (64n - by)));
