/** Numbers in [0, 1) that follow from their seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/**
 * The same in every run, unless `TEST_SEED` holds another one. It belongs in the name of a test, so that a failure prints
 * it.
 */
export const seed = Number(process.env.TEST_SEED ?? 20261120);
