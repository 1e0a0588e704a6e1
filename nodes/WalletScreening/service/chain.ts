/** White space and characters without width, as copy and paste leave them around a text. */
const edges = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;
/** To trim a longer text takes time that grows with the square of its length. */
const longest = 2560;

/** The form under which two spellings of one chain are equal; empty for what names none. */
export function chainKey(chain: unknown): string {
	if (typeof chain !== 'string') return '';
	return (chain.length > longest ? chain : chain.replace(edges, '')).toLowerCase();
}

/**
 * Whether a report is of another chain than the one asked for: the same address may be clean on one and not on another. A
 * report that names no chain is; where none was asked for, the service chose (section 4.1) and nothing differs.
 */
export function isOtherChain(asked: unknown, reported: unknown): boolean {
	return chainKey(asked) !== '' && chainKey(asked) !== chainKey(reported);
}
