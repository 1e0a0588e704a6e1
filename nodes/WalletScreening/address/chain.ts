import { trimInvisible } from '../shared/text';

/** The key of a chain, the same for each spelling of its name; empty if there is none. */
export function chainKey(chain: unknown): string {
	return typeof chain === 'string' ? trimInvisible(chain).toLowerCase() : '';
}

/**
 * Whether a report is not of the chain that was asked for, if one was: an address may be clean on
 * one and not on another.
 */
export function isOtherChain(requested: unknown, reported: unknown): boolean {
	return chainKey(requested) !== '' && chainKey(requested) !== chainKey(reported);
}
