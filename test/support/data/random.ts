/** Returns a generator of numbers in [0, 1): the same numbers for the same seed (mulberry32). */
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
 * The seed of tests with random values: the same in every run, unless the environment variable
 * `TEST_SEED` sets another one. Tests have it in their name, so that a failure prints it.
 */
export const seed = Number(process.env.TEST_SEED ?? 20261120);
