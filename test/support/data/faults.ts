import type { FaultEffect } from '../../../sandbox/faults';

/**
 * Returns a fault that replaces the right answer. Its content type is JSON unless the headers give
 * another one.
 */
export const answerFault = (
	status: number,
	body: string | Buffer = '{}',
	headers: Record<string, string> = {},
): FaultEffect => ({
	kind: 'answer',
	status,
	body,
	headers: { 'content-type': 'application/json', ...headers },
});
