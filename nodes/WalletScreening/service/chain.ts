import { withoutEdges } from './input';

/** The form under which two spellings of one chain are equal; empty for what names none. */
export function chainKey(chain: unknown): string {
	return typeof chain === 'string' ? withoutEdges(chain).toLowerCase() : '';
}

/**
 * Whether a report is of another chain than the one asked for: the same address may be clean on one and not on another. A
 * report that names no chain is; where none was asked for, the service chose (section 4.1) and nothing differs.
 */
export function isOtherChain(asked: unknown, reported: unknown): boolean {
	return chainKey(asked) !== '' && chainKey(asked) !== chainKey(reported);
}
