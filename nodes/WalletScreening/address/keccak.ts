/** Bytes that Keccak-256 takes in at once. */
const rate = 136;

/** Rotations of the lanes and where they move (steps rho and pi), in the order of the path that starts at lane 1. */
const rotations: number[] = [];
const targets: number[] = [];
for (let t = 0, x = 1, y = 0; t < 24; t++) {
	[x, y] = [y, (2 * x + 3 * y) % 5];
	rotations.push((((t + 1) * (t + 2)) / 2) % 64);
	targets.push(x + 5 * y);
}

/** The constants of step iota as pairs of 32 bits, low half first: the output of a shift register. */
const constants = new Uint32Array(48);
for (let round = 0, register = 1; round < 24; round++) {
	for (let j = 0; j < 7; j++) {
		const bit = (1 << j) - 1;
		if (register & 1) constants[2 * round + (bit >> 5)]! ^= 1 << (bit & 31);
		register = (register << 1) ^ ((register >> 7) * 0x171);
	}
}

/**
 * Keccak-256 as Ethereum uses it (the submission of 2011). SHA3-256 pads otherwise, so that Node's `crypto` has no such
 * digest.
 */
export function keccak256(message: Buffer): Buffer {
	const padded = Buffer.alloc((Math.floor(message.length / rate) + 1) * rate);
	padded.set(message);
	padded[message.length]! ^= 0x01;
	padded[padded.length - 1]! ^= 0x80;
	// 25 lanes of 64 bits, each as two halves, low half first.
	const state = new Uint32Array(50);
	for (let block = 0; block < padded.length; block += rate) {
		for (let at = 0; at < rate / 4; at++) state[at]! ^= padded.readUInt32LE(block + 4 * at);
		permute(state);
	}
	const digest = Buffer.alloc(32);
	for (let at = 0; at < 8; at++) digest.writeUInt32LE(state[at]!, 4 * at);
	return digest;
}

const parity = new Uint32Array(10);
const row = new Uint32Array(10);

/** Keccak-f[1600] in place. */
function permute(s: Uint32Array): void {
	for (let round = 0; round < 48; round += 2) {
		// Theta
		for (let i = 0; i < 10; i++) {
			parity[i] = s[i]! ^ s[i + 10]! ^ s[i + 20]! ^ s[i + 30]! ^ s[i + 40]!;
		}
		for (let x = 0; x < 10; x += 2) {
			const low = parity[(x + 2) % 10]!;
			const high = parity[(x + 3) % 10]!;
			const effectLow = parity[(x + 8) % 10]! ^ ((low << 1) | (high >>> 31));
			const effectHigh = parity[(x + 9) % 10]! ^ ((high << 1) | (low >>> 31));
			for (let i = x; i < 50; i += 10) {
				s[i]! ^= effectLow;
				s[i + 1]! ^= effectHigh;
			}
		}
		// Rho and pi
		let low = s[2]!;
		let high = s[3]!;
		for (let t = 0; t < 24; t++) {
			const at = 2 * targets[t]!;
			const by = rotations[t]!;
			const first = by < 32 ? low : high;
			const second = by < 32 ? high : low;
			low = s[at]!;
			high = s[at + 1]!;
			// No rotation is by 0 or 32.
			s[at] = (first << by) | (second >>> -by);
			s[at + 1] = (second << by) | (first >>> -by);
		}
		// Chi
		for (let y = 0; y < 50; y += 10) {
			for (let i = 0; i < 10; i++) row[i] = s[y + i]!;
			for (let i = 0; i < 10; i++) s[y + i]! ^= ~row[(i + 2) % 10]! & row[(i + 4) % 10]!;
		}
		// Iota
		s[0]! ^= constants[round]!;
		s[1]! ^= constants[round + 1]!;
	}
}
