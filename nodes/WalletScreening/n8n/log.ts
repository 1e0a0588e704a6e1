/** A text from outside as a part of one line of n8n's log, cut if it is long. */
export function printable(text: string): string {
	return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, 256);
}
