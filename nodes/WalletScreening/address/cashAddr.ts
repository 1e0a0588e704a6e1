import { bytesIn, symbolsOf } from './bech32';

/** The generator of the checksum, 40 bits each: the upper 8 and the lower 32. */
const generator: Array<[number, number]> = [
	[0x98, 0xf2bc8e61],
	[0x79, 0xb76d99e2],
	[0xf3, 0x3e5fb3c4],
	[0xae, 0x2eabe2a8],
	[0x1e, 0x4f43e470],
];
const checksumLength = 8;
/** Bytes of a hash by the lower three bits of the version. */
const sizes = [20, 24, 28, 32, 40, 48, 56, 64];

/** Whether a payload, in small or in capital letters, fits its prefix: the checksum of CashAddr, and the length. */
export function isCashAddr(prefix: string, payload: string): boolean {
	const small = payload.toLowerCase();
	const symbols = symbolsOf(small);
	if (!symbols || (payload !== small && payload !== payload.toUpperCase())) return false;
	const data = symbols.slice(0, -checksumLength);
	const version = (data[0]! << 3) | (data[1]! >> 2);
	return isIntact(prefix, symbols) && bytesIn(data) === 1 + sizes[version & 7]!;
}

function isIntact(prefix: string, symbols: number[]): boolean {
	const values = [...[...prefix].map((character) => character.charCodeAt(0) & 31), 0, ...symbols];
	let high = 0;
	let low = 1;
	for (const value of values) {
		const top = high >>> 3;
		high = ((high & 7) << 5) | (low >>> 27);
		low = (low << 5) ^ value;
		generator.forEach(([termHigh, termLow], bit) => {
			if (!((top >> bit) & 1)) return;
			high ^= termHigh;
			low ^= termLow;
		});
	}
	return high === 0 && low === 1;
}
