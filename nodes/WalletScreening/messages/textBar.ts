/**
 * Draws a bar of ten blocks, of which a share from 0 to 1 is filled. A share above 0 always shows.
 */
export function textBar(share: number): string {
	return '█'.repeat(Math.min(10, Math.ceil(share * 10))).padEnd(10, '░');
}
