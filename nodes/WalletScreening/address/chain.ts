import { withoutEdges } from '../shared/text';

/** The form under which two spellings of one chain are equal; empty for what names none. */
export function chainKey(chain: unknown): string {
	return typeof chain === 'string' ? withoutEdges(chain).toLowerCase() : '';
}

/** Whether a report is not of the chain that was asked for, if one was: an address may be clean on one and not on another. */
export function isOtherChain(asked: unknown, reported: unknown): boolean {
	return chainKey(asked) !== '' && chainKey(asked) !== chainKey(reported);
}
